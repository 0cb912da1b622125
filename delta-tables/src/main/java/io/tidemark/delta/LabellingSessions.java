package io.tidemark.delta;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Sessions for labelled statements, as many for each session as it runs at once. They are used
 * again, because Spark compiles the code of a query anew for each session: with a new one for each
 * MERGE, it took half as long again.
 */
final class LabellingSessions {

  private final Map<SparkSession, Deque<LabellingSession>> idle = new WeakHashMap<>();

  /**
   * Lends a session for a statement.
   *
   * @param original whose settings and views it has, as they were when it was made
   */
  void lend(SparkSession original, Consumer<LabellingSession> statement) {
    LabellingSession session =
        Optional.ofNullable(takeIdle(original)).orElseGet(() -> new LabellingSession(original));
    try {
      statement.accept(session);
    } finally {
      giveBack(original, session);
    }
  }

  private synchronized @Nullable LabellingSession takeIdle(SparkSession original) {
    return idle.computeIfAbsent(original, none -> new ArrayDeque<>()).poll();
  }

  private synchronized void giveBack(SparkSession original, LabellingSession session) {
    idle.computeIfAbsent(original, none -> new ArrayDeque<>()).push(session);
  }
}
