package io.tidemark.tables.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.spec.error.UnsafeEnvironmentException;
import io.tidemark.tables.Generation;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class GenerationRowTest {

  private static final GenerationRow ROW =
      new GenerationRow(
          new Generation(12),
          "abc",
          "def",
          "keys: \"a\"\nwindow: 1h\n",
          Instant.parse("2026-03-01T10:00:00.123Z"));

  @Test
  void aRowIsReadAsItWasWritten() {
    assertThat(GenerationRow.parse(ROW.toJson())).isEqualTo(ROW);
  }

  @Test
  void tablesOfAnotherFormatAreRefusedWithBothNumbers() {
    String later = ROW.toJson().replace("\"format_version\":3", "\"format_version\":4");

    assertThatThrownBy(() -> GenerationRow.parse(later))
        .isInstanceOf(UnsafeEnvironmentException.class)
        .hasMessageContaining("of format 4")
        .hasMessageContaining("writes format 3");
  }

  @Test
  void whatIsNoRowIsRefused() {
    for (String damaged :
        new String[] {"{", ROW.toJson().replace("g12", "twelve"), ROW.toJson().replace("Z", "")}) {
      assertThatThrownBy(() -> GenerationRow.parse(damaged))
          .isInstanceOf(UnsafeEnvironmentException.class)
          .hasMessageContaining("Cannot read the generation");
    }
  }
}
