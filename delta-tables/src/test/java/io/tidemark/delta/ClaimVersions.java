package io.tidemark.delta;

import io.delta.storage.LogStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * One writer of a {@link CommitRace}, in a process of its own: tries to commit each version once.
 *
 * <p>Arguments: the log store's class, the log's directory, the writer's name, the number of
 * versions, and Hadoop's settings as {@code key=value}. It says {@code ready}, waits for a line on
 * its input, and then names each version that the log store let it commit, a line each.
 */
final class ClaimVersions {

  private ClaimVersions() {}

  public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
    Path log = new Path(arguments[1]);
    String writer = arguments[2];
    int versions = Integer.parseInt(arguments[3]);
    Map<String, String> settings = new TreeMap<>();
    for (String setting : Arrays.asList(arguments).subList(4, arguments.length)) {
      settings.put(setting.split("=", 2)[0], setting.split("=", 2)[1]);
    }
    Configuration configuration = configuration(settings);
    LogStore store =
        Class.forName(arguments[0])
            .asSubclass(LogStore.class)
            .getConstructor(Configuration.class)
            .newInstance(configuration);
    store.write(new Path(log, "warm-up-" + writer), List.of("").iterator(), false, configuration);

    System.out.println("ready");
    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    for (int version = 0; version < versions; version++) {
      try {
        Path commit = new Path(log, CommitRace.fileName(version));
        store.write(commit, List.of(writer).iterator(), false, configuration);
        System.out.println(version);
      } catch (FileAlreadyExistsException lost) {
        // The version is the other writer's: on to the next.
      }
    }
  }

  static Configuration configuration(Map<String, String> settings) {
    Configuration configuration = new Configuration();
    settings.forEach(configuration::set);
    return configuration;
  }
}
