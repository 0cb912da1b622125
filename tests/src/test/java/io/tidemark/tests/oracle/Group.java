package io.tidemark.tests.oracle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a row of the aggregate is about. The null key is a group, and not the empty string's. */
public record Group(Instant windowStart, @Nullable String key) {}
