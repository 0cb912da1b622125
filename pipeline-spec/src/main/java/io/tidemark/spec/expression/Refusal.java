package io.tidemark.spec.expression;

/**
 * Why something in the pipeline file cannot be used.
 *
 * @param what what is wrong with the value, without a full stop
 * @param remedy what to do, one or more sentences
 */
public record Refusal(String what, String remedy) {}
