package io.tidemark.tests.oracle;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * One line of one file.
 *
 * @param event what the line says; null where it is malformed
 */
public record SourceRecord(String file, String line, @Nullable Event event) {

  public static SourceRecord of(String file, Event event) {
    return new SourceRecord(file, JsonLine.of(event), event);
  }

  public static SourceRecord malformed(String file, String line) {
    return new SourceRecord(file, line, null);
  }

  public SourcePosition position() {
    try {
      byte[] hash = MessageDigest.getInstance("MD5").digest(line.getBytes(StandardCharsets.UTF_8));
      return new SourcePosition(file, HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
