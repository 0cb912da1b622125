package io.tidemark.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Asks a store whether it creates an object once, by racing for it. Two puts one after the other
 * would tell only the stores that ignore the condition from the others, not those that test and
 * then write.
 *
 * <p><b>Cost.</b> 6 objects with 9 puts each, deleted again: about a second.
 */
record StoreProbe(FileSystem fileSystem) {

  private static final int THREADS = 8;
  private static final int KEYS = 6;
  private static final long LONGEST_SECONDS = 120;

  /**
   * Races.
   *
   * @return what the store did that it must not; empty: nothing
   * @throws IOException if the store could not be asked: nobody won
   */
  Optional<String> run(Path folder) throws IOException {
    ExecutorService racers = Executors.newFixedThreadPool(THREADS);
    try {
      for (int key = 0; key < KEYS; key++) {
        Optional<String> broken = race(racers, new Path(folder, ".probe-" + UUID.randomUUID()));
        if (broken.isPresent()) {
          return broken;
        }
      }
      return Optional.empty();
    } finally {
      racers.shutdownNow();
    }
  }

  private Optional<String> race(ExecutorService racers, Path object) throws IOException {
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<Put>> puts = new ArrayList<>();
      for (int racer = 0; racer < THREADS; racer++) {
        puts.add(
            racers.submit(
                () -> {
                  start.await(LONGEST_SECONDS, TimeUnit.SECONDS);
                  return put(object);
                }));
      }
      List<Put> ended = new ArrayList<>();
      for (Future<Put> put : puts) {
        ended.add(put.get(LONGEST_SECONDS, TimeUnit.SECONDS));
      }
      long winners = ended.stream().filter(Put::won).count();
      if (winners == 0) {
        throw ended.get(0).failure().orElseThrow();
      } else if (winners > 1) {
        return Optional.of(
            "%d of %d puts of one object at once were acknowledged".formatted(winners, THREADS));
      }
      return put(object).won()
          ? Optional.of("a second put of one object was acknowledged")
          : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the store was asked for its rule", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the store did not answer when it was asked for its rule", e);
    } finally {
      fileSystem.delete(object, false);
    }
  }

  /** How one put has ended; without a failure it was acknowledged, or its object found. */
  private record Put(Optional<IOException> failure) {
    boolean won() {
      return failure.isEmpty();
    }
  }

  private Put put(Path object) {
    String id = UUID.randomUUID().toString();
    byte[] content = id.getBytes(UTF_8);
    ConditionalPut conditional = new ConditionalPut(fileSystem);
    try {
      conditional.put(object, content, id);
      return new Put(Optional.empty());
    } catch (IOException e) {
      return new Put(
          acknowledgementWasLost(conditional, object, content, id, e)
              ? Optional.empty()
              : Optional.of(e));
    }
  }

  private static boolean acknowledgementWasLost(
      ConditionalPut conditional, Path object, byte[] content, String id, IOException failure) {
    try {
      return conditional.isMine(object, content, id);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }
}
