package io.tidemark.spec.parse;

import io.tidemark.spec.RollUp;
import io.tidemark.spec.WindowSpec;
import io.tidemark.spec.time.SpecDuration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the list {@code roll-ups}. */
final class RollUpsReader {

  private RollUpsReader() {}

  /**
   * @param window what is rolled up, if it is known
   */
  static List<RollUp> read(YamlValue value, Optional<WindowSpec> window) {
    List<RollUp> rollUps = new ArrayList<>();
    for (YamlValue item : value.items().orElse(List.of())) {
      item.oneOf(Map.of("hour", RollUp.HOUR, "day", RollUp.DAY), List.of())
          .ifPresent(
              rollUp -> {
                if (rollUps.contains(rollUp)) {
                  item.refuse("is given twice", "Remove one.");
                }
                rollUps.add(rollUp);
                window.ifPresent(w -> checkFits(item, rollUp, w));
              });
    }
    return rollUps;
  }

  private static void checkFits(YamlValue item, RollUp rollUp, WindowSpec window) {
    String unit = rollUp.name().toLowerCase(Locale.ROOT);
    if (window instanceof WindowSpec.Hopping) {
      item.refuse(
          "'"
              + unit
              + "' needs a tumbling window: with hopping ones events would count several times",
          "Remove the roll-up, or make the window tumbling.");
    } else if (rollUp.length().toMillis() % window.size().toMillis() != 0) {
      item.refuse(
          "'" + unit + "' is not a multiple of the window's " + SpecDuration.format(window.size()),
          "Remove the roll-up, or choose a window that divides it.");
    }
  }
}
