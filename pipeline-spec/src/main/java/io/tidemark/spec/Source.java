package io.tidemark.spec;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Where events come from. */
public sealed interface Source permits Source.Files {

  /**
   * Files in a directory that grows; every file below it is read once, in order of modification
   * time. A file must appear in one step (by rename) and never change.
   *
   * @param path directory or glob, as Hadoop reads it
   * @param nameGlob pattern that file names must match, e.g. {@code *.jsonl}
   * @param format how a file's bytes become records
   * @param options passed to Spark's parser of the format, e.g. {@code sep}
   * @param maxFilesPerTrigger rate limit of ingest; no effect on any number
   * @param maxBytesPerTrigger rate limit of ingest, e.g. {@code 512m}; no effect on any number
   */
  record Files(
      String path,
      Optional<String> nameGlob,
      FileFormat format,
      Map<String, String> options,
      OptionalInt maxFilesPerTrigger,
      Optional<String> maxBytesPerTrigger)
      implements Source {

    public Files {
      if (path.isBlank()) {
        throw new IllegalArgumentException("source path is blank");
      }
      options = Map.copyOf(options);
    }
  }
}
