package io.tidemark.spec.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {

  private static final List<String> KEYS = List.of("keys", "measures", "max-age", "time");

  @Test
  void findsTheNameWithATypingError() {
    assertThat(NearestName.of("measurs", KEYS)).contains("measures");
    assertThat(NearestName.of("tiem", KEYS)).contains("time");
    assertThat(NearestName.of("MAX_AGE", KEYS)).contains("max-age");
  }

  @Test
  void findsNothingForAnUnlikeName() {
    assertThat(NearestName.of("frequency", KEYS)).isEmpty();
    assertThat(NearestName.of("", KEYS)).isEmpty();
  }

  @Test
  void theRemedyListsAllNamesWhereNoneIsNear() {
    assertThat(NearestName.remedy("key", "Known keys", KEYS)).isEqualTo("Did you mean keys?");
    assertThat(NearestName.remedy("frequency", "Known keys", KEYS))
        .isEqualTo("Known keys: keys, measures, max-age, time.");
  }
}
