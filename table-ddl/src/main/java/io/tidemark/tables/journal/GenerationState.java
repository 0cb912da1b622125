package io.tidemark.tables.journal;

import java.util.Locale;

/** What a generation is to its pipeline. */
public enum GenerationState {
  /** Its tables are being filled from the archive; no stream feeds it yet. */
  BUILDING,
  /** It is complete and fed beside the live one; readers do not see it. */
  CANDIDATE,
  /** Readers see it. */
  LIVE,
  /** It was live, and is still fed and settled, so that readers can go back to it at once. */
  KEPT,
  /** Given up: its tables are deleted, or about to be. */
  RETIRED;

  /** As tables and answers spell it, e.g. {@code live}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads {@link #label}.
   *
   * @throws IllegalArgumentException if it is none
   */
  static GenerationState parse(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** Whether streams feed it and settlements adopt into it. */
  public boolean isFed() {
    return this == CANDIDATE || this == LIVE || this == KEPT;
  }
}
