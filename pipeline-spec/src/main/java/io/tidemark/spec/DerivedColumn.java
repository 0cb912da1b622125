package io.tidemark.spec;

import org.apache.spark.sql.types.DataType;

/**
 * A column computed from one event.
 *
 * @param expression a deterministic Spark SQL expression over the event's columns
 * @param type the expression's type
 */
public record DerivedColumn(ColumnName name, String expression, DataType type) {}
