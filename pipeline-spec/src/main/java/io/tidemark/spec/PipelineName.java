package io.tidemark.spec;

import java.util.regex.Pattern;

/** A pipeline's name; it is also its folder in the warehouse and its view's name in SQL. */
public record PipelineName(String value) {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

  public PipelineName {
    if (!isValid(value)) {
      throw new IllegalArgumentException(
          "pipeline name '"
              + value
              + "' is not a lower-case letter followed by at most 62 of a-z, 0-9 and _");
    }
  }

  public static boolean isValid(String value) {
    return NAME.matcher(value).matches();
  }

  @Override
  public String toString() {
    return value;
  }
}
