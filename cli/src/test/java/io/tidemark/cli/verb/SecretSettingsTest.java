package io.tidemark.cli.verb;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.SpecException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretSettingsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.tidemark.kafka.sasl.jaas.config",
        "spark.tidemark.kafka.ssl.truststore.password",
        "spark.tidemark.kafka.ssl.keystore.key",
        "spark.hadoop.fs.s3a.secret.key",
        "spark.hadoop.fs.s3a.access.key",
        "spark.hadoop.fs.s3a.session.token",
      })
  void aSecretIsRefusedByItsName(String name) {
    assertThatThrownBy(() -> SecretSettings.requireNoneOf(List.of("spark.master", name)))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("Refusing --conf " + name + ": what stands on a command line");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.master",
        "spark.tidemark.kafka.config",
        "spark.tidemark.kafka.security.protocol",
        "spark.tidemark.kafka.ssl.truststore.location",
        "spark.hadoop.hadoop.security.credential.provider.path",
      })
  void whatOnlyLeadsToOneIsTaken(String name) {
    assertThatCode(() -> SecretSettings.requireNoneOf(List.of(name))).doesNotThrowAnyException();
  }
}
