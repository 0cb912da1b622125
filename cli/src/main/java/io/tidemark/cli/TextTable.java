package io.tidemark.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of text in aligned columns: numbers to the right, all else to the left. */
public final class TextTable {

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... header) {
    rows.add(List.of(header));
  }

  public TextTable row(Object... cells) {
    rows.add(java.util.Arrays.stream(cells).map(String::valueOf).toList());
    return this;
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths =
        IntStream.range(0, columns)
            .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    boolean[] numeric = new boolean[columns];
    for (int i = 0; i < columns; i++) {
      int column = i;
      numeric[i] =
          rows.stream().skip(1).allMatch(row -> row.get(column).matches("[-+]?[0-9.,%]*|-"));
    }
    return rows.stream()
        .map(
            row ->
                IntStream.range(0, columns)
                    .mapToObj(i -> padded(row.get(i), widths[i], numeric[i]))
                    .collect(Collectors.joining("  "))
                    .stripTrailing())
        .collect(Collectors.joining("\n"));
  }

  private static String padded(String cell, int width, boolean right) {
    String padding = " ".repeat(width - cell.length());
    return right ? padding + cell : cell + padding;
  }
}
