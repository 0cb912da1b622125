package io.tidemark.store;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The store has not said what became of an object: it is not there now, but a request that is under
 * way may still create it. Who repeats the work must be able to find it done already.
 */
public final class UnconfirmedPutException extends IOException {

  private static final long serialVersionUID = 1L;

  UnconfirmedPutException(Path path, @Nullable Throwable cause) {
    super(
        "Could not confirm that "
            + path
            + " was written: the store did not answer, and the object may still appear. Look at"
            + " the store and run again; what was written is then found and not repeated.",
        cause);
  }
}
