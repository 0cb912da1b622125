package io.tidemark.spec.expression;

/** What Spark says about a wrong text, cut down to one line. */
public final class SparkMessage {

  private SparkMessage() {}

  /** The first line, without error class, SQL state and full stop. */
  public static String firstLine(Throwable error) {
    String message = String.valueOf(error.getMessage());
    String line =
        message.lines().filter(text -> !text.isBlank()).findFirst().orElse(error.toString());
    return line.replaceFirst("^\\[[A-Z0-9_.]+\\] ?", "")
        .replaceFirst("\\s*SQLSTATE: .*$", "")
        .strip()
        .replaceFirst("\\.$", "");
  }
}
