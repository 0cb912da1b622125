package io.tidemark.spec.parse;

import io.tidemark.spec.WindowSpec;
import io.tidemark.spec.time.SpecDuration;
import java.time.Duration;
import java.util.Optional;

/** Reads the section {@code window}. */
final class WindowReader {

  /** From here on each event costs so many rows that the user should know. */
  static final int MANY_WINDOWS_PER_EVENT = 24;

  private static final String EXAMPLE = "tumbling: 1m, or hopping: {size: 10m, slide: 1m}";

  private WindowReader() {}

  static Optional<WindowSpec> read(YamlValue value) {
    return value.section(KnownKeys.WINDOW).flatMap(WindowReader::window);
  }

  private static Optional<WindowSpec> window(Section window) {
    Optional<YamlValue> tumbling = window.optional("tumbling");
    Optional<YamlValue> hopping = window.optional("hopping");
    if (tumbling.isPresent() && hopping.isPresent()) {
      window.refuse("is both tumbling and hopping", "Keep one of the two.");
      return Optional.empty();
    }
    if (tumbling.isPresent()) {
      return tumbling.flatMap(YamlValue::positiveDuration).map(WindowSpec.Tumbling::new);
    }
    if (hopping.isPresent()) {
      return hopping.flatMap(value -> hopping(value));
    }
    if (!window.hasUnknownKeys()) {
      window.refuse("has no kind", "Add " + EXAMPLE + ".");
    }
    return Optional.empty();
  }

  private static Optional<WindowSpec> hopping(YamlValue value) {
    Optional<Section> hopping = value.section(KnownKeys.HOPPING);
    Optional<Duration> size =
        hopping.flatMap(s -> s.required("size", "size: 10m")).flatMap(YamlValue::positiveDuration);
    Optional<YamlValue> slideValue = hopping.flatMap(s -> s.required("slide", "slide: 1m"));
    Optional<Duration> slide = slideValue.flatMap(YamlValue::positiveDuration);
    if (size.isEmpty() || slide.isEmpty() || slideValue.isEmpty()) {
      return Optional.empty();
    }
    if (slide.get().compareTo(size.get()) > 0) {
      slideValue
          .get()
          .refuse(
              "'"
                  + SpecDuration.format(slide.get())
                  + "' is longer than the size "
                  + SpecDuration.format(size.get())
                  + ": events between two windows would be in none",
              "Make the slide at most the size.");
      return Optional.empty();
    }
    WindowSpec window = new WindowSpec.Hopping(size.get(), slide.get());
    if (window.windowsPerEvent() > MANY_WINDOWS_PER_EVENT) {
      slideValue
          .get()
          .warn(
              "puts each event into " + window.windowsPerEvent() + " windows",
              "State, merges and tables grow with that number; a longer slide makes it smaller.");
    }
    return Optional.of(window);
  }
}
