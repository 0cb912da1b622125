package io.tidemark.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.StreamingQueryProgress$;
import org.junit.jupiter.api.Test;

class BatchTallyTest {

  private static StreamingQueryProgress batch(long number, long records) {
    return StreamingQueryProgress$.MODULE$.fromJson(
        """
        {
          "id": "7f4c2c1e-0000-4000-8000-000000000001",
          "runId": "7f4c2c1e-0000-4000-8000-000000000002",
          "name": "aggregate-ad_clicks",
          "timestamp": "2026-03-01T10:00:00.000Z",
          "batchId": %d,
          "batchDuration": 10,
          "durationMs": {},
          "eventTime": {},
          "stateOperators": [],
          "sources": [{
            "description": "archive",
            "startOffset": "",
            "endOffset": "",
            "latestOffset": "",
            "numInputRows": %d,
            "inputRowsPerSecond": 0.0,
            "processedRowsPerSecond": 0.0,
            "metrics": {}
          }],
          "sink": {"description": "sink", "numOutputRows": -1, "metrics": {}},
          "observedMetrics": {}
        }"""
            .formatted(number, records));
  }

  private static BatchTally none() {
    return BatchTally.none("aggregate");
  }

  @Test
  void aJobThatHasNotRunHasReadNothing() {
    assertThat(none()).isEqualTo(new BatchTally("aggregate", 0, 0, -1));
    assertThat(none().with(new StreamingQueryProgress[0])).isEqualTo(none());
  }

  @Test
  void recordsOfAllBatchesAreAdded() {
    assertThat(none().with(new StreamingQueryProgress[] {batch(0, 5), batch(1, 7)}))
        .isEqualTo(new BatchTally("aggregate", 2, 12, 1));
  }

  @Test
  void aBatchThatIsReportedAgainCountsOnce() {
    BatchTally afterTwo = none().with(new StreamingQueryProgress[] {batch(0, 5), batch(1, 7)});

    assertThat(afterTwo.with(new StreamingQueryProgress[] {batch(0, 5), batch(1, 7), batch(2, 3)}))
        .isEqualTo(new BatchTally("aggregate", 3, 15, 2));
  }

  @Test
  void aBatchWithoutARecordIsNoBatch() {
    assertThat(none().with(new StreamingQueryProgress[] {batch(4, 5), batch(5, 0)}))
        .as("it only moves the watermark")
        .isEqualTo(new BatchTally("aggregate", 1, 5, 4));
  }

  @Test
  void aBatchCountsThatWasNamedBeforeItRan() {
    BatchTally waiting = none().with(new StreamingQueryProgress[] {batch(2, 0)});

    assertThat(waiting.with(new StreamingQueryProgress[] {batch(2, 0), batch(2, 3)}))
        .as("a query that waits for data reports under the number of its next batch")
        .isEqualTo(new BatchTally("aggregate", 1, 3, 2));
  }
}
