package io.tidemark.spec;

import java.time.Duration;

/** A coarser view of a tumbling aggregate. */
public enum RollUp {
  HOUR("hourly", Duration.ofHours(1)),
  DAY("daily", Duration.ofDays(1));

  private final String viewSuffix;
  private final Duration length;

  RollUp(String viewSuffix, Duration length) {
    this.viewSuffix = viewSuffix;
    this.length = length;
  }

  public String viewSuffix() {
    return viewSuffix;
  }

  public Duration length() {
    return length;
  }
}
