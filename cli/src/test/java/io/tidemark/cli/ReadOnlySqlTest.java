package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.SpecException;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spark")
class ReadOnlySqlTest {

  private final SparkSession spark =
      SessionFactory.open(
          "test", Map.of("spark.master", "local[2]", "spark.sql.shuffle.partitions", "1"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "SELECT 1;",
        "(SELECT 1) UNION (SELECT 2)",
        "WITH c AS (SELECT 1 AS n) SELECT n FROM c",
        "VALUES (1)",
        "FROM clicks |> WHERE n > 1",
        "SELECT * FROM a UNION ALL SELECT * FROM b",
        "DESCRIBE clicks",
        "DESCRIBE TABLE EXTENDED clicks",
        "DESCRIBE QUERY SELECT 1",
        "SHOW TABLES",
        "SHOW VIEWS",
        "SHOW COLUMNS IN clicks",
        "SHOW FUNCTIONS",
        "DESCRIBE HISTORY delta.`/data/clicks`",
        "DESCRIBE DETAIL delta.`/data/clicks`",
        "EXPLAIN SELECT 1",
        "EXPLAIN DELETE FROM clicks",
      })
  void whatReadsIsLetThrough(String sql) {
    assertThatCode(() -> ReadOnlySql.require(spark, sql)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM clicks",
        "UPDATE clicks SET n = 1",
        "INSERT INTO clicks VALUES (1)",
        "INSERT OVERWRITE DIRECTORY '/data' USING parquet SELECT 1",
        "WITH c AS (SELECT 1) INSERT INTO clicks SELECT * FROM c",
        "FROM a INSERT INTO b SELECT * INSERT INTO c SELECT *",
        "MERGE INTO a USING b ON a.n = b.n WHEN MATCHED THEN DELETE",
        "CREATE TABLE a AS SELECT 1",
        "CREATE OR REPLACE TEMPORARY VIEW a AS SELECT 1",
        "CACHE TABLE clicks",
        "CACHE TABLE a AS SELECT 1",
        "DROP TABLE clicks",
        "DROP VIEW clicks",
        "ALTER TABLE clicks SET TBLPROPERTIES ('delta.appendOnly' = 'false')",
        "TRUNCATE TABLE clicks",
        "RESTORE TABLE clicks TO VERSION AS OF 1",
        "VACUUM clicks RETAIN 0 HOURS",
        "OPTIMIZE clicks",
        "SET spark.sql.ansi.enabled = false",
        "SET VARIABLE n = 1",
        "DECLARE VARIABLE n INT",
        "ADD JAR '/data/a.jar'",
        "USE other",
        "EXECUTE IMMEDIATE 'DROP VIEW clicks'",
        "BEGIN DROP VIEW clicks; END",
        "CALL system.run()",
      })
  void whatDoesMoreIsRefused(String sql) {
    assertThatThrownBy(() -> ReadOnlySql.require(spark, sql))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "'"
                + sql
                + "' would do more than read. tidemark sql takes SELECT, WITH, DESCRIBE, SHOW"
                + " and EXPLAIN only.");
  }

  @Test
  void whatIsNoSqlIsRefused() {
    assertThatThrownBy(() -> ReadOnlySql.require(spark, "SELEC 1"))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("Cannot read the query: ");
    assertThatThrownBy(() -> ReadOnlySql.require(spark, "SELECT 1; DROP VIEW clicks"))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("Cannot read the query: ");
  }
}
