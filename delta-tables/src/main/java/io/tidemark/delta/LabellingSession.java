package io.tidemark.delta;

import io.tidemark.tables.CommitLabel;
import io.tidemark.tables.CommitLabel.Writers;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.classic.Dataset$;

/**
 * A session whose statements are labelled. Delta takes their label from the session's settings; in
 * a session of its own, so that what the given one writes at the same time does not take it too.
 * Not safe for several threads.
 */
final class LabellingSession {

  private static final String TRANSACTION_APPLICATION = "spark.databricks.delta.write.txnAppId";
  private static final String TRANSACTION_VERSION = "spark.databricks.delta.write.txnVersion";
  private static final String USER_METADATA = "spark.databricks.delta.commitInfo.userMetadata";
  private static final String MATERIALIZE_SOURCE = "spark.databricks.delta.merge.materializeSource";

  private final org.apache.spark.sql.classic.SparkSession session;

  LabellingSession(SparkSession original) {
    this.session = ((org.apache.spark.sql.classic.SparkSession) original).cloneSession();
    session.conf().set(MATERIALIZE_SOURCE, "none");
  }

  /** Runs a statement. */
  void run(CommitLabel label, String statement) {
    session.conf().set(USER_METADATA, new LabelJson(label).text());
    if (label.writers() == Writers.SEVERAL) {
      session.conf().set(TRANSACTION_APPLICATION, label.application());
      session.conf().set(TRANSACTION_VERSION, Long.toString(label.version()));
    } else {
      session.conf().unset(TRANSACTION_APPLICATION);
      session.conf().unset(TRANSACTION_VERSION);
    }
    session.sql(statement);
  }

  /**
   * Runs a statement that reads some rows.
   *
   * @param statement makes it from the name of their view
   */
  void run(CommitLabel label, Dataset<Row> rows, UnaryOperator<String> statement) {
    String view = "tidemark_rows_" + UUID.randomUUID().toString().replace("-", "");
    Dataset$.MODULE$
        .ofRows(session, ((org.apache.spark.sql.classic.Dataset<Row>) rows).logicalPlan())
        .createOrReplaceTempView(view);
    try {
      run(label, statement.apply(view));
    } finally {
      session.catalog().dropTempView(view);
    }
  }
}
