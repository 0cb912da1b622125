package io.tidemark.delta;

import io.tidemark.tables.ColumnDefinition;
import io.tidemark.tables.ColumnDefinition.Nullability;
import io.tidemark.tables.SqlText;
import io.tidemark.tables.TableDefinition;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Delta's SQL for a table definition. */
final class DeltaDdl {

  private DeltaDdl() {}

  static List<String> statements(String relation, TableDefinition definition) {
    return Stream.concat(
            Stream.of(createTable(relation, definition)),
            missingChecks(relation, definition, Map.of()).stream())
        .toList();
  }

  static String createTable(String relation, TableDefinition definition) {
    String columns =
        definition.columns().stream().map(DeltaDdl::column).collect(Collectors.joining(",\n  "));
    String partition =
        definition.partitionColumn().map("\nPARTITIONED BY (`%s`)"::formatted).orElse("");
    String properties =
        properties(definition).entrySet().stream()
            .map(property -> "'%s' = '%s'".formatted(property.getKey(), property.getValue()))
            .collect(Collectors.joining(",\n  "));
    return "CREATE TABLE IF NOT EXISTS %s (\n  %s)\nUSING delta%s\nCOMMENT %s\nTBLPROPERTIES (\n  %s)"
        .formatted(relation, columns, partition, SqlText.literal(definition.comment()), properties);
  }

  private static String column(ColumnDefinition column) {
    return "`%s` %s%s COMMENT %s"
        .formatted(
            column.name(),
            column.type().sql(),
            column.nullability() == Nullability.REQUIRED ? " NOT NULL" : "",
            SqlText.literal(column.comment()));
  }

  /** Checks cannot be given at creation; a crash between may have left some out. */
  static List<String> missingChecks(
      String relation, TableDefinition definition, Map<String, String> present) {
    return definition.checks().entrySet().stream()
        .filter(check -> !present.containsKey("delta.constraints." + check.getKey()))
        .map(
            check ->
                "ALTER TABLE %s ADD CONSTRAINT %s CHECK (%s)"
                    .formatted(relation, check.getKey(), check.getValue()))
        .toList();
  }

  private static SortedMap<String, String> properties(TableDefinition definition) {
    SortedMap<String, String> properties = new TreeMap<>();
    properties.put("tidemark.formatVersion", Integer.toString(TableDefinition.FORMAT_VERSION));
    // How far back a table can be read, streamed and recounted from.
    properties.put("delta.logRetentionDuration", "interval 30 days");
    properties.put("delta.deletedFileRetentionDuration", "interval 30 days");
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
