package io.tidemark.cli;

import io.tidemark.store.ConditionalPut;
import io.tidemark.store.StoreRule;
import io.tidemark.tables.PipelineTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Where a result is written. */
public sealed interface ResultPlace {

  /** Writes in one step: a reader sees the whole result or none. */
  void write(Map<String, Object> data);

  /** A file of this machine. */
  record LocalFile(Path file) implements ResultPlace {
    @Override
    public void write(Map<String, Object> data) {
      ResultFile.write(file, data);
    }
  }

  /** An object of a store. */
  record StoredObject(org.apache.hadoop.fs.Path path, Configuration hadoop) implements ResultPlace {
    @Override
    public void write(Map<String, Object> data) {
      try {
        new ConditionalPut(path.getFileSystem(hadoop))
            .replace(path, (ResultFile.json(data) + "\n").getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot write the result " + path, e);
      }
    }
  }

  /** In the folder of results beside a pipeline's tables; empty: they are not there. */
  static Optional<ResultPlace> beside(PipelineTables tables, String name, Configuration hadoop) {
    if (StoreRule.appliesTo(tables.root())) {
      org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(tables.root());
      try {
        return root.getFileSystem(hadoop).exists(root)
            ? Optional.of(
                new StoredObject(new org.apache.hadoop.fs.Path(tables.runs(), name), hadoop))
            : Optional.empty();
      } catch (IOException unreachable) {
        // The verb itself has said so.
        return Optional.empty();
      }
    }
    return !tables.root().contains(":") && Files.isDirectory(Path.of(tables.root()))
        ? Optional.of(new LocalFile(Path.of(tables.runs(), name)))
        : Optional.empty();
  }
}
