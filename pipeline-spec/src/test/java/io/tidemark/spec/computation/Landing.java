package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat_ws;

import io.tidemark.spec.FileFormat;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A folder of source files, and what the archive makes of them. */
record Landing(Path directory) {

  private static final SparkSession SPARK = TestSession.shared();

  void file(String name, String... lines) throws IOException {
    Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
  }

  void writtenAt(String name, String instant) throws IOException {
    Files.setLastModifiedTime(directory.resolve(name), FileTime.from(Instant.parse(instant)));
  }

  Dataset<Row> rows(PipelineSpec spec) {
    return ordered(ArchiveRows.of(records(spec), spec.event(), source(spec)));
  }

  /** The same where the files are imported. */
  Dataset<Row> imported(PipelineSpec spec, String importId) {
    return ordered(ArchiveRows.imported(records(spec), spec.event(), source(spec), importId));
  }

  private Dataset<Row> records(PipelineSpec spec) {
    return source(spec).format() == FileFormat.PARQUET
        ? SPARK.read().schema(spec.event().schema()).parquet(directory.toString())
        : SPARK.read().text(directory.toString());
  }

  private static Source.Files source(PipelineSpec spec) {
    return (Source.Files) spec.source();
  }

  private static Dataset<Row> ordered(Dataset<Row> rows) {
    return rows.orderBy("source_position.path", "source_position.row_index", "event_time");
  }

  /** Whole rows as JSON without nulls; the folder is LANDING. */
  List<String> archived(PipelineSpec spec) {
    return rows(spec).toJSON().collectAsList().stream().map(this::shortened).toList();
  }

  private String shortened(String text) {
    return text.replace("file:" + directory, "LANDING");
  }

  List<String> problems(PipelineSpec spec) {
    return column(spec, ArchiveColumns.PROBLEM);
  }

  /** The problem of each line of a new text file, or "none". */
  List<String> problemsOf(PipelineSpec spec, List<String> lines) throws IOException {
    file("lines.txt", lines.toArray(String[]::new));
    Map<String, String> byHash = new HashMap<>();
    rows(spec)
        .select("source_position.record_hash", ArchiveColumns.PROBLEM)
        .collectAsList()
        .forEach(row -> byHash.put(row.getString(0), row.isNullAt(1) ? "none" : row.getString(1)));
    return lines.stream().map(line -> byHash.get(md5(line))).toList();
  }

  /** A column as text. */
  List<String> column(PipelineSpec spec, String name) {
    return texts(rows(spec), col(name).cast("string"));
  }

  /** A column of the event as text. */
  List<String> events(PipelineSpec spec, String name) {
    return texts(rows(spec), col(ArchiveColumns.EVENT + "." + name).cast("string"));
  }

  /** File, row index and hash of each record. */
  List<String> positions(PipelineSpec spec) {
    return texts(
            rows(spec),
            concat_ws(
                " ",
                col("source_position.path"),
                col("source_position.row_index").cast("string"),
                col("source_position.record_hash")))
        .stream()
        .map(this::shortened)
        .toList();
  }

  private static List<String> texts(Dataset<Row> rows, Column column) {
    return rows.select(column).collectAsList().stream().map(row -> row.getString(0)).toList();
  }

  static String md5(String line) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      return HexFormat.of().formatHex(digest.digest(line.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
