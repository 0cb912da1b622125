package io.tidemark.tables;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All tables of one generation of a pipeline, where they lie and what they look like. */
public final class PipelineCatalog {

  private PipelineCatalog() {}

  /** In the order in which they are created: the pointer last, so that it names what exists. */
  public static Map<TablePath, TableDefinition> tables(PipelineSpec spec, PipelineTables tables) {
    Map<TablePath, TableDefinition> all = new LinkedHashMap<>();
    all.put(tables.archive(), TableDefinitions.archive(spec));
    all.put(tables.aggregates(), TableDefinitions.aggregates(spec));
    all.put(tables.progress(), JournalDefinitions.progress());
    all.put(tables.settlements(), JournalDefinitions.settlements());
    all.put(tables.corrections(), TableDefinitions.corrections(spec));
    if (spec.source() instanceof Source.Kafka) {
      all.put(tables.sourceGaps(), JournalDefinitions.sourceGaps());
    }
    all.put(tables.generations(), JournalDefinitions.generations());
    return all;
  }

  /** Statements that create all tables in this format. */
  public static List<String> ddl(PipelineSpec spec, PipelineTables tables, TableFormat format) {
    return tables(spec, tables).entrySet().stream()
        .map(table -> format.ddl(table.getKey(), table.getValue()))
        .toList();
  }
}
