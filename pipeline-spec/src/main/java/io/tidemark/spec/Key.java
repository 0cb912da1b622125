package io.tidemark.spec;

import org.apache.spark.sql.types.DataType;

/** A column of the event, or a derived one, that the aggregate is grouped by. Null is a group. */
public record Key(ColumnName name, DataType type) {}
