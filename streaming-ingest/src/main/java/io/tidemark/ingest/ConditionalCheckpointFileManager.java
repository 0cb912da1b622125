package io.tidemark.ingest;

import io.tidemark.store.ConditionalPut;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager;

/**
 * Streaming checkpoints on S3 without renames, which S3 does not have: S3A copies and deletes,
 * slowly and in steps. A file that must not exist yet (a batch's offsets, its commit) is a {@link
 * ConditionalPut}; one that may be replaced (state) is written straight to its name, where it shows
 * when it is whole. An upload that fails, fails the batch.
 *
 * <p>Spark makes it by its name, with this constructor.
 */
public final class ConditionalCheckpointFileManager implements CheckpointFileManager {

  private final FileSystem fileSystem;
  private final CheckpointFileManager others;

  public ConditionalCheckpointFileManager(Path path, Configuration hadoop) throws IOException {
    this.fileSystem = path.getFileSystem(hadoop);
    this.others = new FileSystemBasedCheckpointFileManager(path, hadoop);
  }

  @Override
  public CancellableFSDataOutputStream createAtomic(Path path, boolean overwriteIfPossible) {
    if (!overwriteIfPossible) {
      return new Once(path, new ByteArrayOutputStream());
    }
    try {
      return new Replacing(fileSystem.create(path, true));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + path, e);
    }
  }

  /** Held in memory, since it is small, and put when it is closed. */
  private final class Once extends CancellableFSDataOutputStream {

    private final Path path;
    private final ByteArrayOutputStream content;
    private boolean ended;

    Once(Path path, ByteArrayOutputStream content) {
      super(content);
      this.path = path;
      this.content = content;
    }

    /** Throws Hadoop's exception for a file that exists: Spark looks for that one. */
    @Override
    public void close() throws IOException {
      if (ended) {
        return;
      }
      ended = true;
      try {
        new ConditionalPut(fileSystem).create(path, content.toByteArray());
      } catch (java.nio.file.FileAlreadyExistsException e) {
        FileAlreadyExistsException exists = new FileAlreadyExistsException(path.toString());
        exists.initCause(e);
        throw exists;
      }
    }

    @Override
    public void cancel() {
      ended = true;
    }
  }

  private static final class Replacing extends CancellableFSDataOutputStream {

    private final FSDataOutputStream upload;
    private boolean ended;

    Replacing(FSDataOutputStream upload) {
      super(upload);
      this.upload = upload;
    }

    @Override
    public void close() throws IOException {
      if (!ended) {
        ended = true;
        upload.close();
      }
    }

    /** Closing would publish what has been written so far. */
    @Override
    public void cancel() {
      if (!ended) {
        ended = true;
        upload.abort();
      }
    }
  }

  @Override
  public FSDataInputStream open(Path path) {
    return others.open(path);
  }

  @Override
  public FileStatus[] list(Path path, PathFilter filter) {
    return others.list(path, filter);
  }

  @Override
  public void mkdirs(Path path) {
    others.mkdirs(path);
  }

  @Override
  public boolean exists(Path path) {
    return others.exists(path);
  }

  @Override
  public void delete(Path path) {
    others.delete(path);
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public Path createCheckpointDirectory() {
    return others.createCheckpointDirectory();
  }
}
