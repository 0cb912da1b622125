/** Table definitions, views, and the port that a table format implements. */
@NullMarked
package io.tidemark.tables;

import org.jspecify.annotations.NullMarked;
