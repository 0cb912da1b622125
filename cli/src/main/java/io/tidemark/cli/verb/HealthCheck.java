package io.tidemark.cli.verb;

import io.tidemark.reconcile.PipelineStatus;
import io.tidemark.spec.Health;
import io.tidemark.spec.time.SpecDuration;
import java.util.Map;
import java.util.Optional;

/** Which limits of {@code health} a pipeline breaks, each as a sentence with what was measured. */
final class HealthCheck {

  private HealthCheck() {}

  static Optional<String> late(PipelineStatus status, Health limits) {
    return limits
        .maxLag()
        .filter(limit -> status.lag().compareTo(limit) > 0)
        .map(
            limit ->
                "%s is late: its oldest waiting record has waited %s, the limit is %s. See whether 'tidemark aggregate' or 'stream' runs."
                    .formatted(
                        status.pipeline(),
                        StatusText.duration(status.lag()),
                        SpecDuration.format(limit)));
  }

  /** A stream that has never moved is silent whatever the limit. */
  static Optional<String> silent(PipelineStatus status, Health limits) {
    return limits
        .maxSilence()
        .filter(limit -> status.sinceStep().filter(since -> since.compareTo(limit) <= 0).isEmpty())
        .map(
            limit ->
                "%s is silent: its stream %s, the limit is %s. See whether 'tidemark stream' runs and its source still sends."
                    .formatted(
                        status.pipeline(),
                        status
                            .sinceStep()
                            .map(since -> "last moved on " + StatusText.duration(since) + " ago")
                            .orElse("has not moved yet"),
                        SpecDuration.format(limit)));
  }

  /** Of the last settlement; one that undid another, or a rebuild, says nothing of the stream. */
  static Optional<String> leavingOut(PipelineStatus status, Health limits) {
    long counted = number(status.lastSettlement(), "counted");
    long leftOut = number(status.lastSettlement(), "left_out");
    return limits
        .maxLeftOutShare()
        .filter(limit -> counted > 0 && limit.isExceededBy((double) leftOut / counted))
        .map(
            limit ->
                "%s leaves out too much: %d of the %d events of settlement %s had come too late for the stream (%.2f%%), the limit is %s. 'tidemark lateness' says which watermark would do."
                    .formatted(
                        status.pipeline(),
                        leftOut,
                        counted,
                        status.lastSettlement().get("settlement"),
                        100.0 * leftOut / counted,
                        limit));
  }

  private static long number(Map<String, String> row, String column) {
    return Long.parseLong(row.getOrDefault(column, "0"));
  }
}
