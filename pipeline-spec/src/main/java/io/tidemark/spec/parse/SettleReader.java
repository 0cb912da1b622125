package io.tidemark.spec.parse;

import io.tidemark.spec.Percentage;
import io.tidemark.spec.SettleLimits;
import io.tidemark.spec.SettleLimits.OnBreach;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the section {@code settle}. */
final class SettleReader {

  private static final String ON_BREACH = "on-breach";

  private SettleReader() {}

  static Optional<SettleLimits> read(YamlValue value) {
    return value.section(KnownKeys.SETTLE).map(SettleReader::limits);
  }

  private static SettleLimits limits(Section settle) {
    boolean limited =
        KnownKeys.SETTLE.now().stream().anyMatch(key -> !key.equals(ON_BREACH) && settle.has(key));
    if (!limited && !settle.hasUnknownKeys()) {
      settle.warn(
          "has no limit, so no settlement is held", "Add one, e.g. max-corrected-share: 5%.");
    }
    return new SettleLimits(
        share(settle, "max-corrected-share"),
        settle.optional("max-total-change").flatMap(YamlValue::percentage),
        settle.optional("max-row-change").flatMap(YamlValue::percentage),
        share(settle, "max-phantom-share"),
        share(settle, "max-problem-share"),
        settle
            .optional(ON_BREACH)
            .flatMap(v -> v.oneOf(Map.of("hold", OnBreach.HOLD, "warn", OnBreach.WARN), List.of()))
            .orElse(OnBreach.HOLD));
  }

  /** A percentage that is a share of something, so at most 100%. */
  static Optional<Percentage> share(Section section, String key) {
    Optional<YamlValue> given = section.optional(key);
    Optional<Percentage> share = given.flatMap(YamlValue::percentage);
    if (share.filter(s -> s.isMoreThan(Percentage.HUNDRED)).isPresent()) {
      section.refuseKey(
          key, "is " + share.get() + ", and no share is more than 100%", "Write for example 5%.");
      return Optional.empty();
    }
    return share;
  }
}
