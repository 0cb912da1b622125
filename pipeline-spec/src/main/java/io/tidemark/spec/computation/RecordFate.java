package io.tidemark.spec.computation;

/** What became of an archived record of one row. The first that applies, in this order. */
public enum RecordFate {
  /** It has a {@link RecordProblem}. */
  REJECTED("rejected"),
  /** The pipeline's filter is not true for it. */
  FILTERED("filtered"),
  /** Another record of the same event is counted. */
  COPY("copy"),
  /** A rebuild has counted it, whether a stream had read it or not. */
  BUILT("built"),
  /** It was imported, and no record of the event was ingested: the stream skips it. */
  IMPORTED("imported"),
  /** The stream had closed the window when the event was first ingested. */
  LEFT_OUT("left-out"),
  /** The stream has not read it yet. */
  WAITING("waiting"),
  COUNTED("counted");

  private final String label;

  RecordFate(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  /** The fate of a label. */
  public static RecordFate of(String label) {
    for (RecordFate fate : values()) {
      if (fate.label.equals(label)) {
        return fate;
      }
    }
    throw new IllegalArgumentException("unknown fate " + label);
  }
}
