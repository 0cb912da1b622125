package io.tidemark.spec.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlTextTest {

  @Test
  void whiteSpaceOutsideQuotesIsOneSpace() {
    assertThat(SqlText.canonical(" a\n  =\t'x  \\'  y'  AND `b  c` = \"d  e\" "))
        .isEqualTo("a = 'x  \\'  y' AND `b  c` = \"d  e\"");
  }

  @Test
  void aTextWithACommentKeepsItsLines() {
    assertThat(SqlText.canonical("a -- not\n + b ")).isEqualTo("a -- not\n + b");
    assertThat(SqlText.canonical("a  = '--'")).isEqualTo("a = '--'");
  }
}
