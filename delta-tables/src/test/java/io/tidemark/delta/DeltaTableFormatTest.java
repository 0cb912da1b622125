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
}
