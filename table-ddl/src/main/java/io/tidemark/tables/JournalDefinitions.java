package io.tidemark.tables;

import static io.tidemark.tables.ColumnDefinition.optional;
import static io.tidemark.tables.ColumnDefinition.required;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;
import static org.apache.spark.sql.types.DataTypes.TimestampType;

import io.tidemark.tables.TableDefinition.Trait;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The tables in which jobs note what they did; alike for every pipeline. */
public final class JournalDefinitions {

  private JournalDefinitions() {}

  public static TableDefinition generations() {
    return journal(
        "The builds of this pipeline's tables; says which one readers see.",
        Set.of(),
        required("generation", StringType, "g1, g2, …: the folder of the build"),
        required(
            "state",
            StringType,
            "building; candidate: complete, beside the live one; live: readers see it; kept: was"
                + " live and is still fed; retired: given up"),
        required("archive_fingerprint", StringType, "SHA-256 of how the archive is read"),
        required("fingerprint", StringType, "SHA-256 of all that changes the build's numbers"),
        required("definition", StringType, "The canonical text under the fingerprint"),
        required("file", StringType, "The pipeline file that it was built from"),
        optional(
            "boundary", TimestampType, "Windows that end at or before it were counted by a batch"),
        optional("archive_version", LongType, "Version of the archive that the batch counted"),
        required("first_version", LongType, "Version of the archive that its stream began with"),
        required("created_at", TimestampType, "When its first table was made"),
        optional("promoted_at", TimestampType, "When it last became live"),
        optional("replaced_at", TimestampType, "When it last ceased to be live"),
        required("canary", IntegerType, "The share of users, in percent, that sees the candidate"));
  }

  public static TableDefinition sourceGaps() {
    return journal(
        "Records that the source deleted before they were read, and who has seen that.",
        Set.of(Trait.APPEND_ONLY),
        required("topic", StringType, "The topic"),
        required("partition", IntegerType, "Its partition"),
        required("first_offset", LongType, "The first offset that is lost"),
        required("end_offset", LongType, "The first that is not"),
        required(
            "state",
            StringType,
            "accepted: ingest went on behind it; acknowledged: a person has seen it"),
        optional("reason", StringType, "What that person said"),
        required("noted_at", TimestampType, "Wall clock of the note (informative)"));
  }

  public static TableDefinition progress() {
    return journal(
        "How far the stream has come: a row for each step of the frontier or the archive version.",
        Set.of(Trait.APPEND_ONLY),
        required(
            "epoch", LongType, "Counts the stream's checkpoints, from 1; 0: a rebuild's batch"),
        required("checkpoint", StringType, "Id of the streaming query that the checkpoint holds"),
        required("batch", LongType, "The micro-batch; -1 in the row that opens an epoch"),
        optional("frontier", TimestampType, "No window that ends at or before it changes any more"),
        optional(
            "archive_version",
            LongType,
            "Version of the archive through which the stream has counted"),
        optional(
            "settled_through",
            TimestampType,
            "The settled boundary that the batch's merge respected"),
        optional("rows_merged", LongType, "Rows of the batch that were merged (informative)"),
        required("published_at", TimestampType, "Wall clock of the step (informative)"));
  }

  public static TableDefinition settlements() {
    return journal(
        "The ledger: a row for each settlement that was adopted or undone, copied from its commit.",
        Set.of(Trait.APPEND_ONLY),
        required("settlement", LongType, "1, 2, 3, …"),
        required("attempt", StringType, "The run that committed it"),
        required("table_version", LongType, "Version of the aggregates that its commit made"),
        required("archive_version", LongType, "Version of the archive that it recounted"),
        optional("frontier", TimestampType, "The stream's frontier that it read"),
        optional(
            "settled_through",
            TimestampType,
            "Windows that end at or before it are settled; null: all is undone"),
        optional("close_reason", StringType, "Why it went past the frontier, or undid"),
        optional("undoes", LongType, "The settlement that it undoes; its counts are negative then"),
        required("built", LongType, "Rows that a rebuild counted: no stream had been there"),
        required("agreed", LongType, "Rows whose recount was the same"),
        required("corrected", LongType, "Rows whose recount was another"),
        required("missing", LongType, "Rows that were not there"),
        required("phantom", LongType, "Rows that should not have been there"),
        required("final_changed", LongType, "Rows that were final and changed all the same"),
        required("archived", LongType, "Records archived since the settlement before"),
        required("rejected", LongType, "… of them with a problem"),
        required("filtered", LongType, "… of them left aside by the spec's filter"),
        required("considered", LongType, "… of them considered: the rest"),
        required("memberships", LongType, "(event, window) pairs in the recounted rows"),
        required("counted", LongType, "… of them counted"),
        required("duplicates", LongType, "… of them copies: the rest"),
        required("estimated", LongType, "Events that the same rows held before"),
        required("left_out", LongType, "Events that the stream left out of them as too late"),
        required("imported", LongType, "Events of them that the stream never saw: imported ones"),
        required(
            "frozen",
            LongType,
            "New (event, window) pairs that came too late for the archive that is kept: not counted"),
        optional(
            "audit", StringType, "The limits it broke, as JSON: rule, limit, measured, evidence"),
        optional(
            "accepted_breach", StringType, "Why it was adopted all the same (--accept-breach)"),
        required("committed_at", TimestampType, "Wall clock of the commit (informative)"));
  }

  private static TableDefinition journal(
      String comment, Set<Trait> traits, ColumnDefinition... columns) {
    return new TableDefinition(
        comment, List.of(columns), Optional.empty(), new TreeMap<>(), traits);
  }
}
