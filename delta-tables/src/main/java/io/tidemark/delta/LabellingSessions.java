package io.tidemark.delta;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;

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
    LabellingSession session = take(original);
    try {
      statement.accept(session);
    } finally {
      giveBack(original, session);
    }
  }

  private synchronized LabellingSession take(SparkSession original) {
    Deque<LabellingSession> free = idleOf(original);
    return free.isEmpty() ? new LabellingSession(original) : free.pop();
  }

  private synchronized void giveBack(SparkSession original, LabellingSession session) {
    idleOf(original).push(session);
  }

  private Deque<LabellingSession> idleOf(SparkSession original) {
    return idle.computeIfAbsent(original, none -> new ArrayDeque<>());
  }
}
