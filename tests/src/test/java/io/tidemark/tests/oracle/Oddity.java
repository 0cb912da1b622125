package io.tidemark.tests.oracle;

/** What can be strange about a generated record. Each record has at most one of these. */
public enum Oddity {
  /** Arrives 2 to 120 minutes after its event time. */
  LATE_BY_MINUTES,
  /** Arrives after 1/30 to 29/30 of the maximal age. */
  LATE_BY_DAYS,
  /** The line of an earlier record once more, its arrival time included. */
  EXACT_COPY,
  /** An event of an earlier batch, with another value and a later arrival. */
  UNLIKE_COPY,
  /** The id and time of an event of an earlier batch under another key: it counts there too. */
  CONFLICTING_COPY,
  NULL_TIME,
  NULL_ID,
  NULL_ARRIVAL,
  /** Both, to see which problem is named. */
  NULL_TIME_AND_ID,
  /** The first half of a line. */
  TRUNCATED,
  NOT_JSON,
  /** A decimal comma where an integer belongs, or a word where a time does. */
  WRONG_TYPE,
  /** A millisecond beyond the limit, or in the year 9999. */
  FAR_FUTURE,
  /** Exactly at the limit, which is fine, and moves the watermark. */
  AT_FUTURE_LIMIT,
  /** A millisecond beyond the limit, or before 1970. */
  TOO_OLD,
  /** Exactly at the limit, which is fine. */
  AT_AGE_LIMIT,
  /** Near the largest BIGINT: two of them overflow a sum of that type. */
  HUGE_VALUE
}
