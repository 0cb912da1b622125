package io.tidemark.spec;

/** What happens to copies: records with the event id of another, in one window and key. */
public enum Duplicates {
  /** One of them counts: in the recount the one with the smallest source position. */
  DROP,
  /** All count, each source position once. */
  KEEP
}
