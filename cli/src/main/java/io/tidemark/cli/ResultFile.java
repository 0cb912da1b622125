package io.tidemark.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.tidemark.spec.error.SpecException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Objects;

/** Results as JSON: times, days and durations as ISO 8601 text. */
public final class ResultFile {

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addSerializer(LocalDate.class, ToStringSerializer.instance)
                  .addSerializer(Duration.class, ToStringSerializer.instance))
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private ResultFile() {}

  public static String json(Map<String, Object> data) {
    try {
      return JSON.writeValueAsString(data);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result that is no JSON", e);
    }
  }

  /**
   * Checks that a file can be written there, before the work that it shall tell of.
   *
   * @throws SpecException if it cannot
   */
  public static void requireWritable(Path file) {
    Path directory = directory(file);
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new SpecException(refusal(file, e.toString()), e);
    }
    if (Files.isDirectory(file)) {
      throw new SpecException(refusal(file, "it is a directory"));
    }
    if (!Files.isWritable(directory)) {
      throw new SpecException(refusal(file, "no right to write there"));
    }
  }

  private static String refusal(Path file, String why) {
    return "Cannot write the result file " + file + ": " + why + ". Mend --result.";
  }

  private static Path directory(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent());
  }

  /** Writes in one step: a reader sees the whole file or none. */
  public static void write(Path file, Map<String, Object> data) {
    try {
      Path directory = directory(file);
      Files.createDirectories(directory);
      Path temporary = Files.createTempFile(directory, ".result-", ".tmp");
      Files.writeString(temporary, json(data) + "\n");
      Files.move(
          temporary,
          file,
          java.nio.file.StandardCopyOption.ATOMIC_MOVE,
          java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write the result file " + file, e);
    }
  }
}
