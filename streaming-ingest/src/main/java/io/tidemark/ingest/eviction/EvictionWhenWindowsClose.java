package io.tidemark.ingest.eviction;

import io.tidemark.spec.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.streaming.operators.stateful.StreamingDeduplicateExec;
import scala.Option;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * Spark looks through all ids that a stream's deduplication holds for those the watermark has
 * passed, at every batch; with some million ids that takes longer than the batch itself. Each of
 * our ids is of a window, so where no window ends between the watermark before and the one now,
 * nothing can be found, and the scan is left out. What is evicted, and when, stays the same: what
 * the watermark before had passed was evicted by the batches up to then, or was not there, and what
 * comes of such a window since is dropped as late before it reaches the state.
 *
 * <p>The aggregation after it keeps its own scan: the state is much smaller, and Spark asks it
 * whether a batch without data is due.
 */
public final class EvictionWhenWindowsClose extends Rule<SparkPlan> {

  private static final String SIZE = "spark.tidemark.window.size.ms";
  private static final String SLIDE = "spark.tidemark.window.slide.ms";

  /** Without it both watermarks of an operator are this batch's. */
  private static final String SEVERAL_OPERATORS =
      "spark.sql.streaming.statefulOperator.allowMultiple";

  private final RuntimeConfig conf;

  private EvictionWhenWindowsClose(SparkSession session) {
    this.conf = session.conf();
  }

  /** Adds the rule to a session to be built. It does nothing until {@link #enable}. */
  public static SparkSession.Builder addTo(SparkSession.Builder builder) {
    return builder.withExtensions(
        extensions -> {
          extensions.injectColumnar(EvictionWhenWindowsClose::ruleOf);
          return BoxedUnit.UNIT;
        });
  }

  private static ColumnarRule ruleOf(SparkSession session) {
    return new ColumnarRule() {
      @Override
      public Rule<SparkPlan> preColumnarTransitions() {
        return new EvictionWhenWindowsClose(session);
      }
    };
  }

  /**
   * Enables it for the queries that are started from now on.
   *
   * @param window what the keys of all their state hold
   */
  public static void enable(RuntimeConfig conf, WindowSpec window) {
    conf.set(SIZE, window.size().toMillis());
    conf.set(SLIDE, window.slide().toMillis());
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    Optional<WindowSpec> window = window();
    if (window.isEmpty() || !Boolean.parseBoolean(conf.get(SEVERAL_OPERATORS, "true"))) {
      return plan;
    }
    return plan.transformUp(
        new AbstractPartialFunction<SparkPlan, SparkPlan>() {
          @Override
          public boolean isDefinedAt(SparkPlan node) {
            return node instanceof StreamingDeduplicateExec deduplicate
                && findsNothing(deduplicate, window.get());
          }

          @Override
          public SparkPlan apply(SparkPlan node) {
            return withoutEviction((StreamingDeduplicateExec) node);
          }
        });
  }

  private static boolean findsNothing(StreamingDeduplicateExec node, WindowSpec window) {
    Option<Object> before = node.eventTimeWatermarkForLateEvents();
    Option<Object> now = node.eventTimeWatermarkForEviction();
    return before.isDefined()
        && now.isDefined()
        && !closesBetween(window, (Long) before.get(), (Long) now.get());
  }

  private static SparkPlan withoutEviction(StreamingDeduplicateExec node) {
    return node.copy(
        node.keyExpressions(),
        node.child(),
        node.stateInfo(),
        node.eventTimeWatermarkForLateEvents(),
        Option.empty());
  }

  private Optional<WindowSpec> window() {
    return Optional.ofNullable(conf.get(SIZE, null))
        .map(
            size ->
                new WindowSpec.Hopping(
                    Duration.ofMillis(Long.parseLong(size)),
                    Duration.ofMillis(Long.parseLong(conf.get(SLIDE)))));
  }

  /**
   * Whether a window ends after one watermark, and at or before another.
   *
   * @param before in milliseconds since 1970; before there is a watermark it is far below 0
   * @param now in milliseconds since 1970
   */
  static boolean closesBetween(WindowSpec window, long before, long now) {
    if (before < 0) {
      return true;
    }
    Instant firstEnd =
        window.firstStartOfEndAfter(Instant.ofEpochMilli(before)).plus(window.size());
    return firstEnd.toEpochMilli() <= now;
  }
}
