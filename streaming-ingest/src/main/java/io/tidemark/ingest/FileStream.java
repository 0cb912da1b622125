package io.tidemark.ingest;

import io.tidemark.spec.EventSpec;
import io.tidemark.spec.Source;
import io.tidemark.spec.error.TidemarkException;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Files of a directory. They stay where they are, so there is nothing to look after. */
record FileStream(SparkSession spark, Source.Files source, EventSpec event)
    implements SourceStream {

  @Override
  public void check(Checkpoint checkpoint) {}

  @Override
  public List<String> warnings() {
    return List.of();
  }

  @Override
  public Dataset<Row> records(Checkpoint checkpoint) {
    return FileRecords.stream(spark, source, event);
  }

  @Override
  public Optional<TidemarkException> reasonFor(Throwable death, Checkpoint checkpoint) {
    return Optional.empty();
  }
}
