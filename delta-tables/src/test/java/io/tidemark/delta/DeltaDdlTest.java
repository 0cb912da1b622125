package io.tidemark.delta;

import static io.tidemark.tables.ColumnDefinition.optional;
import static io.tidemark.tables.ColumnDefinition.required;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.TableDefinition;
import io.tidemark.tables.TableDefinition.Trait;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class DeltaDdlTest {

  @Test
  void aTableWithEverything() {
    TableDefinition definition =
        new TableDefinition(
            "The shop's clicks.",
            List.of(
                required("id", DataTypes.LongType, "Who's who"),
                optional(
                    "event",
                    new StructType()
                        .add("ad id", DataTypes.StringType)
                        .add("cost", DataTypes.createDecimalType(10, 2), true, "It's cents"),
                    "As read"),
                required("day", DataTypes.DateType, "The partition")),
            Optional.of("day"),
            new TreeMap<>(
                Map.of("known_ad", "event.`ad id` <> 'it''s'", "id_is_positive", "id > 0")),
            Set.of(Trait.APPEND_ONLY, Trait.CHANGES_KEPT));

    assertThat(DeltaDdl.createTable("delta.`/data/clicks`", definition))
        .isEqualTo(
            """
            CREATE TABLE IF NOT EXISTS delta.`/data/clicks` (
              `id` BIGINT NOT NULL COMMENT 'Who\\'s who',
              `event` STRUCT<`ad id`: STRING, cost: DECIMAL(10,2) COMMENT 'It\\'s cents'> COMMENT 'As read',
              `day` DATE NOT NULL COMMENT 'The partition')
            USING delta
            PARTITIONED BY (`day`)
            COMMENT 'The shop\\'s clicks.'
            TBLPROPERTIES (
              'delta.appendOnly' = 'true',
              'delta.constraints.id_is_positive' = 'id > 0',
              'delta.constraints.known_ad' = 'event.`ad id` <> \\'it\\'\\'s\\'',
              'delta.deletedFileRetentionDuration' = 'interval 30 days',
              'delta.enableChangeDataFeed' = 'true',
              'delta.enableRowTracking' = 'true',
              'delta.logRetentionDuration' = 'interval 30 days',
              'tidemark.formatVersion' = '4')""");
  }

  @Test
  void aTableWithNothing() {
    TableDefinition definition =
        new TableDefinition(
            "Notes.",
            List.of(optional("note", DataTypes.StringType, "Any text")),
            Optional.empty(),
            new TreeMap<>(),
            Set.of());

    assertThat(DeltaDdl.createTable("delta.`/data/notes`", definition))
        .isEqualTo(
            """
            CREATE TABLE IF NOT EXISTS delta.`/data/notes` (
              `note` STRING COMMENT 'Any text')
            USING delta
            COMMENT 'Notes.'
            TBLPROPERTIES (
              'delta.deletedFileRetentionDuration' = 'interval 30 days',
              'delta.logRetentionDuration' = 'interval 30 days',
              'tidemark.formatVersion' = '4')""");
  }
}
