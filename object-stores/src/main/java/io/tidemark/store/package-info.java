/** What commits, checkpoints and leases on S3 have in common: objects that are created once. */
@NullMarked
package io.tidemark.store;

import org.jspecify.annotations.NullMarked;
