/** The demo: real events through stream and settlement, on this machine. */
@NullMarked
package io.tidemark.examples;

import org.jspecify.annotations.NullMarked;
