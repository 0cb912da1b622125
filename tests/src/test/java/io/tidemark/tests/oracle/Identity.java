package io.tidemark.tests.oracle;

/** What makes two records copies of each other: one event, in one window, under one key. */
public record Identity(Group group, String eventId) {}
