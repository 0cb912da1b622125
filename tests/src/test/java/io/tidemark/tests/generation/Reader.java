package io.tidemark.tests.generation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.SessionViews;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tests.harness.TestPipeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Queries the main view again and again, in sessions that make their views anew, and keeps what
 * cannot be: more than one generation in an answer, or totals that are not that generation's.
 */
final class Reader implements AutoCloseable {

  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private final List<String> mixtures = Collections.synchronizedList(new ArrayList<>());
  private final Thread thread;
  private volatile boolean stopped;

  private Reader(TestPipeline pipeline) {
    this.thread = new Thread(() -> read(pipeline), "reader");
  }

  static Reader start(TestPipeline pipeline) {
    Reader reader = new Reader(pipeline);
    reader.thread.start();
    return reader;
  }

  private void read(TestPipeline pipeline) {
    while (!stopped) {
      try {
        ask(pipeline);
      } catch (RuntimeException e) {
        mixtures.add("failed: " + e);
      }
    }
  }

  private void ask(TestPipeline pipeline) {
    SparkSession session = pipeline.spark().newSession();
    ServedGeneration live = pipeline.setup(pipeline.yaml()).openWhateverTheFileSays().live();
    new SessionViews(session, live.spec(), live.tables(), pipeline.format(), TestPipeline.CLOCK)
        .register();
    List<Row> answer =
        session
            .sql(
                "SELECT generation, sum(values), bigint(sum(total)) FROM events GROUP BY generation")
            .collectAsList();
    String all = answer.toString();
    if (answer.size() != 1) {
      mixtures.add(all);
      return;
    }
    Row row = answer.get(0);
    long perEvent = row.getString(0).equals("g1") ? 2 : 1;
    if (row.getLong(2) != perEvent * row.getLong(1)) {
      mixtures.add(all);
    }
    seen.add(row.getString(0));
  }

  void hasSeen(String... generations) {
    close();
    assertThat(mixtures).isEmpty();
    assertThat(seen).contains(generations);
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
