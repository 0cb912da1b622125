package io.tidemark.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.storage.LogStore;
import io.tidemark.spec.error.UnsafeEnvironmentException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one writer may rely on; two writers are in {@link CommitRaceTest}. */
class HardLinkLogStoreTest {

  private static final boolean COMMIT = false;
  private static final boolean OVERWRITE = true;
  private static final String VERSION_7 = "00000000000000000007.json";

  @TempDir Path log;

  private final Configuration configuration = new Configuration(false);
  private final LogStore store = new HardLinkLogStore(configuration);

  @Test
  void commitHoldsItsActionsALineEachAndLeavesNothingElse() throws IOException {
    write(store, VERSION_7, COMMIT, "{\"add\":\"größer\"}", "{\"commitInfo\":{}}");

    assertThat(Files.readString(log.resolve(VERSION_7)))
        .isEqualTo("{\"add\":\"größer\"}\n{\"commitInfo\":{}}\n");
    assertThat(namesIn(log)).containsExactly(VERSION_7);
  }

  @Test
  void commitIsReadBackByTheStore() throws IOException {
    write(store, VERSION_7, COMMIT, "first", "second");

    try (var lines = store.read(hadoopPath(VERSION_7), configuration)) {
      assertThat(listOf(lines)).containsExactly("first", "second");
    }
  }

