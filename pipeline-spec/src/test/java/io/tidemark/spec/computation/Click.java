package io.tidemark.spec.computation;

import io.tidemark.spec.parse.PipelineText;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * An archived event of {@code PipelineText.good()}, with all that decides how it is counted.
 *
 * @param time of 2026-03-01 in UTC
 * @param rowIndex its place in the file
 * @param commit the version of the archive that added it
 */
record Click(
    String id,
    Optional<String> ad,
    String time,
    OptionalLong cost,
    String path,
    long rowIndex,
    long commit,
    Optional<RecordProblem> problem,
    Optional<String> importId) {

  private static final StructType EVENT =
      new StructType()
          .add("click_id", DataTypes.StringType)
          .add("ad_id", DataTypes.StringType)
          .add("clicked_at", DataTypes.TimestampType)
          .add("sent_at", DataTypes.TimestampType)
          .add("cost", DataTypes.LongType);

  static Click at(String time, String id) {
    return new Click(
        id,
        Optional.of("ad"),
        time,
        OptionalLong.of(1),
        "file",
        0,
        0,
        Optional.empty(),
        Optional.empty());
  }

  Click ofAd(String other) {
    return new Click(id, Optional.of(other), time, cost, path, rowIndex, commit, problem, importId);
  }

  Click ofNoAd() {
    return new Click(id, Optional.empty(), time, cost, path, rowIndex, commit, problem, importId);
  }

  Click costing(long amount) {
    return new Click(
        id, ad, time, OptionalLong.of(amount), path, rowIndex, commit, problem, importId);
  }

  Click withoutCost() {
    return new Click(id, ad, time, OptionalLong.empty(), path, rowIndex, commit, problem, importId);
  }

  Click read(String file, long row) {
    return new Click(id, ad, time, cost, file, row, commit, problem, importId);
  }

  Click archivedBy(long version) {
    return new Click(id, ad, time, cost, path, rowIndex, version, problem, importId);
  }

  Click with(RecordProblem other) {
    return new Click(id, ad, time, cost, path, rowIndex, commit, Optional.of(other), importId);
  }

  /** Imported by a commit, past the stream. */
  Click importedBy(long version) {
    return new Click(
        id, ad, time, cost, path, rowIndex, version, problem, Optional.of("import-" + version));
  }

  /** As the archive has them, with their commit version. */
  static Dataset<Row> archive(Click... clicks) {
    StructType schema =
        new StructType()
            .add(ArchiveColumns.EVENT, EVENT)
            .add(ArchiveColumns.EVENT_TIME, DataTypes.TimestampType)
            .add(ArchiveColumns.ARRIVAL_TIME, DataTypes.TimestampType)
            .add(
                ArchiveColumns.SOURCE_POSITION,
                SourcePosition.type(PipelineText.good().spec().source()))
            .add(ArchiveColumns.PROBLEM, DataTypes.StringType)
            .add(ArchiveColumns.IMPORT_ID, DataTypes.StringType)
            .add(ArchiveColumns.COMMIT_VERSION, DataTypes.LongType);
    return TestSession.shared()
        .createDataFrame(Arrays.stream(clicks).map(Click::row).toList(), schema);
  }

  private Row row() {
    Timestamp at = Timestamp.from(Instant.parse("2026-03-01T" + time + "Z"));
    Row event =
        RowFactory.create(id, ad.orElse(null), at, at, cost.isPresent() ? cost.getAsLong() : null);
    return RowFactory.create(
        event,
        at,
        at,
        RowFactory.create(path, rowIndex, null),
        problem.map(RecordProblem::label).orElse(null),
        importId.orElse(null),
        commit);
  }
}
