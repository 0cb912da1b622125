package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exit codes, answers and result files, of verbs that need no Spark session. */
class TidemarkTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GOOD =
      """
      pipeline: ad_clicks
      source: {kind: files, path: /data/clicks, format: json}
      event: {schema: 'click_id STRING, at TIMESTAMP', id: click_id, time: at, arrival: at}
      window: {tumbling: 1m}
      watermark: {bound: 10s, allowed-lateness: 60s}
      """;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = Files.writeString(directory.resolve("clicks.yaml"), GOOD);
  }

  @Test
  void aGoodFileIsValid() {
    TidemarkRun run = TidemarkRun.of("validate", file.toString());

    assertThat(run).isEqualTo(new TidemarkRun(0, file + " is a valid pipeline: ad_clicks.\n", ""));
  }

  @Test
  void aValidFileMaySurprise() throws Exception {
    Files.writeString(file, GOOD.replace(", arrival: at", ""));

    assertThat(TidemarkRun.of("validate", file.toString()))
        .isEqualTo(
            new TidemarkRun(
                0,
                "Warning: "
                    + file
                    + ":3: event: has no arrival: the file's modification time decides what is late, too"
                    + " old or in the future, and changes when a file is copied."
                    + " Name a column with arrival, if the records have one.\n"
                    + file
                    + " is a valid pipeline: ad_clicks.\n",
                ""));
  }

  @Test
  void everyProblemOfABadFileIsSaidAtOnce() throws Exception {
    Files.writeString(
        file, GOOD.replace("tumbling: 1m", "tumblin: 1m").replace("bound: 10s", "bound: 10"));

    assertThat(TidemarkRun.of("validate", file.toString()))
        .isEqualTo(
            new TidemarkRun(
                2,
                "",
                "Cannot use the pipeline file "
                    + file
                    + ": 2 problems.\n"
                    + file
                    + ":4: window.tumblin: is not a known key. Did you mean tumbling?\n"
                    + file
                    + ":5: watermark.bound: '10' is not a duration. Write a whole number and one of the"
                    + " units ms, s, m, h, d, e.g. 90s.\n"));
  }

  @Test
  void aFileThatIsNotThereIsWrongUse() {
    assertThat(TidemarkRun.of("validate", "nowhere.yaml"))
        .isEqualTo(
            new TidemarkRun(
                2,
                "",
                "Cannot read the pipeline file nowhere.yaml:"
                    + " java.nio.file.NoSuchFileException: nowhere.yaml. Mend the path.\n"));
  }

  @Test
  void anUnknownOptionVerbOrNoVerbIsWrongUse() {
    assertThat(TidemarkRun.of("validate", file.toString(), "--strict"))
        .satisfies(
            run -> {
              assertThat(run.exitCode()).isEqualTo(2);
              assertThat(run.out()).isEmpty();
              assertThat(run.err()).startsWith("Unknown option: '--strict'");
            });
    assertThat(TidemarkRun.of("validat", file.toString()).exitCode()).isEqualTo(2);
    assertThat(TidemarkRun.of().exitCode()).isEqualTo(2);
    assertThat(TidemarkRun.of("validate").exitCode()).isEqualTo(2);
  }

  @Test
  void aTimeThatIsNoneIsWrongUse() {
    TidemarkRun run = TidemarkRun.of("settle", file.toString(), "--through", "yesterday");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "Invalid value for option '--through': 'yesterday' is no time: write 2026-03-01 or"
                + " 2026-03-01T12:00:00Z");
  }

  @Test
  void aVerbOnTablesWantsToKnowTheWarehouse() {
    assertThat(TidemarkRun.of("init", file.toString(), "--warehouse", ""))
        .isEqualTo(
            new TidemarkRun(
                2,
                "",
                "It is not said where the tables lie: give --warehouse DIR or set"
                    + " TIDEMARK_WAREHOUSE.\n"));
  }

  @Test
  void statusWantsAFileOrAllAndNotBoth() {
    String refusal = "Give either a pipeline file or --all.\n";

    assertThat(TidemarkRun.of("status")).isEqualTo(new TidemarkRun(2, "", refusal));
    assertThat(TidemarkRun.of("status", file.toString(), "--all"))
        .isEqualTo(new TidemarkRun(2, "", refusal));
  }

  @Test
  void helpIsAnAnswer() {
    TidemarkRun run = TidemarkRun.of("settle", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("Usage: tidemark settle ").contains("Examples:");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void anAnswerAsJsonIsNothingElse() throws Exception {
    TidemarkRun run = TidemarkRun.of("validate", file.toString(), "--json");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(JSON.readTree(run.out()))
        .isEqualTo(JSON.readTree("{\"pipeline\":\"ad_clicks\",\"warnings\":[]}"));
  }

  @Test
  void theResultFileSaysWhatRanAndHowItEnded() throws Exception {
    Path result = directory.resolve("runs/validate.json");

    TidemarkRun.of("validate", file.toString(), "--result", result.toString());

    assertThat(JSON.readTree(withoutRun(Files.readString(result))))
        .isEqualTo(
            JSON.readTree(
                """
            {
              "verb" : "validate",
              "run_id" : "ID",
              "started_at" : "TIME",
              "ended_at" : "TIME",
              "exit_code" : 0,
              "pipeline" : "ad_clicks",
              "warnings" : [ ]
            }
            """));
  }

  @Test
  void aFailureIsInTheResultFileToo() throws Exception {
    Path result = directory.resolve("validate.json");

    TidemarkRun.of("validate", "nowhere.yaml", "--result", result.toString());

    assertThat(JSON.readTree(withoutRun(Files.readString(result))))
        .isEqualTo(
            JSON.readTree(
                """
            {
              "verb" : "validate",
              "run_id" : "ID",
              "started_at" : "TIME",
              "ended_at" : "TIME",
              "exit_code" : 2,
              "error" : "Cannot read the pipeline file nowhere.yaml: java.nio.file.NoSuchFileException: nowhere.yaml. Mend the path."
            }
            """));
  }

  private static String withoutRun(String json) {
    return json.replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
        .replaceAll("20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME");
  }

  @Test
  void aResultThatCannotBeWrittenIsRefusedBeforeTheWork() {
    TidemarkRun run =
        TidemarkRun.of("validate", file.toString(), "--result", file.resolve("result").toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("Cannot write the result file " + file.resolve("result") + ": ")
        .endsWith(". Mend --result.\n");
    assertThat(TidemarkRun.of("validate", file.toString(), "--result", directory.toString()))
        .isEqualTo(
            new TidemarkRun(
                2,
                "",
                "Cannot write the result file "
                    + directory
                    + ": it is a directory. Mend --result.\n"));
  }
}
