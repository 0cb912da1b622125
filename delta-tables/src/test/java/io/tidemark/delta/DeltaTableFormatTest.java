package io.tidemark.delta;

import io.tidemark.tables.TableFormatContract;
import io.tidemark.tables.TablePath;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;

@Tag("spark")
class DeltaTableFormatTest extends TableFormatContract {

  DeltaTableFormatTest() {
    super(DeltaSession.settings(), DeltaTableFormat::new);
  }

  @Override
  protected void compact(SparkSession spark, TablePath table) {
    DeltaSession.compact(spark, table);
  }

  @Override
  protected void removeReplacedFiles(SparkSession spark, TablePath table) {
    spark.conf().set("spark.databricks.delta.retentionDurationCheck.enabled", "false");
    spark.sql("VACUUM delta.`" + table + "` RETAIN 0 HOURS");
    spark.conf().unset("spark.databricks.delta.retentionDurationCheck.enabled");
  }
}
