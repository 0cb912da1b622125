package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void numbersGoToTheRightAndAllElseToTheLeft() {
    assertThat(
            new TextTable("ad", "clicks", "share", "status")
                .row("a", 5, "1.5%", "open")
                .row("longer", 12345, "-", "closed")
                .row("b", -7, "+100%", "5 open"))
        .hasToString(
            """
            ad      clicks  share  status
            a            5   1.5%  open
            longer   12345      -  closed
            b           -7  +100%  5 open""");
  }

  @Test
  void aColumnWithOneTextIsText() {
    assertThat(new TextTable("n", "m").row(1, "NULL").row(10, 2))
        .hasToString(
            """
             n  m
             1  NULL
            10  2""");
  }

  @Test
  void aTableWithoutARowIsItsHeader() {
    assertThat(new TextTable("ad", "clicks")).hasToString("ad  clicks");
  }
}
