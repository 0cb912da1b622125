package io.tidemark.spec.computation;

import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.avro.functions$;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Reads values in Avro's binary encoding, and tells those that are not wholly of the schema.
 * Spark's {@code from_avro} alone gives nulls for what it cannot read, as it does for an event of
 * nulls; it does not see what is left over, as of a value of another schema or with a registry's
 * header; and it believes the length of a text before it reads it, so that a few wrong bytes cost
 * gigabytes.
 *
 * <p>So a value is read as the first field of a record whose second is a mark: the encoding of a
 * record is that of its fields, one after the other. Where the mark is not found right behind the
 * value, the value is broken. And it is read only if it can be walked through, which needs no
 * memory.
 *
 * @param schema of that record, as JSON
 */
record AvroFrame(String schema) {

  private static final byte[] MARK = "tidemark".getBytes(StandardCharsets.US_ASCII);
  private static final String CONTENT = "content";
  private static final String END = "end";

  static AvroFrame around(String schema) {
    Schema frame =
        Schema.createRecord(
            "TidemarkFrame",
            null,
            null,
            false,
            List.of(
                new Schema.Field(CONTENT, new Schema.Parser().parse(schema)),
                new Schema.Field(
                    END, Schema.createFixed("TidemarkMark", null, null, MARK.length))));
    return new AvroFrame(frame.toString());
  }

  /** What {@link #content} and {@link #isBroken} are asked of. */
  Column read(Column value) {
    Column framed = concat(value, lit(MARK));
    Column safe = when(udf(new CanBeRead(schema), DataTypes.BooleanType).apply(framed), framed);
    return functions$.MODULE$.from_avro(safe, schema, Map.of("mode", "PERMISSIVE"));
  }

  Column content(Column read) {
    return read.getField(CONTENT);
  }

  Column isBroken(Column read) {
    return read.getField(END).eqNullSafe(lit(MARK)).equalTo(lit(false));
  }

  /**
   * Whether no part of a value is longer than the bytes that are left. Avro's own way to skip a
   * value believes the length in bytes of a block of items, which its reader then ignores.
   */
  private static final class CanBeRead implements UDF1<byte[], Boolean> {

    private static final long serialVersionUID = 1L;

    private final String json;
    private transient @Nullable Schema schema;

    private CanBeRead(String json) {
      this.json = json;
    }

    @Override
    public Boolean call(byte @Nullable [] value) {
      if (value == null) {
        return false;
      }
      if (schema == null) {
        schema = new Schema.Parser().parse(json);
      }
      Decoder decoder = DecoderFactory.get().binaryDecoder(value, null);
      try {
        walk(schema, decoder, value.length);
        return true;
      } catch (IOException | RuntimeException e) {
        return false;
      }
    }

    /**
     * Reads past a value.
     *
     * @param most items that an array or map may have
     */
    private static void walk(Schema schema, Decoder decoder, long most) throws IOException {
      switch (schema.getType()) {
        case RECORD -> {
          for (Schema.Field field : schema.getFields()) {
            walk(field.schema(), decoder, most);
          }
        }
        case ARRAY -> {
          for (long n = checked(decoder.readArrayStart(), most);
              n > 0;
              n = checked(decoder.arrayNext(), most)) {
            for (long i = 0; i < n; i++) {
              walk(schema.getElementType(), decoder, most);
            }
          }
        }
        case MAP -> {
          for (long n = checked(decoder.readMapStart(), most);
              n > 0;
              n = checked(decoder.mapNext(), most)) {
            for (long i = 0; i < n; i++) {
              decoder.skipString();
              walk(schema.getValueType(), decoder, most);
            }
          }
        }
        case UNION -> walk(schema.getTypes().get(decoder.readIndex()), decoder, most);
        case FIXED -> decoder.skipFixed(schema.getFixedSize());
        case STRING -> decoder.skipString();
        case BYTES -> decoder.skipBytes();
        case ENUM -> decoder.readEnum();
        case INT -> decoder.readInt();
        case LONG -> decoder.readLong();
        case FLOAT -> decoder.readFloat();
        case DOUBLE -> decoder.readDouble();
        case BOOLEAN -> decoder.readBoolean();
        case NULL -> decoder.readNull();
      }
    }

    private static long checked(long items, long most) throws IOException {
      if (items > most) {
        throw new IOException(items + " items in " + most + " bytes");
      }
      return items;
    }
  }
}
