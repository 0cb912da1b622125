package io.tidemark.spec.parse;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.DerivedColumn;
import io.tidemark.spec.expression.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;

/** Reads the section {@code derive}; each column sees the event's and those above it. */
final class DeriveReader {

  private Columns columns;
  private final List<DerivedColumn> derived = new ArrayList<>();

  /**
   * @param eventColumns what the first derived column sees
   */
  DeriveReader(Columns eventColumns) {
    this.columns = eventColumns;
  }

  List<DerivedColumn> read(YamlValue value) {
    Map<String, YamlValue> expressions = value.namedValues().orElse(Map.of());
    expressions.forEach(this::add);
    return derived;
  }

  /** The event's columns and the derived ones read so far. */
  Columns columns() {
    return columns;
  }

  private void add(String name, YamlValue value) {
    Optional<Refusal> badName = Columns.refusedName(name);
    badName.ifPresent(value::refuse);
    if (columns.has(name)) {
      value.refuse("there is a column " + name + " already (case is ignored)", "Rename this one.");
      return;
    }
    Optional<String> sql = value.text();
    Optional<DataType> type = sql.flatMap(text -> new ExpressionReader(columns).type(value, text));
    if (badName.isEmpty() && sql.isPresent() && type.isPresent()) {
      derived.add(new DerivedColumn(new ColumnName(name), sql.get(), type.get()));
      columns = columns.with(new ColumnName(name), type.get());
    } else {
      columns = columns.withBroken(name);
    }
  }
}
