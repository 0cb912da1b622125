package io.tidemark.spec;

import io.tidemark.spec.time.PartitionUnit;
import java.util.List;
import java.util.Optional;

/**
 * One pipeline, as its YAML file describes it: checked, typed, and complete with defaults.
 *
 * @param filter a deterministic Spark SQL condition on the event's columns; events where it is not
 *     true are archived and not counted
 * @param identicalLinesOne the spec's word that identical lines of one text file are one record
 * @param settle what a settlement may change unasked; empty: whatever the recount says
 */
public record PipelineSpec(
    PipelineName name,
    Source source,
    EventSpec event,
    Optional<String> filter,
    List<DerivedColumn> derive,
    WindowSpec window,
    List<Key> keys,
    List<Measure> measures,
    Watermark watermark,
    Emit emit,
    Duplicates duplicates,
    boolean identicalLinesOne,
    PartitionUnit partition,
    Optional<SettleLimits> settle,
    Health health,
    List<RollUp> rollUps) {

  public PipelineSpec {
    derive = List.copyOf(derive);
    keys = List.copyOf(keys);
    measures = List.copyOf(measures);
    rollUps = List.copyOf(rollUps);
  }

  /**
   * The same pipeline by a stream that leaves nothing out: it closes no window after 1970, so it
   * shows each row as it changes.
   */
  public PipelineSpec closingNoWindow() {
    return new PipelineSpec(
        name,
        source,
        event,
        filter,
        derive,
        window,
        keys,
        measures,
        watermark.withDelay(Watermark.LONGEST_DELAY),
        Emit.ON_UPDATE,
        duplicates,
        identicalLinesOne,
        partition,
        settle,
        health,
        rollUps);
  }

  /** Whether an event is identified by its source position rather than by columns of its own. */
  public boolean identifiedByPosition() {
    return duplicates == Duplicates.KEEP || event.id().isEmpty();
  }
}
