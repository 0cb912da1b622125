package io.tidemark.spec.error;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name a user probably meant. */
public final class NearestName {

  private NearestName() {}

  /**
   * The candidate with the smallest edit distance to the name, case aside; the first of several.
   * Empty if more than a third of the name (but at least one letter) would have to change.
   */
  public static Optional<String> of(String name, Collection<String> candidates) {
    int best = Math.max(1, name.length() / 3) + 1;
    Optional<String> nearest = Optional.empty();
    for (String candidate : candidates) {
      int distance = distance(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (distance < best) {
        best = distance;
        nearest = Optional.of(candidate);
      }
    }
    return nearest;
  }

  /** "Did you mean x?", or all the candidates where none is near. */
  public static String remedy(String name, String candidatesAre, Collection<String> candidates) {
    return of(name, candidates)
        .map(nearest -> "Did you mean " + nearest + "?")
        .orElseGet(() -> candidatesAre + ": " + String.join(", ", candidates) + ".");
  }

  /** Levenshtein's distance, where swapping two neighbouring letters also counts one. */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int substitution = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(d[i - 1][j - 1] + substitution, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
