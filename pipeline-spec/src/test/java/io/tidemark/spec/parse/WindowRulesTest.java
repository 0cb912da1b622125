package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.WindowSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowRulesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}               | window: has no kind. Add tumbling: 1m, or hopping: {size: 10m, slide: 1m}.",
        "{session: {gap: 30m}} | window.session: is not supported yet (windows that end after a gap). Remove it.",
        "{tumbling: 1m, hopping: {size: 2m, slide: 1m}} | window: is both tumbling and hopping. Keep one of the two.",
        "{tumbling: 0m}   | window.tumbling: must be longer than 0. Write for example 1m.",
        "{hopping: {size: 5m, slide: 6m}} | window.hopping.slide: '6m' is longer than the size 5m: events between two windows would be in none. Make the slide at most the size.",
        "{hopping: {size: 5m}} | window.hopping.slide: is missing. Add slide: 1m.",
        "{tumblin: 1m}    | window.tumblin: is not a known key. Did you mean tumbling?",
        "1m               | window: must be a mapping, but is the single value '1m'. Write it as name: value.",
      })
  void aWindowThatCannotWorkIsRefused(String window, String problem) {
    assertThat(PipelineText.good().with("window", window).problems()).containsExactly(problem);
  }

  @Test
  void aHoppingWindowMayHaveAnOddSize() {
    assertThat(PipelineText.good().with("window", "{hopping: {size: 10m, slide: 3m}}").spec())
        .extracting(spec -> spec.window())
        .isEqualTo(new WindowSpec.Hopping(Duration.ofMinutes(10), Duration.ofMinutes(3)));
  }

  @Test
  void manyWindowsPerEventAreWarnedOf() {
    assertThat(PipelineText.good().with("window", "{hopping: {size: 24m, slide: 1m}}").warnings())
        .isEmpty();
    assertThat(PipelineText.good().with("window", "{hopping: {size: 1d, slide: 7m}}").warnings())
        .containsExactly(
            "window.hopping.slide: puts each event into 206 windows. State, merges and tables grow"
                + " with that number; a longer slide makes it smaller.");
  }

  @Test
  void rollUpsNeedATumblingWindowThatDividesThem() {
    assertThat(rollUps("{tumbling: 1h}", "[hour, day]")).isEmpty();
    assertThat(rollUps("{tumbling: 2h}", "[day]")).isEmpty();
    assertThat(rollUps("{tumbling: 90m}", "[hour, day, day]"))
        .containsExactly(
            "roll-ups[0]: 'hour' is not a multiple of the window's 90m. Remove the roll-up, or"
                + " choose a window that divides it.",
            "roll-ups[2]: is given twice. Remove one.");
    assertThat(rollUps("{hopping: {size: 2m, slide: 1m}}", "[hour]"))
        .containsExactly(
            "roll-ups[0]: 'hour' needs a tumbling window: with hopping ones events would count"
                + " several times. Remove the roll-up, or make the window tumbling.");
  }

  private static List<String> rollUps(String window, String rollUps) {
    return PipelineText.good().with("window", window).with("roll-ups", rollUps).problems();
  }
}
