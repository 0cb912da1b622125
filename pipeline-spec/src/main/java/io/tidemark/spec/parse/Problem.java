package io.tidemark.spec.parse;

/**
 * Something in a pipeline file that is wrong or, as a warning, surprising.
 *
 * @param line of the file, from 1
 * @param path of the value, e.g. {@code window.hopping.slide}; empty for the file as a whole
 * @param what what is wrong with the value, without a full stop
 * @param remedy what to do, one or more sentences
 */
public record Problem(String file, int line, String path, String what, String remedy) {

  /** One line: {@code clicks.yaml:12: window.tumbling: is missing. Add it.} */
  @Override
  public String toString() {
    String where = path.isEmpty() ? "" : path + ": ";
    return file + ":" + line + ": " + where + what + ". " + remedy;
  }
}
