package io.tidemark.reconcile;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.computation.LeftOutEvents;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.PipelineViews;
import io.tidemark.tables.ServedGeneration;
import io.tidemark.tables.TableFormat;
import io.tidemark.tables.journal.ProgressJournal;
import java.time.Clock;
import org.apache.spark.sql.SparkSession;

/**
 * Makes a pipeline's views in a session. {@code <pipeline>_late} is among them only here: its rows
 * come from the computation itself, which would otherwise be written a second time, in SQL.
 */
public final class SessionViews {

  private final SparkSession spark;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final TableFormat format;
  private final Clock clock;
  private final String name;

  /** Under the pipeline's name. */
  public SessionViews(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock) {
    this(spark, spec, tables, format, clock, spec.name().value());
  }

  /** Those of the candidate, under a name of their own. */
  public static SessionViews ofCandidate(
      SparkSession spark, ServedGeneration candidate, TableFormat format, Clock clock) {
    return new SessionViews(
        spark,
        candidate.spec(),
        candidate.tables(),
        format,
        clock,
        candidate.spec().name() + "_candidate");
  }

  private SessionViews(
      SparkSession spark,
      PipelineSpec spec,
      PipelineTables tables,
      TableFormat format,
      Clock clock,
      String name) {
    this.name = name;
    this.spark = spark;
    this.spec = spec;
    this.tables = tables;
    this.format = format;
    this.clock = clock;
  }

  /**
   * Makes or renews the views. They show the tables as they are when a query runs; {@code _late}
   * shows the archive as it was when the view was made.
   */
  public void register() {
    new PipelineViews(spec, tables, format::relation, name)
        .queries()
        .forEach((view, query) -> spark.sql(query).createOrReplaceTempView(view));
    ProgressJournal progress = new ProgressJournal(spark, format, tables.progress(), clock);
    LeftOutEvents.of(
            format.readWithCommitVersions(tables.archive(), format.version(tables.archive())),
            spec,
            StreamBoundsReader.read(progress, progress.newest()))
        .createOrReplaceTempView(name + "_late");
  }
}
