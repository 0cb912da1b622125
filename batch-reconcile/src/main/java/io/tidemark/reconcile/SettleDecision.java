package io.tidemark.reconcile;

/** What the planner makes of a request. */
public sealed interface SettleDecision {

  /** There is nothing to do; not an error. */
  record NothingToSettle(String why) implements SettleDecision {}

  record Settle(SettlePlan plan) implements SettleDecision {}
}
