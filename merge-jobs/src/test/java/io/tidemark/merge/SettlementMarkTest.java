package io.tidemark.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.Percentage;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettlementMarkTest {

  private static final SettlementMark FULL =
      new SettlementMark(
          3,
          "attempt-1",
          12,
          Optional.of(Instant.parse("2026-03-02T00:03:00.500Z")),
          Instant.parse("2026-03-02T00:00:00Z"),
          Optional.of("the shop's \"end\""),
          Map.of("missing", 2L, "agreed", 40L, "corrected", 1L),
          Optional.empty(),
          AuditResult.CLEAN);
  private static final SettlementMark BARE =
      new SettlementMark(
          1,
          "attempt-2",
          0,
          Optional.empty(),
          Instant.parse("2026-03-02T00:00:00Z"),
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          AuditResult.CLEAN);
  private static final SettlementMark UNDOING =
      new SettlementMark(
          4,
          "attempt-3",
          -1,
          Optional.empty(),
          SettlementMark.NOTHING_SETTLED,
          Optional.of("wrong input"),
          Map.of("agreed", -40L),
          Optional.of(new SettlementMark.Undone(3, 0)),
          AuditResult.CLEAN);
  private static final SettlementMark ACCEPTED =
      new SettlementMark(
          2,
          "attempt-3",
          5,
          Optional.empty(),
          Instant.parse("2026-03-02T00:00:00Z"),
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          new AuditResult(
              List.of(
                  new Breach(
                      "max-corrected-share",
                      new Percentage(new BigDecimal("2.50")),
                      0.125,
                      "3 of 24 rows")),
              Optional.of("a late file")));

  @Test
  void aMarkIsOneLineOfJsonAlwaysInTheSameOrder() {
    assertThat(FULL.toJson())
        .isEqualTo(
            "{\"settlement\":3,\"attempt\":\"attempt-1\",\"archive_version\":12,"
                + "\"frontier\":\"2026-03-02T00:03:00.500Z\","
                + "\"settled_through\":\"2026-03-02T00:00:00Z\","
                + "\"close_reason\":\"the shop's \\\"end\\\"\","
                + "\"counts\":{\"agreed\":40,\"corrected\":1,\"missing\":2}}");
    assertThat(BARE.toJson())
        .isEqualTo(
            "{\"settlement\":1,\"attempt\":\"attempt-2\",\"archive_version\":0,"
                + "\"settled_through\":\"2026-03-02T00:00:00Z\",\"counts\":{}}");
  }

  @Test
  void aMarkNamesTheLimitsThatWereBroken() {
    assertThat(ACCEPTED.toJson())
        .isEqualTo(
            "{\"settlement\":2,\"attempt\":\"attempt-3\",\"archive_version\":5,"
                + "\"settled_through\":\"2026-03-02T00:00:00Z\",\"counts\":{},"
                + "\"audit\":[{\"rule\":\"max-corrected-share\",\"limit\":\"2.5%\","
                + "\"measured\":0.125,\"evidence\":\"3 of 24 rows\"}],"
                + "\"accepted_breach\":\"a late file\"}");
  }

  @Test
  void aMarkIsReadBackAsItWas() {
    assertThat(SettlementMark.parse(ACCEPTED.toJson())).isEqualTo(ACCEPTED);
    assertThat(SettlementMark.parse(FULL.toJson())).isEqualTo(FULL);
    assertThat(SettlementMark.parse(BARE.toJson())).isEqualTo(BARE);
  }

  @Test
  void aFieldOfALaterReleaseIsLeftAside() {
    assertThat(
            SettlementMark.parse(
                BARE.toJson().replace("{\"settlement\"", "{\"x\":{},\"settlement\"")))
        .isEqualTo(BARE);
  }

  @Test
  void aCountThatIsNotThereIsZero() {
    assertThat(FULL.count("corrected")).isEqualTo(1);
    assertThat(FULL.count("phantom")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "null",
        "[]",
        "no json",
        "{\"settlement\":0,\"attempt\":\"a\",\"archive_version\":1,\"settled_through\":\"2026-03-02T00:00:00Z\"}",
        "{\"settlement\":1,\"archive_version\":1,\"settled_through\":\"2026-03-02T00:00:00Z\"}",
        "{\"settlement\":1,\"attempt\":\"a\",\"archive_version\":1,\"settled_through\":\"yesterday\"}",
        "{\"settlement\":1,\"attempt\":\"a\",\"archive_version\":1,\"frontier\":\"soon\",\"settled_through\":\"2026-03-02T00:00:00Z\"}",
      })
  void whatIsNoMarkIsRefused(String json) {
    assertThatThrownBy(() -> SettlementMark.parse(json))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessage(
            "Cannot read the settlement's commit '"
                + json
                + "': it is not as this release writes it. Was the table written by another tool?");
  }

  @Test
  void anUndoingSaysWhatItUndoesAndWhatStandsThen() {
    assertThat(UNDOING.toJson())
        .isEqualTo(
            "{\"settlement\":4,\"attempt\":\"attempt-3\",\"archive_version\":-1,"
                + "\"settled_through\":\"0001-01-01T00:00:00Z\",\"close_reason\":\"wrong input\","
                + "\"undoes\":3,\"in_force\":0,\"counts\":{\"agreed\":-40}}");
    assertThat(SettlementMark.parse(UNDOING.toJson())).isEqualTo(UNDOING);
    assertThat(UNDOING.inForce()).isZero();
    assertThat(FULL.inForce()).isEqualTo(3);
  }

  @Test
  void settlementsCountFromOne() {
    assertThatThrownBy(
            () ->
                new SettlementMark(
                    0,
                    "a",
                    1,
                    Optional.empty(),
                    Instant.EPOCH,
                    Optional.empty(),
                    Map.of(),
                    Optional.empty(),
                    AuditResult.CLEAN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("settlement is below 1: 0");
  }
}
