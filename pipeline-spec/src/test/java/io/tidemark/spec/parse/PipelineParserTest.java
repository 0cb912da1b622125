package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.DerivedColumn;
import io.tidemark.spec.Duplicates;
import io.tidemark.spec.Emit;
import io.tidemark.spec.EventSpec;
import io.tidemark.spec.FileFormat;
import io.tidemark.spec.Health;
import io.tidemark.spec.Key;
import io.tidemark.spec.Measure;
import io.tidemark.spec.Percentage;
import io.tidemark.spec.PipelineName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.RollUp;
import io.tidemark.spec.SettleLimits;
import io.tidemark.spec.SettleLimits.OnBreach;
import io.tidemark.spec.Source;
import io.tidemark.spec.TimeColumn;
import io.tidemark.spec.Watermark;
import io.tidemark.spec.WindowSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.time.PartitionUnit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class PipelineParserTest {

  @Test
  void readsEveryKey() throws IOException {
    assertThat(PipelineParser.parse("full.yaml", resource("full.yaml")))
        .isEqualTo(
            new ParsedPipeline(
                new PipelineSpec(
                    new PipelineName("ad_clicks"),
                    new Source.Files(
                        "/data/clicks",
                        Optional.of("*.csv"),
                        FileFormat.CSV,
                        Map.of("header", "true", "sep", ";"),
                        OptionalInt.of(100),
                        Optional.empty()),
                    new EventSpec(
                        StructType.fromDDL(
                            "click_id STRING, ad_id STRING, user_id STRING, clicked_at STRING,"
                                + " sent_at BIGINT, cost DECIMAL(10,2)"),
                        List.of(name("click_id"), name("ad_id")),
                        new TimeColumn(
                            name("clicked_at"),
                            new TimeColumn.TimeFormat.Pattern("yyyy-MM-dd HH:mm:ss")),
                        Optional.of(
                            new TimeColumn(
                                name("sent_at"), new TimeColumn.TimeFormat.EpochSeconds())),
                        Optional.of(
                            new TimeColumn(
                                name("sent_at"), new TimeColumn.TimeFormat.EpochMillis())),
                        Duration.ofMinutes(1),
                        Duration.ofDays(7)),
                    Optional.of("ad_id IS NOT NULL"),
                    List.of(
                        new DerivedColumn(
                            name("cents"), "cost * 100", DataTypes.createDecimalType(14, 2)),
                        new DerivedColumn(name("dear"), "cents > 500", DataTypes.BooleanType)),
                    new WindowSpec.Tumbling(Duration.ofMinutes(1)),
                    List.of(
                        new Key(name("ad_id"), DataTypes.StringType),
                        new Key(name("dear"), DataTypes.BooleanType)),
                    List.of(
                        new Measure.Count(name("clicks"), Optional.empty()),
                        new Measure.Count(name("users_known"), Optional.of("user_id")),
                        new Measure.Sum(name("total"), "cost", DataTypes.createDecimalType(10, 2)),
                        new Measure.Min(name("lowest"), "cost", DataTypes.createDecimalType(10, 2)),
                        new Measure.Max(name("last_sent"), "sent_at", DataTypes.LongType),
                        new Measure.Avg(
                            name("mean"), "round(cost, 1)", DataTypes.createDecimalType(10, 1)),
                        new Measure.ApproxDistinct(name("users"), "user_id", DataTypes.StringType)),
                    new Watermark(Duration.ofSeconds(10), Duration.ofMinutes(1)),
                    Emit.ON_CLOSE,
                    Duplicates.KEEP,
                    true,
                    PartitionUnit.HOUR,
                    Optional.of(
                        new SettleLimits(
                            Percentage.parse("5%"),
                            Percentage.parse("2.5%"),
                            Percentage.parse("150%"),
                            Percentage.parse("0%"),
                            Percentage.parse("1%"),
                            OnBreach.WARN)),
                    new Health(
                        Optional.of(Duration.ofMinutes(5)),
                        Optional.of(Duration.ofHours(1)),
                        Percentage.parse("2%")),
                    List.of(RollUp.HOUR, RollUp.DAY)),
                List.of(),
                resource("full.yaml")));
  }

  @Test
  void completesTheSpecWithDefaults() {
    PipelineSpec spec = PipelineText.good().with("watermark", "{bound: 0s}").spec();

    assertThat(spec.source())
        .isEqualTo(
            new Source.Files(
                "/data/clicks",
                Optional.empty(),
                FileFormat.JSON,
                Map.of(),
                OptionalInt.empty(),
                Optional.empty()));
    assertThat(spec.event().maxFutureSkew()).isEqualTo(Duration.ofMinutes(5));
    assertThat(spec.event().maxAge()).isEqualTo(Duration.ofDays(30));
    assertThat(spec.filter()).isEmpty();
    assertThat(spec.derive()).isEmpty();
    assertThat(spec.keys()).isEmpty();
    assertThat(spec.measures()).isEmpty();
    assertThat(spec.watermark()).isEqualTo(new Watermark(Duration.ZERO, Duration.ZERO));
    assertThat(spec.emit()).isEqualTo(Emit.ON_UPDATE);
    assertThat(spec.duplicates()).isEqualTo(Duplicates.DROP);
    assertThat(spec.identicalLinesOne()).isFalse();
    assertThat(spec.partition()).isEqualTo(PartitionUnit.DAY);
    assertThat(spec.settle()).isEmpty();
    assertThat(spec.health()).isEqualTo(Health.UNLIMITED);
    assertThat(spec.rollUps()).isEmpty();
  }

  @Test
  void reportsAllProblemsAtOnceInTheOrderOfTheFile() throws IOException {
    assertThatThrownBy(() -> PipelineParser.parse("broken.yaml", resource("broken.yaml")))
        .isInstanceOf(SpecException.class)
        .hasMessage(resource("broken.txt").strip());
  }

  @Test
  void namesEveryRequiredKey() {
    assertRefused(
        "{}",
        """
        Cannot use the pipeline file clicks.yaml: 5 problems.
        clicks.yaml:1: pipeline: is missing. Add pipeline: <name>.
        clicks.yaml:1: source: is missing. Add source: {kind: files, path: …, format: …}.
        clicks.yaml:1: event: is missing. Add event: {schema: …, time: …}.
        clicks.yaml:1: window: is missing. Add window: {tumbling: 1m}.
        clicks.yaml:1: watermark: is missing. Add watermark: {bound: 10s, allowed-lateness: 60s}.""");
  }

  @Test
  void aMissingSectionIsOneProblem() {
    for (String key : PipelineText.good().lines().keySet()) {
      assertThat(PipelineText.good().without(key).problems()).hasSize(1);
      assertThat(PipelineText.good().with(key, "").problems()).hasSize(1);
    }
  }

  @Test
  void anEmptyFileIsAProblem() {
    assertRefused(
        "# nothing yet\n",
        """
        Cannot use the pipeline file clicks.yaml: 1 problem.
        clicks.yaml:1: the file is empty. Describe a pipeline, from its name on.""");
  }

  @Test
  void whatIsNotYamlIsAProblemWithItsLine() {
    assertRefused(
        "pipeline: clicks\nsource: {kind: files\nevent: x\n",
        """
        Cannot use the pipeline file clicks.yaml: 1 problem.
        clicks.yaml:3: this is not YAML: expected ',' or '}', but got :. Mend the line.""");
  }

  @Test
  void twoDocumentsAreAProblem() {
    assertRefused(
        "pipeline: a\n---\npipeline: b\n",
        """
        Cannot use the pipeline file clicks.yaml: 1 problem.
        clicks.yaml:2: this is not YAML: but found another document. Mend the line.""");
  }

  @Test
  void aListIsNoPipeline() {
    assertRefused(
        "- pipeline: a\n",
        """
        Cannot use the pipeline file clicks.yaml: 1 problem.
        clicks.yaml:1: must be a mapping, but is a list. Write it as name: value.""");
  }

  private static void assertRefused(String yaml, String message) {
    assertThatThrownBy(() -> PipelineParser.parse("clicks.yaml", yaml))
        .isInstanceOf(SpecException.class)
        .hasMessage(message);
  }

  private static ColumnName name(String value) {
    return new ColumnName(value);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = PipelineParserTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
