package io.tidemark.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.tables.ColumnDefinition.Nullability;
import io.tidemark.tables.TableDefinition.Trait;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableDefinitionsTest {

  private static List<String> columns(TableDefinition definition) {
    return definition.columns().stream()
        .map(
            column ->
                column.name()
                    + " "
                    + column.type().sql()
                    + (column.nullability() == Nullability.REQUIRED ? " required" : ""))
        .toList();
  }

  @Test
  void theArchiveHoldsTheRecordAndAllThatWasDecidedAtIngest() {
    TableDefinition archive = TableDefinitions.archive(Clicks.daily());

    assertThat(columns(archive))
        .containsExactly(
            "event STRUCT<click_id: STRING, ad_id: STRING, clicked_at: TIMESTAMP, sent_at:"
                + " TIMESTAMP, cost: BIGINT>",
            "event_time TIMESTAMP",
            "source_timestamp TIMESTAMP",
            "arrival_time TIMESTAMP",
            "source_position STRUCT<path: STRING, row_index: BIGINT, record_hash: STRING> required",
            "problem STRING",
            "raw STRING",
            "import_id STRING",
            "event_date DATE");
    assertThat(archive.comment())
        .isEqualTo(
            "Every record that pipeline ad_clicks has read, good or rejected. The only truth: all"
                + " else can be recounted from it.");
    assertThat(archive.partitionColumn()).contains("event_date");
    assertThat(archive.checks()).isEmpty();
    assertThat(archive.traits()).containsExactly(Trait.CHANGES_KEPT);
  }

  @Test
  void theAggregatesHoldARowPerWindowAndKey() {
    TableDefinition aggregates = TableDefinitions.aggregates(Clicks.daily());

    assertThat(columns(aggregates))
        .containsExactly(
            "window_start TIMESTAMP required",
            "window_end TIMESTAMP required",
            "ad_id STRING",
            "clicks BIGINT",
            "paid DECIMAL(30,0)",
            "mean_sum DECIMAL(30,0)",
            "mean_count BIGINT",
            "people_sketch BINARY",
            "event_count BIGINT",
            "version BIGINT required",
            "window_date DATE required");
    assertThat(aggregates.comment())
        .isEqualTo("Aggregates of pipeline ad_clicks, one row per window and key.");
    assertThat(aggregates.partitionColumn()).contains("window_date");
    assertThat(aggregates.checks())
        .isEqualTo(
            Map.of(
                "event_count_is_positive", "event_count > 0",
                "version_is_0_or_a_settlement", "version >= 0",
                "window_ends_after_its_start", "window_end > window_start"));
    assertThat(aggregates.traits()).isEmpty();
  }

  @Test
  void byHourThePartitionIsATimestamp() {
    TableDefinition aggregates = TableDefinitions.aggregates(Clicks.plainAndHourly());

    assertThat(columns(aggregates))
        .containsExactly(
            "window_start TIMESTAMP required",
            "window_end TIMESTAMP required",
            "event_count BIGINT",
            "version BIGINT required",
            "window_hour TIMESTAMP required");
    assertThat(aggregates.partitionColumn()).contains("window_hour");
    assertThat(aggregates.columns().get(4).comment())
        .isEqualTo("The partition: the hour of window_end - 1 microsecond");
  }

  @Test
  void correctionsHoldARowsValuesBeforeAndAfter() {
    TableDefinition corrections = TableDefinitions.corrections(Clicks.daily());
    String values =
        "clicks: BIGINT COMMENT 'Number of events', "
            + "paid: DECIMAL(30,0) COMMENT 'Sum of cost', "
            + "mean_sum: DECIMAL(30,0) COMMENT 'Numerator of the mean of cost', "
            + "mean_count: BIGINT COMMENT 'Denominator of the mean of cost', "
            + "people_sketch: BINARY COMMENT 'Theta sketch of the distinct values of click_id', "
            + "event_count: BIGINT COMMENT 'Number of events counted in this row, copies aside'";

    assertThat(columns(corrections))
        .containsExactly(
            "settlement BIGINT required",
            "attempt STRING required",
            "kind STRING required",
            "window_start TIMESTAMP required",
            "window_end TIMESTAMP required",
            "ad_id STRING",
            "before STRUCT<" + values + ", version: BIGINT>",
            "after STRUCT<" + values + ">");
    assertThat(corrections.partitionColumn()).isEmpty();
    assertThat(corrections.traits()).containsExactly(Trait.APPEND_ONLY);
  }

  @Test
  void thePointerIsReplacedAndTheOtherJournalsOnlyGrow() {
    assertThat(columns(JournalDefinitions.generations()))
        .containsExactly(
            "generation STRING required",
            "state STRING required",
            "archive_fingerprint STRING required",
            "fingerprint STRING required",
            "definition STRING required",
            "file STRING required",
            "boundary TIMESTAMP",
            "archive_version BIGINT",
            "first_version BIGINT required",
            "created_at TIMESTAMP required",
            "promoted_at TIMESTAMP",
            "replaced_at TIMESTAMP",
            "canary INT required");
    assertThat(JournalDefinitions.generations().traits()).isEmpty();
    assertThat(JournalDefinitions.progress().traits()).containsExactly(Trait.APPEND_ONLY);
    assertThat(JournalDefinitions.settlements().traits()).containsExactly(Trait.APPEND_ONLY);
  }

  @Test
  void progressHoldsARowPerStep() {
    assertThat(columns(JournalDefinitions.progress()))
        .containsExactly(
            "epoch BIGINT required",
            "checkpoint STRING required",
            "batch BIGINT required",
            "frontier TIMESTAMP",
            "archive_version BIGINT",
            "settled_through TIMESTAMP",
            "rows_merged BIGINT",
            "published_at TIMESTAMP required");
  }

  @Test
  void theLedgerHoldsARowPerSettlement() {
    assertThat(columns(JournalDefinitions.settlements()))
        .containsExactly(
            "settlement BIGINT required",
            "attempt STRING required",
            "table_version BIGINT required",
            "archive_version BIGINT required",
            "frontier TIMESTAMP",
            "settled_through TIMESTAMP",
            "close_reason STRING",
            "undoes BIGINT",
            "built BIGINT required",
            "agreed BIGINT required",
            "corrected BIGINT required",
            "missing BIGINT required",
            "phantom BIGINT required",
            "final_changed BIGINT required",
            "archived BIGINT required",
            "rejected BIGINT required",
            "filtered BIGINT required",
            "considered BIGINT required",
            "memberships BIGINT required",
            "counted BIGINT required",
            "duplicates BIGINT required",
            "estimated BIGINT required",
            "left_out BIGINT required",
            "imported BIGINT required",
            "frozen BIGINT required",
            "audit STRING",
            "accepted_breach STRING",
            "committed_at TIMESTAMP required");
  }

  @Test
  void everyColumnIsExplained() {
    PipelineTables tables = new PipelineTables("/data/ad_clicks", Generation.FIRST);

    assertThat(PipelineCatalog.tables(Clicks.daily(), tables).values())
        .allSatisfy(
            table ->
                assertThat(table.columns())
                    .allSatisfy(column -> assertThat(column.comment()).isNotBlank()));
  }

  @Test
  void thePointerIsCreatedLast() {
    PipelineTables tables = new PipelineTables("/data/ad_clicks", Generation.FIRST);

    assertThat(PipelineCatalog.tables(Clicks.daily(), tables).keySet())
        .extracting(TablePath::value)
        .containsExactly(
            "/data/ad_clicks/archive",
            "/data/ad_clicks/g1/aggregates",
            "/data/ad_clicks/g1/progress",
            "/data/ad_clicks/g1/settlements",
            "/data/ad_clicks/g1/corrections",
            "/data/ad_clicks/generations");
  }
}
