package io.tidemark.tables;

/**
 * Where the tables and checkpoints of one generation of a pipeline lie.
 *
 * @param root the pipeline's folder in the warehouse
 */
public record PipelineTables(String root, Generation generation) {

  /** Those of another generation of the same pipeline. */
  public PipelineTables of(Generation other) {
    return new PipelineTables(root, other);
  }

  /** The folder of the generation's own tables. */
  public String folder() {
    return root + "/" + generation.name();
  }

  public TablePath archive() {
    return new TablePath(root + "/archive");
  }

  public TablePath generations() {
    return new TablePath(root + "/generations");
  }

  /** Only of sources that can lose records. */
  public TablePath sourceGaps() {
    return new TablePath(root + "/source_gaps");
  }

  public TablePath aggregates() {
    return ofGeneration("aggregates");
  }

  public TablePath progress() {
    return ofGeneration("progress");
  }

  public TablePath settlements() {
    return ofGeneration("settlements");
  }

  public TablePath corrections() {
    return ofGeneration("corrections");
  }

  /** Result files of runs. */
  public String runs() {
    return root + "/runs";
  }

  /** Tables of their own that runs of {@code verify --both-modes} make, a folder for each run. */
  public String bothModes() {
    return root + "/_both_modes";
  }

  /** Of all streaming queries. */
  public String checkpoints() {
    return root + "/_checkpoints";
  }

  public String ingestCheckpoint() {
    return checkpoints() + "/archive";
  }

  public String aggregateCheckpoint() {
    return checkpoints() + "/" + generation.name();
  }

  private TablePath ofGeneration(String table) {
    return new TablePath(folder() + "/" + table);
  }
}
