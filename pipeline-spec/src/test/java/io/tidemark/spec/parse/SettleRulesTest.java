package io.tidemark.spec.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.Percentage;
import io.tidemark.spec.SettleLimits;
import io.tidemark.spec.SettleLimits.OnBreach;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettleRulesTest {

  @Test
  void aBrokenLimitHoldsUnlessTheFileSaysOtherwise() {
    assertThat(PipelineText.good().with("settle", "{max-row-change: 40%}").spec().settle())
        .contains(
            new SettleLimits(
                Optional.empty(),
                Optional.empty(),
                Percentage.parse("40%"),
                Optional.empty(),
                Optional.empty(),
                OnBreach.HOLD));
  }

  @Test
  void aGateWithoutALimitIsWarnedOf() {
    assertThat(PipelineText.good().with("settle", "{on-breach: warn}").warnings())
        .containsExactly(
            "settle: has no limit, so no settlement is held. Add one, e.g. max-corrected-share:"
                + " 5%.");
    assertThat(PipelineText.good().with("settle", "{max-row-change: 40%}").warnings()).isEmpty();
  }

  @Test
  void onlyAChangeMayBeMoreThanAHundredPercent() {
    assertThat(
            PipelineText.good()
                .with("settle", "{max-row-change: 200%, max-total-change: 101%}")
                .problems())
        .isEmpty();
    assertThat(PipelineText.good().with("settle", "{max-problem-share: 100.1%}").problems())
        .containsExactly(
            "settle.max-problem-share: is 100.1%, and no share is more than 100%. Write for example"
                + " 5%.");
  }
}
