package io.tidemark.tests.oracle;

/** Which watermark a batch tests lateness by. */
public enum LatenessRule {
  /**
   * That of all earlier batches: an empty batch ran in between, as it does when no data waits and
   * the batches without data are on.
   */
  BY_ALL_EARLIER_BATCHES,
  /**
   * That of all batches but the last: Spark tests by the watermark that the batch before this one
   * ran with, and no empty batch ran in between.
   */
  ONE_BATCH_BEHIND
}
