package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.from_csv;
import static org.apache.spark.sql.functions.from_json;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.md5;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.trim;
import static org.apache.spark.sql.functions.when;

import io.tidemark.spec.EventSpec;
import io.tidemark.spec.FileFormat;
import io.tidemark.spec.Source;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Parses lines of text files and rows of Parquet. */
final class FileParser {

  private static final String LINE = "value";
  private static final String PARSED = "_tidemark_parsed";
  private static final String CORRUPT = "_tidemark_corrupt";

  private FileParser() {}

  /** As {@link SourceRecords#parsed}, by the rules for the source's files. */
  static Dataset<Row> parsed(Dataset<Row> records, EventSpec event, Source source) {
    return source.history().format().isText()
        ? lines(records, event, source)
        : rows(records, source);
  }

  private static Dataset<Row> lines(Dataset<Row> records, EventSpec event, Source source) {
    Source.Files files = source.history();
    StructType withCorrupt = event.schema().add(CORRUPT, DataTypes.StringType);
    Map<String, String> options = new HashMap<>(files.options());
    options.put("mode", "PERMISSIVE");
    options.put("columnNameOfCorruptRecord", CORRUPT);
    Column parsed =
        files.format() == FileFormat.CSV
            ? from_csv(col(LINE), lit(withCorrupt.toDDL()), options)
            : from_json(col(LINE), withCorrupt, options);
    Column[] fields =
        Arrays.stream(event.schema().fields())
            .map(field -> col(PARSED).getField(field.name()).as(field.name()))
            .toArray(Column[]::new);
    return records
        .filter(trim(col(LINE)).notEqual("").and(notAHeader(event, files)))
        .select(
            col(LINE).as(SourceRecords.RAW),
            col("_metadata.file_path").as("_tidemark_path"),
            col("_metadata.file_modification_time").as(SourceRecords.ARRIVED),
            parsed.as(PARSED))
        .select(
            col(SourceRecords.RAW),
            col(SourceRecords.ARRIVED),
            SourcePosition.ofFile(
                source,
                col("_tidemark_path"),
                lit(null).cast(DataTypes.LongType),
                md5(col(SourceRecords.RAW).cast(DataTypes.BinaryType))),
            struct(fields).as(ArchiveColumns.EVENT),
            when(
                    col(PARSED).isNull().or(col(PARSED).getField(CORRUPT).isNotNull()),
                    lit(RecordProblem.MALFORMED.label()))
                .as(SourceRecords.DEFECT));
  }

  private static Dataset<Row> rows(Dataset<Row> records, Source source) {
    Column[] fields =
        Arrays.stream(records.schema().fieldNames())
            .map(name -> col("`" + name + "`"))
            .toArray(Column[]::new);
    return records.select(
        lit(null).cast(DataTypes.StringType).as(SourceRecords.RAW),
        col("_metadata.file_modification_time").as(SourceRecords.ARRIVED),
        SourcePosition.ofFile(
            source,
            col("_metadata.file_path"),
            col("_metadata.row_index"),
            lit(null).cast(DataTypes.StringType)),
        struct(fields).as(ArchiveColumns.EVENT),
        lit(null).cast(DataTypes.StringType).as(SourceRecords.DEFECT));
  }

  /** With {@code header: true}, the line of the column names, quoted or not, is no record. */
  private static Column notAHeader(EventSpec event, Source.Files source) {
    if (source.format() != FileFormat.CSV
        || !Boolean.parseBoolean(source.options().getOrDefault("header", "false"))) {
      return lit(true);
    }
    String separator =
        source.options().getOrDefault("sep", source.options().getOrDefault("delimiter", ","));
    String quote = source.options().getOrDefault("quote", "\"");
    List<String> names = Arrays.stream(event.schema().fields()).map(StructField::name).toList();
    String plain = String.join(separator, names);
    String quoted =
        names.stream().map(name -> quote + name + quote).collect(Collectors.joining(separator));
    String byteOrderMark = "\uFEFF";
    Object[] headers = {plain, quoted, byteOrderMark + plain, byteOrderMark + quoted};
    return lit(true).notEqual(trim(col(LINE)).isin(headers));
  }
}
