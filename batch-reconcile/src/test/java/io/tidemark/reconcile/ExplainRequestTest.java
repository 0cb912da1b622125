package io.tidemark.reconcile;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.parse.PipelineParser;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplainRequestTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Map<String, Optional<String>> KEY =
      Map.of("ad_id", Optional.of("a"), "user_id", Optional.empty());

  private static final PipelineSpec SPEC =
      spec("{hopping: {size: 10m, slide: 4m}}", "[ad_id, user_id]");

  private static PipelineSpec spec(String window, String keys) {
    return PipelineParser.parse(
            "clicks.yaml",
            """
            pipeline: ad_clicks
            source: {kind: files, path: /data/clicks, format: json}
            event:
              schema: click_id STRING, ad_id STRING, user_id STRING, clicked_at TIMESTAMP
              id: click_id
              time: clicked_at
              arrival: clicked_at
            window: %s
            keys: %s
            watermark: {bound: 10s, allowed-lateness: 60s}
            """
                .formatted(window, keys))
        .spec();
  }

  @Test
  void aWindowStartAndAValueForEachKeyNameARow() {
    assertThatCode(() -> new ExplainRequest(NOON, KEY, 50).requireRowOf(SPEC))
        .doesNotThrowAnyException();
    assertThatCode(
            () -> new ExplainRequest(NOON, Map.of(), 50).requireRowOf(spec("{tumbling: 1m}", "[]")))
        .doesNotThrowAnyException();
  }

  @Test
  void aTimeWithinAWindowIsRefusedWithTheStartsAroundIt() {
    refused(
        new ExplainRequest(NOON.plusMillis(1), KEY, 50),
        "No window of pipeline ad_clicks starts at 2026-03-01T12:00:00.001Z: one starts every 4m,"
            + " at 2026-03-01T12:00:00Z and 2026-03-01T12:04:00Z. Give one of them as --window.");
    refused(
        new ExplainRequest(NOON.plusNanos(1), KEY, 50),
        "No window of pipeline ad_clicks starts at 2026-03-01T12:00:00.000000001Z: one starts every"
            + " 4m, at 2026-03-01T12:00:00Z and 2026-03-01T12:04:00Z. Give one of them as --window.");
  }

  @Test
  void anUnknownKeyIsRefusedWithTheNearestOne() {
    refused(
        new ExplainRequest(NOON, Map.of("ad_ib", Optional.of("a")), 50),
        "Cannot explain key ad_ib: pipeline ad_clicks has no such key. Did you mean ad_id?");
    refused(
        new ExplainRequest(NOON, Map.of("country", Optional.of("a")), 50),
        "Cannot explain key country: pipeline ad_clicks has no such key."
            + " Its keys are: ad_id, user_id.");
  }

  @Test
  void aKeyThatIsNotGivenIsAskedFor() {
    refused(
        new ExplainRequest(NOON, Map.of("ad_id", Optional.of("a")), 50),
        "A row of pipeline ad_clicks has a value for each of its keys; not given: user_id. Give"
            + " --key user_id=VALUE (--key user_id= is the empty text), or --key-null user_id.");
  }

  private static void refused(ExplainRequest request, String message) {
    assertThatThrownBy(() -> request.requireRowOf(SPEC))
        .isInstanceOf(SpecException.class)
        .hasMessage(message);
  }
}
