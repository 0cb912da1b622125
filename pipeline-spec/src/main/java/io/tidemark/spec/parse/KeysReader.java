package io.tidemark.spec.parse;

import io.tidemark.spec.ColumnName;
import io.tidemark.spec.Key;
import io.tidemark.spec.expression.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.StructField;

/** Reads the list {@code keys}. */
final class KeysReader {

  private final Columns columns;
  private final StoredNames names;

  /**
   * @param columns of the event and derived
   */
  KeysReader(Columns columns, StoredNames names) {
    this.columns = columns;
    this.names = names;
  }

  List<Key> read(YamlValue value) {
    List<Key> keys = new ArrayList<>();
    for (YamlValue item : value.items().orElse(List.of())) {
      columns.named(item).ifPresent(field -> keys.add(key(item, field)));
    }
    return keys;
  }

  private Key key(YamlValue item, StructField field) {
    String name = field.name();
    Optional<Refusal> badType = TypeRules.key(field.dataType());
    badType.ifPresent(
        refusal -> item.refuse("column " + name + " " + refusal.what(), refusal.remedy()));
    String remedy =
        StoredNames.isOwn(name)
            ? "Derive a column with another name, e.g. event_" + name + ": " + name + "."
            : "Name each key once.";
    names.take(name, "the key " + name, remedy).ifPresent(item::refuse);
    return new Key(new ColumnName(name), field.dataType());
  }
}
