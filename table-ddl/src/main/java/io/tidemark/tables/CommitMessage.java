package io.tidemark.tables;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.time.DateTimeException;
import java.util.function.Function;

/** What a commit says in JSON, under its {@link CommitLabel}. */
public final class CommitMessage {

  private static final ObjectMapper JSON = new ObjectMapper();

  private CommitMessage() {}

  /**
   * Reads a message.
   *
   * @param what it is, in words, e.g. {@code the step of progress}
   * @param value takes it from the JSON; throws {@link IllegalArgumentException} or {@link
   *     DateTimeException} where that is another
   * @throws UnsafeEnvironmentException if the text is no such message
   */
  public static <T> T read(String what, String json, Function<JsonNode, T> value) {
    try {
      return value.apply(JSON.readTree(json));
    } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
      throw new UnsafeEnvironmentException(
          "Cannot read "
              + what
              + " '"
              + json
              + "': it is not as this release writes it. Was the table written by another tool?",
          e);
    }
  }
}
