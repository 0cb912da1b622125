package io.tidemark.delta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.spec.error.UnsafeEnvironmentException;

/**
 * A position of Delta's streaming source, as Spark's checkpoint keeps it.
 *
 * @param version the version that is read next, from its first file on
 */
record DeltaStreamOffset(long version) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static DeltaStreamOffset parse(String offset) {
    try {
      JsonNode node = JSON.readTree(offset);
      JsonNode version = node.get("reservoirVersion");
      if (version == null || !version.isIntegralNumber()) {
        throw new UnsafeEnvironmentException(
            "Cannot read the checkpoint's offset " + offset + ": it has no reservoirVersion.");
      }
      return new DeltaStreamOffset(version.asLong());
    } catch (JsonProcessingException e) {
      throw new UnsafeEnvironmentException("Cannot read the checkpoint's offset " + offset, e);
    }
  }

  /** Versions are read whole, so the one before is the last that was read. */
  long versionRead() {
    return version - 1;
  }
}
