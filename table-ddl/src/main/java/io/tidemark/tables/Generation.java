package io.tidemark.tables;

/**
 * One physical build of a pipeline's tables, from one fingerprint of its spec: g1, g2, …
 *
 * @param number from 1
 */
public record Generation(int number) {

  public static final Generation FIRST = new Generation(1);

  public Generation {
    if (number < 1) {
      throw new IllegalArgumentException("generation number is below 1: " + number);
    }
  }

  /**
   * Reads {@link #name}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Generation parse(String name) {
    if (!name.startsWith("g")) {
      throw new IllegalArgumentException("no generation: " + name);
    }
    return new Generation(Integer.parseInt(name.substring(1)));
  }

  /** Its folder, and its value in columns. */
  public String name() {
    return "g" + number;
  }

  @Override
  public String toString() {
    return name();
  }
}
