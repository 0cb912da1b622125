package io.tidemark.cli;

import io.tidemark.spec.error.SpecException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Spark settings that a user gives, from a file and on the command line, which come over those of
 * the file. Keys and passwords only come in the file: everybody on the machine can read a command
 * line, and shells and schedulers keep it.
 */
public final class GivenSettings {

  static final Pattern SECRET =
      Pattern.compile("(?i)secret|passw|token|access[.]?key|encryption[.]key|keystore[.]key|jaas");

  private GivenSettings() {}

  /**
   * Puts them together.
   *
   * @param file in the form of spark-submit's {@code --properties-file}; null: none
   * @throws SpecException if the file cannot be read or holds what is no setting of Spark, or a
   *     secret is given on the command line. No message has a value in it.
   */
  public static Map<String, String> of(@Nullable Path file, Map<String, String> commandLine) {
    Map<String, String> settings = new LinkedHashMap<>();
    if (file != null) {
      read(file).forEach((key, value) -> settings.put(setting(file, key), value.toString().trim()));
    }
    commandLine.keySet().forEach(GivenSettings::requireNoSecret);
    settings.putAll(commandLine);
    return settings;
  }

  /** Whether a setting is a secret, by its name. */
  static boolean isSecret(String key) {
    return SECRET.matcher(key).find();
  }

  private static Properties read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      // What is wrong with its text may be a secret.
      throw new SpecException(
          "Cannot read the settings of "
              + file
              + ": "
              + (e instanceof IOException ? e.toString() : "it is no properties file")
              + ". Mend --properties-file.");
    }
    return properties;
  }

  private static String setting(Path file, Object key) {
    String name = key.toString();
    if (!name.startsWith("spark.")) {
      throw new SpecException(
          "The file "
              + file
              + " holds '"
              + name
              + "', which is no setting of Spark: they begin with 'spark.', those of S3A with"
              + " 'spark.hadoop.fs.s3a.'.");
    }
    return name;
  }

  private static void requireNoSecret(String key) {
    if (isSecret(key)) {
      throw new SpecException(
          "--conf "
              + key
              + " puts a secret on the command line, where everybody on this machine can read it. Put"
              + " it into a file that only you can read (--properties-file), the environment, or one"
              + " of Hadoop's credential providers: docs/kafka.md, docs/object-stores.md.");
    }
  }
}
