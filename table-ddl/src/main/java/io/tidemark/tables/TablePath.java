package io.tidemark.tables;

/** Where a table lies; the path is the truth, so that a laptop needs no catalogue. */
public record TablePath(String value) {

  public TablePath {
    if (value.isBlank() || value.contains("`")) {
      throw new IllegalArgumentException(
          "table path '" + value + "' is blank or holds a backtick: choose another warehouse path");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
