package io.tidemark.delta;

import io.tidemark.tables.ColumnDefinition;
import io.tidemark.tables.ColumnDefinition.Nullability;
import io.tidemark.tables.SqlLiteral;
import io.tidemark.tables.TableDefinition;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructField;

/** Delta's SQL for a table definition. */
final class DeltaDdl {

  private DeltaDdl() {}

  static String createTable(String relation, TableDefinition definition) {
    String columns =
        definition.columns().stream().map(DeltaDdl::column).collect(Collectors.joining(",\n  "));
    String partition =
        definition.partitionColumn().map("\nPARTITIONED BY (`%s`)"::formatted).orElse("");
    String properties =
        properties(definition).entrySet().stream()
            .map(
                property ->
                    "'%s' = %s".formatted(property.getKey(), SqlLiteral.of(property.getValue())))
            .collect(Collectors.joining(",\n  "));
    return "CREATE TABLE IF NOT EXISTS %s (\n  %s)\nUSING delta%s\nCOMMENT %s\nTBLPROPERTIES (\n  %s)"
        .formatted(relation, columns, partition, SqlLiteral.of(definition.comment()), properties);
  }

  private static String column(ColumnDefinition column) {
    return "`%s` %s%s COMMENT %s"
        .formatted(
            column.name(),
            column.type().sql(),
            column.nullability() == Nullability.REQUIRED ? " NOT NULL" : "",
            SqlLiteral.of(column.comment()));
  }

  static String addFields(String relation, String column, List<StructField> fields) {
    return fields.stream()
        .map(field -> "`%s`.`%s` %s".formatted(column, field.name(), field.dataType().sql()))
        .collect(Collectors.joining(", ", "ALTER TABLE " + relation + " ADD COLUMNS (", ")"));
  }

  private static NavigableMap<String, String> properties(TableDefinition definition) {
    NavigableMap<String, String> properties = new TreeMap<>();
    properties.put("tidemark.formatVersion", Integer.toString(TableDefinition.FORMAT_VERSION));
    String history = "interval %d days".formatted(TableDefinition.HISTORY.toDays());
    properties.put("delta.logRetentionDuration", history);
    properties.put("delta.deletedFileRetentionDuration", history);
    definition
        .checks()
        .forEach((name, condition) -> properties.put("delta.constraints." + name, condition));
    for (TableDefinition.Trait trait : definition.traits()) {
      switch (trait) {
        case APPEND_ONLY -> properties.put("delta.appendOnly", "true");
        case CHANGES_KEPT -> {
          properties.put("delta.enableChangeDataFeed", "true");
          properties.put("delta.enableRowTracking", "true");
        }
      }
    }
    return properties;
  }
}
