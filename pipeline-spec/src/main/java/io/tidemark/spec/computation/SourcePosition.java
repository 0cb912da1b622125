package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;

import io.tidemark.spec.Source;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Where a record stands in its source, unlike that of any other. Of files: path and row index for
 * Parquet, path and hash of the line for text formats. Of Kafka: topic, partition and offset; as
 * history may be imported from files, their fields follow, and are null for a record of the topic.
 */
public final class SourcePosition {

  public static final String TOPIC = "topic";
  public static final String PARTITION = "partition";
  public static final String OFFSET = "offset";
  static final String PATH = "path";
  static final String ROW_INDEX = "row_index";
  static final String RECORD_HASH = "record_hash";

  private static final StructType OF_FILES =
      new StructType()
          .add(PATH, DataTypes.StringType)
          .add(ROW_INDEX, DataTypes.LongType)
          .add(RECORD_HASH, DataTypes.StringType);

  private static final StructType OF_KAFKA =
      new StructType()
          .add(TOPIC, DataTypes.StringType)
          .add(PARTITION, DataTypes.IntegerType)
          .add(OFFSET, DataTypes.LongType);

  private SourcePosition() {}

  /** The type of the archive's column {@code source_position}. */
  public static StructType type(Source source) {
    return source instanceof Source.Kafka
        ? new StructType(
            Stream.of(OF_KAFKA, OF_FILES)
                .flatMap(type -> Stream.of(type.fields()))
                .toArray(StructField[]::new))
        : OF_FILES;
  }

  /** Of a record in a file. */
  static Column ofFile(Source source, Column path, Column rowIndex, Column recordHash) {
    return position(source, Map.of(PATH, path, ROW_INDEX, rowIndex, RECORD_HASH, recordHash));
  }

  /** Of a record in a topic. */
  static Column ofKafka(Source source, Column topic, Column partition, Column offset) {
    return position(source, Map.of(TOPIC, topic, PARTITION, partition, OFFSET, offset));
  }

  private static Column position(Source source, Map<String, Column> known) {
    return struct(
            Stream.of(type(source).fields())
                .map(
                    field ->
                        known
                            .getOrDefault(field.name(), lit(null))
                            .cast(field.dataType())
                            .as(field.name()))
                .toArray(Column[]::new))
        .as(ArchiveColumns.SOURCE_POSITION);
  }

  /** In words. */
  static Column text(String position, Source source) {
    Column row = concat(lit("row "), col(position + "." + ROW_INDEX).cast("string"));
    Column line = concat(lit("line "), col(position + "." + RECORD_HASH));
    Column ofFile = concat(col(position + "." + PATH), lit(" "), coalesce(row, line));
    return source instanceof Source.Kafka
        ? coalesce(
            concat(
                col(position + "." + TOPIC),
                lit(" partition "),
                col(position + "." + PARTITION).cast("string"),
                lit(" offset "),
                col(position + "." + OFFSET).cast("string")),
            ofFile)
        : ofFile;
  }
}
