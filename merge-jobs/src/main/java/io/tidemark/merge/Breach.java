package io.tidemark.merge;

import io.tidemark.spec.Percentage;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * A limit that a settlement breaks.
 *
 * @param rule the limit's key in the pipeline file
 * @param measured what was found instead, 1 for the whole
 * @param evidence the numbers behind it, in words
 */
public record Breach(String rule, Percentage limit, double measured, String evidence) {

  public Breach {
    if (!limit.isExceededBy(measured)) {
      throw new IllegalArgumentException(measured + " is within the limit " + limit);
    }
  }

  /** In words, for an operator. */
  public String description() {
    return "%s: the limit is %s, measured %s: %s."
        .formatted(rule, limit, rounded(measured * 100) + "%", evidence);
  }

  /** A number as evidence shows it, rounded to six digits. */
  public static String rounded(double number) {
    BigDecimal rounded = BigDecimal.valueOf(number).round(new MathContext(6));
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
