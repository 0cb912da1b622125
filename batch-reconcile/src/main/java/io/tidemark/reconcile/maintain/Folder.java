package io.tidemark.reconcile.maintain;

import io.tidemark.tables.FileTotal;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** A folder of the warehouse, wherever that lies. One that is not there is empty. */
record Folder(Path path, FileSystem fileSystem) {

  static Folder at(String location, Configuration hadoop) {
    Path path = new Path(location);
    try {
      FileSystem fileSystem = path.getFileSystem(hadoop);
      // Without Hadoop's layer that hides its sidecars.
      return new Folder(
          path, fileSystem instanceof LocalFileSystem local ? local.getRaw() : fileSystem);
    } catch (IOException e) {
      throw cannotList(path, e);
    }
  }

  /** All files below it. Others may delete meanwhile: what is gone then is not listed. */
  List<FileStatus> files() {
    List<FileStatus> files = new ArrayList<>();
    try {
      RemoteIterator<LocatedFileStatus> all = fileSystem.listFiles(path, true);
      while (all.hasNext()) {
        files.add(all.next());
      }
    } catch (FileNotFoundException gone) {
      // Not there, or a folder below it went: the next run sees the rest.
    } catch (IOException e) {
      throw cannotList(path, e);
    }
    return files;
  }

  /** The folders right below it, by name. */
  List<Folder> folders() {
    try {
      return Arrays.stream(fileSystem.listStatus(path))
          .filter(FileStatus::isDirectory)
          .map(FileStatus::getPath)
          .sorted()
          .map(folder -> new Folder(folder, fileSystem))
          .toList();
    } catch (FileNotFoundException none) {
      return List.of();
    } catch (IOException e) {
      throw cannotList(path, e);
    }
  }

  void delete(FileStatus file) {
    delete(file.getPath());
  }

  /** Deletes it with all that is below it. */
  void delete() {
    delete(path);
  }

  private void delete(Path what) {
    try {
      fileSystem.delete(what, true);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + what, e);
    }
  }

  static FileTotal total(List<FileStatus> files) {
    return new FileTotal(files.size(), files.stream().mapToLong(FileStatus::getLen).sum());
  }

  private static UncheckedIOException cannotList(Path path, IOException e) {
    return new UncheckedIOException("Cannot list " + path, e);
  }
}