  @Test
  void versionThatExistsIsRefusedAndKeepsItsContent() throws IOException {
    write(store, VERSION_7, COMMIT, "mine");

    assertThatThrownBy(() -> write(store, VERSION_7, COMMIT, "yours"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(log.resolve(VERSION_7) + ": another writer has committed this version");
    assertThat(Files.readString(log.resolve(VERSION_7))).isEqualTo("mine\n");
    assertThat(namesIn(log)).containsExactly(VERSION_7);
  }

  @Test
  void versionThatAppearsWhileOursIsWrittenIsRefusedAndKeepsItsContent() throws IOException {
    LogStore overtaken =
        storeThatLinksBy(
            (link, existing) -> {
              Files.writeString(link, "the other's\n");
              return Files.createLink(link, existing);
            });

    assertThatThrownBy(() -> write(overtaken, VERSION_7, COMMIT, "mine"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(Files.readString(log.resolve(VERSION_7))).isEqualTo("the other's\n");
    assertThat(namesIn(log)).containsExactly(VERSION_7);
  }

  @Test
  void ownLinkReportedAsExistingIsASuccess() throws IOException {
    LogStore repeating =
        storeThatLinksBy(
            (link, existing) -> {
              Files.createLink(link, existing);
              throw new FileAlreadyExistsException(link.toString());
            });

    write(repeating, VERSION_7, COMMIT, "mine");

    assertThat(Files.readString(log.resolve(VERSION_7))).isEqualTo("mine\n");
  }

  @Test
  void overwriteReplacesTheWholeFile() throws IOException {
    write(store, "_last_checkpoint", OVERWRITE, "a long first hint", "of two lines");
    write(store, "_last_checkpoint", OVERWRITE, "short");

    assertThat(Files.readString(log.resolve("_last_checkpoint"))).isEqualTo("short\n");
    assertThat(namesIn(log)).containsExactly("_last_checkpoint");
  }

  @Test
  void overwriteOfAFileThatHadoopWroteIsReadable() throws IOException {
    FileSystem local = FileSystem.getLocal(configuration);
    try (var out = local.create(hadoopPath("_last_checkpoint"))) {
      out.writeBytes("written by Hadoop, with a checksum beside it\n");
    }
    assertThat(namesIn(log)).contains("._last_checkpoint.crc");

    write(store, "_last_checkpoint", OVERWRITE, "written by us");

    try (var lines = store.read(hadoopPath("_last_checkpoint"), configuration)) {
      assertThat(listOf(lines)).containsExactly("written by us");
    }
  }

  @Test
  void missingDirectoryIsReportedAndNotMade() {
    Path absent = log.resolve("absent");

    assertThatThrownBy(() -> write(store, "absent/" + VERSION_7, COMMIT, "mine"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Cannot write " + absent.resolve(VERSION_7) + ": there is no " + absent);
    assertThat(absent).doesNotExist();
  }

  @Test
  void leftOverOfACrashIsNeitherListedNorTakenForACommit() throws IOException {
    List<Path> seenAtTheLink = new ArrayList<>();
    LogStore crashing =
        storeThatLinksBy(
            (link, existing) -> {
              Files.copy(existing, existing.resolveSibling(existing.getFileName() + "x"));
              seenAtTheLink.add(existing);
              return Files.createLink(link, existing);
            });
    write(crashing, VERSION_7, COMMIT, "mine");

    Iterator<FileStatus> listed =
        store.listFrom(hadoopPath("00000000000000000000.json"), configuration);

    assertThat(listOf(listed)).extracting(s -> s.getPath().getName()).containsExactly(VERSION_7);
    assertThat(namesIn(log)).hasSize(2);
    assertThat(seenAtTheLink)
        .singleElement()
        .satisfies(
            temporary ->
                assertThat(temporary.getFileName().toString())
                    .startsWith("." + VERSION_7 + ".")
                    .endsWith(".tmp"));
  }

  @Test
  void actionsThatFailLeaveNothing() throws IOException {
    Iterator<String> failing =
        Stream.of("good", "bad")
            .map(
                action -> {
                  if (action.equals("bad")) {
                    throw new IllegalStateException("no such action");
                  }
                  return action;
                })
            .iterator();

    assertThatThrownBy(() -> store.write(hadoopPath(VERSION_7), failing, COMMIT, configuration))
        .isInstanceOf(IllegalStateException.class);
    assertThat(namesIn(log)).isEmpty();
  }

  @Test
  void fileSystemWithoutHardLinksIsReportedWithTheRemedy() throws IOException {
    LogStore onFat =
        storeThatLinksBy(
            (link, existing) -> {
              throw new FileSystemException(link.toString(), null, "Operation not permitted");
            });

    assertThatThrownBy(() -> write(onFat, VERSION_7, COMMIT, "mine"))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessage(
            "Cannot commit %1$s safely: its file system did not make a hard link (%1$s: Operation"
                + " not permitted). FAT and some network and container mounts cannot. Put the"
                + " warehouse on a file system that can, such as ext4, XFS, APFS or NTFS.",
            log.resolve(VERSION_7));
    assertThat(namesIn(log)).isEmpty();
  }

  @Test
  void pathOfAnotherSchemeIsRefused() {
    Configuration raw = new Configuration(false);
    raw.set("fs.bucket.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    var path = new org.apache.hadoop.fs.Path("bucket:///table/_delta_log/" + VERSION_7);

    assertThatThrownBy(() -> store.write(path, List.of("mine").iterator(), COMMIT, raw))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessage(
            "Cannot commit bucket:/table/_delta_log/00000000000000000007.json: commits by hard link"
                + " are for local files, and this path is served by"
                + " org.apache.hadoop.fs.RawLocalFileSystem. Set spark.delta.logStore.<scheme>.impl"
                + " to HardLinkLogStore for the scheme 'file' only.");
  }

  @Test
  void checkpointsPastTheStoreStillNeedARename() throws IOException {
    assertThat(store.isPartialWriteVisible(hadoopPath(VERSION_7), configuration)).isTrue();
  }

  private LogStore storeThatLinksBy(HardLinkLogStore.HardLink hardLink) {
    return new HardLinkLogStore(configuration, hardLink);
  }

  private void write(LogStore writer, String name, boolean overwrite, String... actions)
      throws IOException {
    writer.write(hadoopPath(name), List.of(actions).iterator(), overwrite, configuration);
  }

  private org.apache.hadoop.fs.Path hadoopPath(String name) {
    return new org.apache.hadoop.fs.Path(log.resolve(name).toUri());
  }

  private static List<String> namesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static <T> List<T> listOf(Iterator<T> iterator) {
    List<T> list = new ArrayList<>();
    iterator.forEachRemaining(list::add);
    return list;
  }
}
