package io.tidemark.spec.expression;

import org.apache.spark.sql.types.DataType;

/** The outcome of checking an expression. */
public sealed interface Checked {

  /** It can be used and has this type. */
  record Typed(DataType type) implements Checked {}

  record Refused(Refusal refusal) implements Checked {

    Refused(String what, String remedy) {
      this(new Refusal(what, remedy));
    }
  }
}
