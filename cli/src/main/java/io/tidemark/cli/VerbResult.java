package io.tidemark.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What came of a command.
 *
 * @param text for people
 * @param data the same for programs; values are text, numbers, instants, lists and maps
 */
public record VerbResult(int exitCode, String text, Map<String, Object> data) {

  public VerbResult {
    data = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(data));
  }

  public static VerbResult done(String text, Map<String, Object> data) {
    return new VerbResult(ExitCode.DONE, text, data);
  }
}
