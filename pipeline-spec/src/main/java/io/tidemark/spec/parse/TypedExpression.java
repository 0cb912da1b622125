package io.tidemark.spec.parse;

import org.apache.spark.sql.types.DataType;

/** An expression of the file that has been checked. */
record TypedExpression(String sql, DataType type) {}
