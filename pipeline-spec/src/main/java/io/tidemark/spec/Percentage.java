package io.tidemark.spec;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A percentage as the pipeline file writes it, e.g. {@code 5%} or {@code 0.5%}; exact.
 *
 * @param value 5 for 5 percent; not negative
 */
public record Percentage(BigDecimal value) {

  public static final Percentage HUNDRED = new Percentage(BigDecimal.valueOf(100));

  private static final Pattern TEXT = Pattern.compile("(\\d{1,6}(\\.\\d{1,6})?)\\s?%");

  public Percentage {
    if (value.signum() < 0) {
      throw new IllegalArgumentException("percentage is negative: " + value);
    }
    value = value.stripTrailingZeros();
  }

  /** The percentage; empty where the text is not one. */
  public static Optional<Percentage> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(new Percentage(new BigDecimal(matcher.group(1))))
        : Optional.empty();
  }

  /** Whether a share, 1 for the whole, is larger. */
  public boolean isExceededBy(double share) {
    return share > value.movePointLeft(2).doubleValue();
  }

  public boolean isMoreThan(Percentage other) {
    return value.compareTo(other.value) > 0;
  }

  @Override
  public String toString() {
    return value.toPlainString() + "%";
  }
}
