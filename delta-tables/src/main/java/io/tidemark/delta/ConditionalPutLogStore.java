package io.tidemark.delta;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.delta.storage.S3SingleDriverLogStore;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.store.ConditionalPut;
import io.tidemark.store.StoreRule;
import io.tidemark.store.UnconfirmedPutException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Iterator;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Delta's commit rule for {@code s3a:} that holds between processes: of any number of writers of
 * one version exactly one succeeds, by {@link ConditionalPut}. Reading and listing are Delta's own.
 *
 * <p>Delta's {@code S3SingleDriverLogStore} tests for the name and then writes, under a lock of its
 * own JVM: two processes can both pass the test, and the second replaces the commit of the first.
 *
 * <p>All actions are in memory before the store hears of the commit: what fails while they are made
 * leaves nothing behind.
 *
 * <p>The rule binds only those who follow it: every writer of a table must have {@code
 * spark.delta.logStore.s3a.impl=io.tidemark.delta.ConditionalPutLogStore}, and the store must
 * honour the condition, which {@link StoreRule} looks at before the first commit to a bucket.
 */
public class ConditionalPutLogStore extends S3SingleDriverLogStore {

  /** Called by Delta through reflection; touches nothing. */
  public ConditionalPutLogStore(Configuration configuration) {
    super(configuration);
  }

  /**
   * Writes a file of the log, one action a line, wholly or not at all.
   *
   * @param overwrite false for a commit: an existing object stays as it is. True for hints such as
   *     {@code _last_checkpoint}: the object is replaced in one step, the last writer wins
   * @throws FileAlreadyExistsException if the object exists and {@code overwrite} is false: the
   *     version is another writer's. The only failure that Delta answers by trying the next version
   * @throws UnconfirmedPutException if the store did not say what became of the commit: a retry has
   *     to carry the same transaction id
   * @throws UnsafeEnvironmentException if the store does not create objects exclusively
   */
  @Override
  public void write(
      Path path, Iterator<String> actions, Boolean overwrite, Configuration configuration)
      throws IOException {
    byte[] content = lines(actions);
    ConditionalPut store = new ConditionalPut(path.getFileSystem(configuration));
    if (overwrite) {
      store.replace(path, content);
      return;
    }
    Optional<String> broken = StoreRule.broken(path.getParent(), configuration);
    if (broken.isPresent()) {
      throw new UnsafeEnvironmentException("Cannot commit " + path + ": " + broken.get());
    }
    store.create(path, content);
  }

  private static byte[] lines(Iterator<String> actions) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    while (actions.hasNext()) {
      lines.writeBytes(actions.next().getBytes(UTF_8));
      lines.write('\n');
    }
    return lines.toByteArray();
  }
}
