package io.tidemark.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeltaStreamOffsetTest {

  @Test
  void theVersionBeforeTheNextIsTheLastThatWasRead() {
    DeltaStreamOffset offset =
        DeltaStreamOffset.parse(
            "{\"sourceVersion\":1,\"reservoirId\":\"6c1f\",\"reservoirVersion\":4,\"index\":-1,"
                + "\"isStartingVersion\":false}");

    assertThat(offset).isEqualTo(new DeltaStreamOffset(4));
    assertThat(offset.versionRead()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"reservoirVersion\":\"4\"}", "{\"reservoirVersion\":4.5}"})
  void anOffsetWithoutAVersionIsRefused(String offset) {
    assertThatThrownBy(() -> DeltaStreamOffset.parse(offset))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessage(
            "Cannot read the checkpoint's offset " + offset + ": it has no reservoirVersion.");
  }

  @Test
  void anOffsetOfAnotherSourceIsRefused() {
    assertThatThrownBy(() -> DeltaStreamOffset.parse("no json"))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessage("Cannot read the checkpoint's offset no json");
  }
}
