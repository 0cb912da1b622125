package io.tidemark.tables;

import io.tidemark.spec.PipelineName;

/**
 * The root under which every pipeline has a folder of its own.
 *
 * @param root absolute path or URI, without a slash at its end
 */
public record Warehouse(String root) {

  public Warehouse {
    if (root.isBlank() || root.endsWith("/")) {
      throw new IllegalArgumentException("warehouse root '" + root + "' is blank or ends with '/'");
    }
  }

  public PipelineTables of(PipelineName pipeline, Generation generation) {
    return new PipelineTables(root + "/" + pipeline, generation);
  }
}
