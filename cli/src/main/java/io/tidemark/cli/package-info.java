/** The command line: verbs, exit codes, result files. */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;
