package io.tidemark.ingest.kafka;

import io.tidemark.spec.Source;
import io.tidemark.spec.error.NearestName;
import io.tidemark.spec.error.SpecException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.spark.sql.SparkSession;

/**
 * How the brokers are reached: their addresses from the pipeline file, and all else, TLS and SASL
 * among it, from where secrets may lie. In this order, the first that has an option counts: Spark's
 * configuration, {@code spark.tidemark.kafka.<option>}; Hadoop's credential providers, {@code
 * tidemark.kafka.<option>}, for passwords; a file of Kafka's options that {@code
 * spark.tidemark.kafka.config} names, or the environment's {@code TIDEMARK_KAFKA_CONFIG}.
 *
 * <p>Its text never shows an option's value.
 */
public final class KafkaConnection {

  private static final String PREFIX = "spark.tidemark.kafka.";
  private static final String FILE = PREFIX + "config";
  private static final String FILE_IN_ENVIRONMENT = "TIDEMARK_KAFKA_CONFIG";
  private static final String CREDENTIAL_PREFIX = "tidemark.kafka.";

  /** Those that the pipeline file decides, or on which depends that nothing is lost. */
  private static final Set<String> OURS =
      Set.of(
          ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
          ConsumerConfig.ISOLATION_LEVEL_CONFIG,
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
          ConsumerConfig.GROUP_ID_CONFIG);

  private static final Pattern QUOTED = Pattern.compile("=\\s*[\"']([^\"']+)[\"']");

  private final String servers;
  private final Map<String, String> options;

  private KafkaConnection(String servers, Map<String, String> options) {
    this.servers = servers;
    this.options = new TreeMap<>(options);
  }

  /**
   * Reads the options.
   *
   * @throws SpecException if one is not known or not to be set, or the file cannot be read
   */
  public static KafkaConnection of(SparkSession spark, Source.Kafka source) {
    return of(
        source.bootstrapServers(),
        scala.jdk.javaapi.CollectionConverters.asJava(spark.conf().getAll()),
        spark.sparkContext().hadoopConfiguration(),
        System.getenv());
  }

  static KafkaConnection of(
      String servers,
      Map<String, String> spark,
      Configuration hadoop,
      Map<String, String> environment) {
    Map<String, String> options = new TreeMap<>();
    Optional.ofNullable(spark.get(FILE))
        .or(() -> Optional.ofNullable(environment.get(FILE_IN_ENVIRONMENT)))
        .map(Path::of)
        .ifPresent(file -> addFile(file, options));
    for (String option : passwords()) {
      password(hadoop, CREDENTIAL_PREFIX + option).ifPresent(value -> options.put(option, value));
    }
    spark.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX) && !key.equals(FILE)) {
            options.put(key.substring(PREFIX.length()), value);
          }
        });
    options.keySet().forEach(KafkaConnection::requireAllowed);
    return new KafkaConnection(servers, options);
  }

  private static void addFile(Path file, Map<String, String> options) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new SpecException(
          "Cannot read the file of Kafka's options "
              + file
              + ": "
              + e.getClass().getSimpleName()
              + ". Mend "
              + FILE
              + " or "
              + FILE_IN_ENVIRONMENT
              + ".",
          e);
    }
    properties
        .stringPropertyNames()
        .forEach(name -> options.put(name, properties.getProperty(name)));
  }

  private static Optional<String> password(Configuration hadoop, String name) {
    try {
      return Optional.ofNullable(hadoop.getPassword(name)).map(String::new);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot ask Hadoop's credential providers for " + name, e);
    }
  }

  private static Set<String> passwords() {
    Set<String> passwords = new TreeSet<>();
    ConsumerConfig.configDef()
        .configKeys()
        .forEach(
            (name, key) -> {
              if (key.type == ConfigDef.Type.PASSWORD) {
                passwords.add(name);
              }
            });
    return passwords;
  }

  private static void requireAllowed(String option) {
    if (OURS.contains(option)) {
      throw new SpecException(
          PREFIX
              + option
              + " cannot be set: the pipeline file decides it (bootstrap-servers, isolation, start),"
              + " or Tidemark, so that no record is lost. Remove it.");
    }
    Set<String> known = new TreeSet<>(ConsumerConfig.configNames());
    known.addAll(AdminClientConfig.configNames());
    if (!known.contains(option) && !option.startsWith("config.providers")) {
      throw new SpecException(
          PREFIX
              + option
              + " is not an option of Kafka's consumer. "
              + NearestName.of(option, known)
                  .map(nearest -> "Did you mean " + nearest + "?")
                  .orElse("Remove it."));
    }
  }

  /** For Spark's source. */
  Map<String, String> forSpark() {
    Map<String, String> all = new TreeMap<>();
    options.forEach((name, value) -> all.put("kafka." + name, value));
    all.put("kafka." + ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    return all;
  }

  /** For a client of Kafka. */
  Map<String, Object> forClient() {
    Map<String, Object> all = new TreeMap<>(options);
    all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    return all;
  }

  public String servers() {
    return servers;
  }

  /** The text without any value of a secret option, or a quoted part of one. */
  String withoutSecrets(String text) {
    String clean = text;
    for (String option : passwords()) {
      String value = options.get(option);
      if (value == null || value.isBlank()) {
        continue;
      }
      clean = clean.replace(value, "…");
      Matcher quoted = QUOTED.matcher(value);
      while (quoted.find()) {
        clean = clean.replace(quoted.group(1), "…");
      }
    }
    return clean;
  }

  @Override
  public String toString() {
    return servers + " with " + options.keySet();
  }
}
