/** One class a verb: parses its words, runs its job, says what came of it. */
@NullMarked
package io.tidemark.cli.verb;

import org.jspecify.annotations.NullMarked;
