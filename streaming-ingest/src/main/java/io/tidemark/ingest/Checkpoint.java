package io.tidemark.ingest;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.RuntimeConfig;

/**
 * A streaming query's checkpoint, as Spark lays it out.
 *
 * @param location its folder
 */
public record Checkpoint(String location, Configuration hadoop) {

  private static final List<String> KEPT_SETTINGS =
      List.of("spark.sql.shuffle.partitions", "spark.sql.streaming.stateStore.providerClass");

  /** Whether a query has ever been started on it. */
  public boolean exists() {
    Path metadata = new Path(location, "metadata");
    try {
      return fileSystem(metadata).exists(metadata);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot look up the checkpoint " + location, e);
    }
  }

  /** The id of its query, as Spark gave it; only where it {@link #exists}. */
  public String queryId() {
    Path file = new Path(location, "metadata");
    try (InputStream in = fileSystem(file).open(file)) {
      return new ObjectMapper().readTree(in).required("id").asText();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
  }

  /** The newest batch that has begun; empty: none. */
  OptionalLong newestBatch() {
    Path offsets = new Path(location, "offsets");
    try {
      return Arrays.stream(fileSystem(offsets).listStatus(offsets))
          .map(file -> file.getPath().getName())
          .filter(name -> name.matches("[0-9]+"))
          .mapToLong(Long::parseLong)
          .max();
    } catch (FileNotFoundException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list the checkpoint " + location, e);
    }
  }

  /** The offset of a batch that has begun. */
  BatchOffset offset(long batch) {
    return read(new Path(location, "offsets/" + batch));
  }

  /**
   * Settings that the session has otherwise than the checkpoint, which keeps its own; one sentence
   * each.
   */
  public List<String> keptSettings(RuntimeConfig conf) {
    Map<String, String> kept =
        newestBatch().stream()
            .mapToObj(batch -> offset(batch).settings())
            .findFirst()
            .orElse(Map.of());
    return kept.entrySet().stream()
        .filter(setting -> KEPT_SETTINGS.contains(setting.getKey()))
        .filter(setting -> !setting.getValue().equals(conf.get(setting.getKey())))
        .map(
            setting ->
                "%s=%s has no effect here: checkpoint %s was begun with %s and keeps it."
                    .formatted(
                        setting.getKey(), conf.get(setting.getKey()), location, setting.getValue()))
        .toList();
  }

  private BatchOffset read(Path offset) {
    try (InputStream in = fileSystem(offset).open(offset)) {
      return BatchOffset.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UnsafeEnvironmentException(
          "Cannot read "
              + offset
              + " of the stream's checkpoint. A checkpoint cannot be mended: ingest again into a"
              + " new warehouse path.",
          e);
    }
  }

  private FileSystem fileSystem(Path path) throws IOException {
    return path.getFileSystem(hadoop);
  }
}
