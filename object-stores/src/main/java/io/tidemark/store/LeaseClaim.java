package io.tidemark.store;

/**
 * One object of a lease: who holds it by this claim, or held it last.
 *
 * @param number counts up over all holders, for ever
 * @param released whether the holder has given it up
 */
record LeaseClaim(long number, LeaseHolder holder, boolean released) {

  private static final String HELD = "held";
  private static final String RELEASED = "released";

  String text() {
    return (released ? RELEASED : HELD) + "\n" + holder.text() + "\n";
  }

  static LeaseClaim parse(long number, String text, String where) {
    var lines = text.lines().toList();
    return new LeaseClaim(
        number,
        LeaseHolder.parse(lines.subList(Math.min(1, lines.size()), lines.size()), where),
        lines.contains(RELEASED));
  }

  LeaseClaim next(LeaseHolder newHolder) {
    return new LeaseClaim(number + 1, newHolder, false);
  }

  LeaseClaim released(long newNumber) {
    return new LeaseClaim(newNumber, holder, true);
  }
}
