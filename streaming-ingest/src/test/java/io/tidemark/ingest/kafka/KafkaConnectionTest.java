package io.tidemark.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.SpecException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaConnectionTest {

  private static final String CANARY = "canary-5521";
  private static final String JAAS =
      "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\""
          + CANARY
          + "\";";

  @TempDir Path directory;

  private final Configuration hadoop = new Configuration(false);

  @Test
  void sparksConfigurationGoesBeforeAFileAndBothReachKafka() throws Exception {
    Path file = directory.resolve("kafka.properties");
    Files.writeString(file, "security.protocol=SSL\nfetch.max.bytes=1000\n");
    KafkaConnection connection =
        connection(
            Map.of(
                "spark.tidemark.kafka.config", file.toString(),
                "spark.tidemark.kafka.security.protocol", "SASL_SSL",
                "spark.master", "local"),
            Map.of());
    assertThat(connection.forSpark())
        .isEqualTo(
            Map.of(
                "kafka.bootstrap.servers", "b:1",
                "kafka.fetch.max.bytes", "1000",
                "kafka.security.protocol", "SASL_SSL"));
    assertThat(connection.forClient())
        .isEqualTo(
            Map.of(
                "bootstrap.servers", "b:1",
                "fetch.max.bytes", "1000",
                "security.protocol", "SASL_SSL"));
  }

  @Test
  void theEnvironmentMayNameTheFile() throws Exception {
    Path file = Files.writeString(directory.resolve("kafka.properties"), "client.id=x\n");
    assertThat(connection(Map.of(), Map.of("TIDEMARK_KAFKA_CONFIG", file.toString())).forClient())
        .containsEntry("client.id", "x");
    assertThatThrownBy(() -> connection(Map.of(), Map.of("TIDEMARK_KAFKA_CONFIG", "/nowhere")))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "Cannot read the file of Kafka's options /nowhere: NoSuchFileException. Mend"
                + " spark.tidemark.kafka.config or TIDEMARK_KAFKA_CONFIG.");
  }

  @Test
  void passwordsMayComeFromHadoopsCredentialProviders() throws Exception {
    hadoop.set(
        "hadoop.security.credential.provider.path",
        "localjceks://file" + directory.resolve("secrets.jceks"));
    CredentialProvider provider = CredentialProviderFactory.getProviders(hadoop).get(0);
    provider.createCredentialEntry("tidemark.kafka.sasl.jaas.config", JAAS.toCharArray());
    provider.flush();
    assertThat(connection(Map.of(), Map.of()).forClient()).containsEntry("sasl.jaas.config", JAAS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bootstrap.servers   | cannot be set: the pipeline file decides it",
        "isolation.level     | cannot be set: the pipeline file decides it",
        "enable.auto.commit  | cannot be set: the pipeline file decides it",
        "sasl.jas.config     | is not an option of Kafka's consumer. Did you mean sasl.jaas.config?",
      })
  void anOptionThatCannotWorkIsRefused(String option, String refusal) {
    assertThatThrownBy(() -> connection(Map.of("spark.tidemark.kafka." + option, CANARY), Map.of()))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("spark.tidemark.kafka." + option + " " + refusal)
        .hasMessageNotContaining(CANARY);
  }

  @Test
  void noTextShowsASecret() {
    KafkaConnection connection =
        connection(
            Map.of(
                "spark.tidemark.kafka.sasl.jaas.config",
                JAAS,
                "spark.tidemark.kafka.ssl.key.password",
                "canary-7070"),
            Map.of());
    assertThat(connection.toString()).isEqualTo("b:1 with [sasl.jaas.config, ssl.key.password]");
    assertThat(connection.withoutSecrets("wrong " + CANARY + ", wrong canary-7070, in " + JAAS))
        .isEqualTo("wrong …, wrong …, in …");
  }

  private KafkaConnection connection(Map<String, String> spark, Map<String, String> environment) {
    return KafkaConnection.of("b:1", spark, hadoop, environment);
  }
}
