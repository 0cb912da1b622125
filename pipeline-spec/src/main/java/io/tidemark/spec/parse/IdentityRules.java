package io.tidemark.spec.parse;

import io.tidemark.spec.Duplicates;
import io.tidemark.spec.FileFormat;
import java.util.Locale;

/**
 * Whether events can be told apart. A line of a text file has no position of its own, only its path
 * and its content: two identical lines are one record, and the user has to agree to that where
 * nothing else identifies an event.
 */
final class IdentityRules {

  private final Section root;
  private final FileFormat format;

  IdentityRules(Section root, FileFormat format) {
    this.root = root;
    this.format = format;
  }

  void check(Duplicates duplicates, boolean identicalLinesOne) {
    if (!format.isText()) {
      if (identicalLinesOne) {
        root.warn(
            "identical-lines has no effect on " + formatName() + ", whose rows have a position",
            "Remove it.");
      }
      return;
    }
    if (root.has("identical-lines")) {
      return; // It says one, or its value has been refused.
    }
    String consequence =
        ": lines of "
            + formatName()
            + " files have no position, so identical lines of a file count once";
    if (duplicates == Duplicates.KEEP) {
      root.refuseKey(
          "duplicates",
          "'keep' cannot tell copies apart" + consequence,
          "Add identical-lines: one if that is right, or write duplicates: drop with event.id.");
    } else if (root.optional("event").filter(this::isWithoutId).isPresent()) {
      root.refuseKey(
          "event",
          "has no id" + consequence,
          "Name the columns that identify an event with event.id, or add identical-lines: one if"
              + " that is right.");
    }
  }

  private boolean isWithoutId(YamlValue event) {
    return event.isMapping() && event.mappingValue("id").isEmpty();
  }

  private String formatName() {
    return format.name().toLowerCase(Locale.ROOT);
  }
}
