package io.tidemark.reconcile;

/** How a recounted row stands to what the table shows. */
public enum RowKind {
  AGREE("agree"),
  /** The table has another value. */
  CORRECTED("corrected"),
  /** The table has no such row. */
  MISSING("missing"),
  /** The table has the row, the recount has not. */
  PHANTOM("phantom");

  private final String label;

  RowKind(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
