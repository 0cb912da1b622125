package io.tidemark.spec.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.fingerprint.Fingerprint.Difference;
import io.tidemark.spec.parse.PipelineText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintsTest {

  private static final PipelineText BEFORE =
      PipelineText.good()
          .with("filter", "ad_id   IS NOT NULL")
          .with("derive", "{cents: cost * 100}")
          .with("keys", "[ad_id]")
          .with("measures", "{clicks: count, total: sum(cents)}");

  @Test
  void theCanonicalTextIsStable() {
    Fingerprint generation = Fingerprints.generation(BEFORE.spec());

    assertThat(generation.canonicalText())
        .isEqualTo(
            """
            fingerprint: 1
            source.kind: files
            source.path: "/data/clicks"
            source.glob: none
            source.format: json
            source.options: {}
            event.schema: [click_id string, ad_id string, clicked_at timestamp, sent_at timestamp, cost bigint]
            event.id: [click_id]
            event.time: clicked_at timestamp
            event.source-timestamp: none
            event.arrival: sent_at timestamp
            event.max-future-skew: 5m
            event.max-age: 30d
            identical-lines: none
            filter: "ad_id IS NOT NULL"
            derive: {cents="cost * 100" bigint}
            window: tumbling 1m
            keys: [ad_id]
            measures: [clicks=count, total=sum("cents" bigint)]
            watermark.bound: 10s
            watermark.allowed-lateness: 1m
            emit: on-update
            duplicates: drop
            tables.partition: day
            """);
    assertThat(generation.sha256())
        .isEqualTo("303bc5fc1d1f0137d5ea70aaa512b1f7ef1b0a86ce8968c267ceed336e7781f2");
  }

  @Test
  void ofATopicBrokersAndRateLimitsHaveNoPart() {
    PipelineText before =
        PipelineText.good()
            .with("source", "{kind: kafka, bootstrap-servers: 'a:1', topic: t, format: json}")
            .with("event", "{schema: 'id STRING, at TIMESTAMP', id: id, time: at}");
    assertThat(Fingerprints.archive(before.spec()).canonicalText())
        .isEqualTo(
            """
            fingerprint: 1
            source.kind: kafka
            source.topic: "t"
            source.format: json
            source.options: {}
            source.avro-schema: none
            source.columns: {}
            source.isolation: read-committed
            event.schema: [id string, at timestamp]
            event.id: [id]
            event.time: at timestamp
            event.source-timestamp: none
            event.arrival: none
            event.max-future-skew: 5m
            event.max-age: 30d
            identical-lines: none
            """);
    PipelineText moved =
        before.with(
            "source",
            "{kind: kafka, bootstrap-servers: 'b:2', topic: t, format: json,"
                + " max-offsets-per-trigger: 9, longest-pause: 1d, start: latest}");
    assertThat(Fingerprints.archive(moved.spec())).isEqualTo(Fingerprints.archive(before.spec()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topic: u, format: json                                    | source.topic",
        "topic: t, format: json, isolation: read-uncommitted       | source.isolation",
        "topic: t, format: json, columns: {id: key}                | source.columns",
        "topic: t, format: json, columns: {id: header(x)}          | source.columns",
        "topic: t, format: json, options: {allowComments: true}    | source.options",
      })
  void aChangedTopicIsAnotherArchive(String keys, String part) {
    String source = "{kind: kafka, bootstrap-servers: 'a:1', %s}";
    PipelineText before =
        PipelineText.good()
            .with("source", source.formatted("topic: t, format: json"))
            .with("event", "{schema: 'id STRING, at TIMESTAMP', id: id, time: at}");
    PipelineText after = before.with("source", source.formatted(keys));
    assertThat(
            Fingerprints.archive(after.spec()).differencesFrom(Fingerprints.archive(before.spec())))
        .extracting(Difference::part)
        .containsExactly(part);
  }

  @Test
  void aGenerationIsOfOneArchive() {
    assertThat(Fingerprints.generation(BEFORE.spec()).canonicalText())
        .startsWith(Fingerprints.archive(BEFORE.spec()).canonicalText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "filter     | ad_id IS NULL                              | filter",
        "filter     | ad_id = 'a  b'                             | filter",
        "derive     | {cents: cost * 10}                         | derive",
        "window     | {tumbling: 2m}                             | window",
        "window     | {hopping: {size: 1m, slide: 30s}}          | window",
        "keys       | []                                         | keys",
        "measures   | {clicks: count}                            | measures",
        "measures   | {total: sum(cents), clicks: count}         | measures",
        "measures   | {clicks: count, total: max(cents)}         | measures",
        "watermark  | {bound: 11s, allowed-lateness: 60s}        | watermark.bound",
        "watermark  | {bound: 10s}                               | watermark.allowed-lateness",
        "emit       | on-close                                   | emit",
        "tables     | {partition: hour}                          | tables.partition",
      })
  void aChangedCalculationIsAnotherGenerationOfTheSameArchive(
      String key, String value, String part) {
    assertThat(differences(BEFORE.with(key, value))).containsExactly(part);
    assertThat(Fingerprints.archive(BEFORE.with(key, value).spec()))
        .isEqualTo(Fingerprints.archive(BEFORE.spec()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "source | {kind: files, path: /data/click, format: json}               | source.path",
        "source | {kind: files, path: /data/clicks, format: json, glob: '*.x'} | source.glob",
        "source | {kind: files, path: /data/clicks, format: parquet}           | source.format",
        "source | {kind: files, path: /data/clicks, format: json, options: {allowComments: true}}"
            + " | source.options",
        "identical-lines | one                                                 | identical-lines",
      })
  void aChangedSourceIsAnotherArchive(String key, String value, String part) {
    assertThat(differences(BEFORE.with(key, value))).containsExactly(part);
    assertThat(Fingerprints.archive(BEFORE.with(key, value).spec()))
        .isNotEqualTo(Fingerprints.archive(BEFORE.spec()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id: a, time: b                        | event.time",
        "id: b, time: a                        | event.id",
        "id: [a, b], time: a                   | event.id",
        "id: a, time: a, arrival: b            | event.arrival",
        "id: a, time: a, source-timestamp: b   | event.source-timestamp",
        "id: a, time: a, max-future-skew: 6m   | event.max-future-skew",
        "id: a, time: a, max-age: 31d          | event.max-age",
      })
  void aChangedEventIsAnotherArchive(String keys, String part) {
    String event = "{schema: 'a TIMESTAMP, b TIMESTAMP', %s}";
    PipelineText before =
        BEFORE
            .without("filter")
            .without("derive")
            .without("keys")
            .with("measures", "{}")
            .with("event", event.formatted("id: a, time: a"));
    PipelineText after = before.with("event", event.formatted(keys));
    assertThat(
            Fingerprints.archive(after.spec()).differencesFrom(Fingerprints.archive(before.spec())))
        .extracting(Difference::part)
        .containsExactly(part);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a TIMESTAMP, b INT", "b BIGINT, a TIMESTAMP", "a TIMESTAMP"})
  void aChangedSchemaIsAnotherArchive(String schema) {
    String event = "{schema: '%s', id: a, time: a}";
    PipelineText before =
        PipelineText.good().with("event", event.formatted("a TIMESTAMP, b BIGINT"));
    PipelineText after = before.with("event", event.formatted(schema));
    assertThat(
            Fingerprints.archive(after.spec()).differencesFrom(Fingerprints.archive(before.spec())))
        .extracting(Difference::part)
        .containsExactly("event.schema");
  }

  @Test
  void limitsRollUpsAndWordingChangeNothing() {
    PipelineText after =
        BEFORE
            .with(
                "source",
                "{format: json, path: '/data/clicks', kind: files, max-files-per-trigger: 3}")
            .with("filter", "\"ad_id IS\\n  NOT NULL\" # the same")
            .with("measures", "{clicks: count(*), total: 'sum( cents )'}")
            .with("settle", "{max-corrected-share: 5%, on-breach: warn}")
            .with("health", "{max-lag: 1m}")
            .with("roll-ups", "[hour]")
            .with("emit", "on-update")
            .with("watermark", "{allowed-lateness: 1m, bound: 10000ms}");
    assertThat(differences(after)).isEmpty();
  }

  @Test
  void aDifferenceOfListsIsToldByWhatIsNotInBoth() {
    assertThat(
            new Difference(
                    "measures",
                    "[clicks=count, cost=sum(\"greatest(a, \\\"b\\\")\" int), users=count]",
                    "[clicks=count, cost=sum(\"a\" int), more=max(\"a, b\" int)]")
                .inWords())
        .isEqualTo(
            "measures: was cost=sum(\"greatest(a, \\\"b\\\")\" int), users=count, is cost=sum(\"a\""
                + " int), more=max(\"a, b\" int); the others are the same");
    assertThat(new Difference("keys", "[a, b]", "[a, b, c]").inWords())
        .isEqualTo("keys: was nothing, is c; the others are the same");
    assertThat(new Difference("keys", "[a, b]", "[b, a]").inWords())
        .isEqualTo("keys: was [a, b], is [b, a]");
    assertThat(new Difference("keys", "[]", "[a]").inWords()).isEqualTo("keys: was [], is [a]");
    assertThat(new Difference("window", "tumbling 1m", "tumbling 5m").inWords())
        .isEqualTo("window: was tumbling 1m, is tumbling 5m");
  }

  @Test
  void aDifferenceShowsBothValues() {
    Fingerprint before = Fingerprints.generation(BEFORE.spec());
    Fingerprint after = Fingerprints.generation(BEFORE.with("measures", "{clicks: count}").spec());
    assertThat(after.differencesFrom(before))
        .containsExactly(
            new Difference(
                "measures", "[clicks=count, total=sum(\"cents\" bigint)]", "[clicks=count]"));
    assertThat(after.differencesFrom(new Fingerprint("fingerprint: 1\n")))
        .first()
        .isEqualTo(new Difference("source.kind", "", "files"));
  }

  @Property(tries = 20)
  void theOrderOfKeysHasNoEffect(@ForAll long seed) {
    List<Map.Entry<String, String>> lines = new ArrayList<>(BEFORE.lines().entrySet());
    Collections.shuffle(lines, new Random(seed));
    Map<String, String> shuffled = new LinkedHashMap<>();
    lines.forEach(line -> shuffled.put(line.getKey(), line.getValue()));
    assertThat(differences(new PipelineText(shuffled))).isEmpty();
  }

  private static List<String> differences(PipelineText after) {
    return Fingerprints.generation(after.spec())
        .differencesFrom(Fingerprints.generation(BEFORE.spec()))
        .stream()
        .map(Difference::part)
        .toList();
  }
}
