package io.tidemark.delta;

import java.util.Map;
import java.util.TreeMap;

/** What the contract needs of Delta. */
final class DeltaSession {

  private DeltaSession() {}

  static Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(DeltaSettings.forSession());
    settings.putAll(DeltaSettings.forLaptop());
    return settings;
  }
}
