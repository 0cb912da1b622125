package io.tidemark.store;

/** Another process holds the lease, and is alive. */
public final class LeaseHeldException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient LeaseHolder holder;

  LeaseHeldException(LeaseHolder holder) {
    super("held by process " + holder.process() + " since " + holder.since());
    this.holder = holder;
  }

  public LeaseHolder holder() {
    return holder;
  }
}
