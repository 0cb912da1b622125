package io.tidemark.tables;

import io.tidemark.spec.EventSpec;
import io.tidemark.spec.computation.ArchiveColumns;
import io.tidemark.spec.error.SpecException;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The event's columns that an archive has, and how they become more. */
public final class ArchiveSchema {

  private ArchiveSchema() {}

  /**
   * Gives the archive the columns that a pipeline file appends to the event's schema. What is
   * archived already has null there. Changes nothing where it has them.
   *
   * @throws SpecException if the archive has columns that the file has not, or has otherwise: they
   *     would be null from now on, or hold another thing than before
   * @throws io.tidemark.spec.error.ConflictException if another writer came first
   */
  public static void appendColumns(TableFormat format, TablePath archive, EventSpec event) {
    StructField[] stored = stored(format, archive);
    StructField[] wanted = event.schema().fields();
    for (int i = 0; i < stored.length; i++) {
      if (i >= wanted.length || !inWords(stored[i]).equals(inWords(wanted[i]))) {
        throw new SpecException(
            "Cannot archive into %s by this file: its column %d of the event is '%s', and the file %s. Columns of an archive never change nor go; new ones are appended at the end of event.schema."
                .formatted(
                    archive,
                    i + 1,
                    inWords(stored[i]),
                    i >= wanted.length
                        ? "has none there (it may be an older one)"
                        : "has '" + inWords(wanted[i]) + "' there"));
      }
    }
    List<StructField> more = Arrays.stream(wanted).skip(stored.length).toList();
    if (!more.isEmpty()) {
      format.addFields(archive, ArchiveColumns.EVENT, more);
    }
  }

  /**
   * The columns, like {@code gate string}, that {@link #appendColumns} would append; none where it
   * would refuse.
   */
  public static List<String> newColumns(TableFormat format, TablePath archive, EventSpec event) {
    List<String> stored =
        Arrays.stream(stored(format, archive)).map(ArchiveSchema::inWords).toList();
    List<String> wanted =
        Arrays.stream(event.schema().fields()).map(ArchiveSchema::inWords).toList();
    return wanted.size() > stored.size() && wanted.subList(0, stored.size()).equals(stored)
        ? wanted.subList(stored.size(), wanted.size())
        : List.of();
  }

  private static StructField[] stored(TableFormat format, TablePath archive) {
    return ((StructType) format.read(archive).schema().apply(ArchiveColumns.EVENT).dataType())
        .fields();
  }

  private static String inWords(StructField column) {
    return column.name() + " " + column.dataType().catalogString();
  }
}
