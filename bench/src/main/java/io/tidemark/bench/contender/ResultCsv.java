package io.tidemark.bench.contender;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat_ws;
import static org.apache.spark.sql.functions.date_format;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;

/** A contender's result in the form of the oracle's file. */
final class ResultCsv {

  private ResultCsv() {}

  /**
   * Writes it, in no order.
   *
   * @param rows with {@code window_start, key, event_count, total}
   */
  static void write(Dataset<Row> rows, Path file) throws IOException {
    Iterator<String> lines =
        rows.select(
                concat_ws(
                    ",",
                    date_format(col("window_start"), "yyyy-MM-dd'T'HH:mm:ss'Z'"),
                    col("key"),
                    col("event_count"),
                    col("total")))
            .as(Encoders.STRING())
            .toLocalIterator();
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      while (lines.hasNext()) {
        out.write(lines.next());
        out.newLine();
      }
    }
  }
}
