package io.tidemark.tests.harness;

import io.tidemark.spec.PipelineName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineCatalog;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableDefinition;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.Warehouse;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;

/**
 * Empty tables, copied from some that were created before in this JVM: to create a pipeline's six
 * takes seconds, an eighth of what a test of them takes.
 */
final class FreshTables {

  private static final Map<List<TableDefinition>, PipelineTables> CREATED = new HashMap<>();

  private FreshTables() {}

  /** Makes the pipeline's tables in a warehouse that has none. */
  static synchronized void make(PipelineSpec spec, Warehouse warehouse, TableFormat format)
      throws IOException {
    PipelineTables wanted = warehouse.of(spec.name(), Generation.FIRST);
    List<TableDefinition> definitions = List.copyOf(PipelineCatalog.tables(spec, wanted).values());
    PipelineTables created = CREATED.get(definitions);
    if (created == null) {
      created = created(spec, format);
      CREATED.put(definitions, created);
    }
    FileUtils.copyDirectory(new File(created.root()), new File(wanted.root()));
  }

  private static PipelineTables created(PipelineSpec spec, TableFormat format) throws IOException {
    Path folder = Files.createTempDirectory("tidemark-tests");
    FileUtils.forceDeleteOnExit(folder.toFile());
    PipelineTables tables =
        new Warehouse(folder.toString()).of(new PipelineName("fresh"), Generation.FIRST);
    PipelineCatalog.tables(spec, tables).forEach(format::create);
    return tables;
  }
}
