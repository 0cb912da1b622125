package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.SpecException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GivenSettingsTest {

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
    assertThatThrownBy(() -> GivenSettings.of(null, Map.of("spark.master", "local", name, "x")))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("--conf " + name + " puts a secret on the command line");
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
    assertThatCode(() -> GivenSettings.of(null, Map.of(name, "x"))).doesNotThrowAnyException();
  }
}
