package io.tidemark.spec.parse;

import io.tidemark.spec.error.SpecException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Collects what is wrong with one file, so that all of it can be reported at once. */
final class Problems {

  private final String file;
  private final List<Problem> errors = new ArrayList<>();
  private final List<Problem> warnings = new ArrayList<>();

  Problems(String file) {
    this.file = file;
  }

  void error(int line, String path, String what, String remedy) {
    errors.add(problem(line, path, what, remedy));
  }

  void warn(int line, String path, String what, String remedy) {
    warnings.add(problem(line, path, what, remedy));
  }

  /** Quoted values may span lines; a problem is one line. */
  private Problem problem(int line, String path, String what, String remedy) {
    return new Problem(file, line, path, oneLine(what), oneLine(remedy));
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }

  boolean hasErrors() {
    return !errors.isEmpty();
  }

  /** In the order of the file. */
  List<Problem> warnings() {
    return inOrder(warnings);
  }

  /** All errors, one a line, in the order of the file. */
  SpecException exception() {
    String count = errors.size() == 1 ? "1 problem" : errors.size() + " problems";
    return new SpecException(
        inOrder(errors).stream()
            .map(Problem::toString)
            .collect(
                Collectors.joining(
                    "\n", "Cannot use the pipeline file " + file + ": " + count + ".\n", "")));
  }

  private static List<Problem> inOrder(List<Problem> problems) {
    return problems.stream().sorted(Comparator.comparingInt(Problem::line)).toList();
  }
}
