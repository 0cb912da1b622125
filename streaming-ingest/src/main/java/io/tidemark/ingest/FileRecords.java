package io.tidemark.ingest;

import io.tidemark.spec.EventSpec;
import io.tidemark.spec.FileFormat;
import io.tidemark.spec.Source;
import io.tidemark.spec.error.SpecException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Reads a source's files as records: lines for text formats, rows for Parquet. */
public final class FileRecords {

  private FileRecords() {}

  /**
   * Records of all files that are and will be below the source's path, each file once.
   *
   * @throws SpecException if there is nothing at the path
   */
  public static Dataset<Row> stream(SparkSession spark, Source.Files source, EventSpec event) {
    requirePath(spark, source);
    Map<String, String> options = new HashMap<>();
    options.put("recursiveFileLookup", "true");
    // Spark would silently leave aside files more than a week older than the newest.
    options.put("maxFileAge", "36500d");
    source.nameGlob().ifPresent(glob -> options.put("pathGlobFilter", glob));
    source
        .maxFilesPerTrigger()
        .ifPresent(files -> options.put("maxFilesPerTrigger", Integer.toString(files)));
    source.maxBytesPerTrigger().ifPresent(bytes -> options.put("maxBytesPerTrigger", bytes));
    return source.format() == FileFormat.PARQUET
        ? spark.readStream().options(options).schema(event.schema()).parquet(source.path())
        : spark.readStream().options(options).text(source.path());
  }

  /**
   * Records of the files at some paths, now, however deep below them.
   *
   * @param paths of files or directories, no globs
   */
  public static Dataset<Row> batch(
      SparkSession spark, Source.Files source, EventSpec event, List<String> paths) {
    // Without the second, Spark takes a path that holds [ or * for a glob.
    Map<String, String> options = Map.of("recursiveFileLookup", "true", "__globPaths__", "false");
    String[] all = paths.toArray(String[]::new);
    return source.format() == FileFormat.PARQUET
        ? spark.read().options(options).schema(event.schema()).parquet(all)
        : spark.read().options(options).text(all);
  }

  private static void requirePath(SparkSession spark, Source.Files source) {
    Path path = new Path(source.path());
    try {
      FileStatus[] found =
          path.getFileSystem(spark.sparkContext().hadoopConfiguration()).globStatus(path);
      if (found == null || found.length == 0) {
        throw new SpecException(
            "Cannot ingest from source.path "
                + source.path()
                + ": there is nothing there. Create the directory, or mend the path (a relative"
                + " one is looked up from the directory that the job is started in).");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot look up source.path " + source.path(), e);
    }
  }
}
