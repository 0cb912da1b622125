package io.tidemark.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.TimeColumn.TimeFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that refuse to be wrong. */
class SpecRecordsTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "1st", "ad id", "a`b", "größe", "a-b"})
  void aColumnNameThatWouldNeedMoreThanBackticksIsRefused(String name) {
    assertThatThrownBy(() -> new ColumnName(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column name '%s' is not a letter or _ followed by letters, digits or _", name);
  }

  @Test
  void aColumnNameQuotesItself() {
    assertThat(new ColumnName("_select").quoted()).isEqualTo("`_select`");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Clicks",
        "ad-clicks",
        "../clicks",
        "a123456789012345678901234567890123456789012345678901234567890123"
      })
  void aPipelineNameThatIsNoFolderAndViewIsRefused(String name) {
    assertThatThrownBy(() -> new PipelineName(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "pipeline name '%s' is not a lower-case letter followed by at most 62 of a-z, 0-9 and"
                + " _",
            name);
  }

  @Test
  void theWatermarkLagsByBoundAndLateness() {
    assertThat(new Watermark(Duration.ofSeconds(10), Duration.ofSeconds(60)).delay())
        .isEqualTo(Duration.ofSeconds(70));
  }

  @Test
  void aWatermarkOfAnotherDelayKeepsTheBoundAsFarAsItGoes() {
    Watermark watermark = new Watermark(Duration.ofSeconds(10), Duration.ofSeconds(60));

    assertThat(watermark.withDelay(Duration.ofSeconds(30)))
        .isEqualTo(new Watermark(Duration.ofSeconds(10), Duration.ofSeconds(20)));
    assertThat(watermark.withDelay(Duration.ofSeconds(5)))
        .isEqualTo(new Watermark(Duration.ofSeconds(5), Duration.ZERO));
  }

  @Test
  void negativeWaitsAreRefused() {
    assertThatThrownBy(() -> new Watermark(Duration.ofSeconds(-1), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("watermark bound is negative: PT-1S");
    assertThatThrownBy(() -> new Watermark(Duration.ZERO, Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("allowed-lateness is negative: PT-1S");
  }

  @Test
  void limitsThatAdmitNoEventAreRefused() {
    assertThatThrownBy(() -> event(Duration.ofSeconds(-1), Duration.ofDays(30)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max-future-skew is negative: PT-1S");
    assertThatThrownBy(() -> event(Duration.ZERO, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max-age is not positive: PT0S");
  }

  private static EventSpec event(Duration maxFutureSkew, Duration maxAge) {
    return new EventSpec(
        new StructType(),
        List.of(),
        new TimeColumn(new ColumnName("at"), new TimeFormat.Timestamp()),
        Optional.empty(),
        Optional.empty(),
        maxFutureSkew,
        maxAge);
  }

  @Test
  void aBlankSourcePathIsRefused() {
    assertThatThrownBy(
            () ->
                new Source.Files(
                    " ",
                    Optional.empty(),
                    FileFormat.JSON,
                    Map.of(),
                    OptionalInt.empty(),
                    Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("source path is blank");
  }
}
