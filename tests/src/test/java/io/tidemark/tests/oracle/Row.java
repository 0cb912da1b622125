package io.tidemark.tests.oracle;

import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The measures of one window and key. Sum, minimum and maximum are null where no value is there.
 *
 * @param eventCount events, with a value or without
 * @param valueCount values that are not null
 * @param distinctValues different ones among them
 */
public record Row(
    long eventCount,
    long valueCount,
    @Nullable BigInteger sum,
    @Nullable Long min,
    @Nullable Long max,
    long distinctValues) {

  public static Row of(Collection<Event> events) {
    List<Long> values = events.stream().map(Event::value).filter(Objects::nonNull).toList();
    return new Row(
        events.size(),
        values.size(),
        values.stream().map(BigInteger::valueOf).reduce(BigInteger::add).orElse(null),
        values.stream().min(Long::compare).orElse(null),
        values.stream().max(Long::compare).orElse(null),
        values.stream().distinct().count());
  }
}
