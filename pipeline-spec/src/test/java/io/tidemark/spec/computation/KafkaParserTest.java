package io.tidemark.spec.computation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.parse.PipelineText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
class KafkaParserTest {

  private static final String ARRIVED = "2026-03-01T12:00:00Z";

  private static final StructType RECORD =
      new StructType()
          .add("key", DataTypes.BinaryType)
          .add("value", DataTypes.BinaryType)
          .add("topic", DataTypes.StringType)
          .add("partition", DataTypes.IntegerType)
          .add("offset", DataTypes.LongType)
          .add("timestamp", DataTypes.TimestampType)
          .add(
              "headers",
              DataTypes.createArrayType(
                  new StructType()
                      .add("key", DataTypes.StringType)
                      .add("value", DataTypes.BinaryType)));

  private static final Schema CLICK =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Click", "namespace": "org.example", "fields": [
                {"name": "id", "type": "string"},
                {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                {"name": "cost", "type": ["null", "long"]}]}""");

  private static final PipelineSpec JSON =
      PipelineText.good()
          .with(
              "source",
              "{kind: kafka, bootstrap-servers: 'b:1', topic: t, format: json, columns: {who: key,"
                  + " trace: header(trace), logged: timestamp}}")
          .with(
              "event",
              "{schema: 'id STRING, who STRING, trace STRING, logged TIMESTAMP, at TIMESTAMP', id:"
                  + " id, time: at}")
          .spec();

  private static final PipelineSpec AVRO =
      PipelineText.good()
          .with(
              "source",
              "{kind: kafka, bootstrap-servers: 'b:1', topic: t, format: avro, avro-schema: '"
                  + CLICK
                  + "', columns: {who: key}}")
          .with(
              "event",
              "{schema: 'id STRING, who BINARY, at TIMESTAMP, cost BIGINT', id: id, time: at}")
          .spec();

  @Test
  void aRecordIsArchivedWithItsPartsPositionAndTimestamp() {
    assertThat(
            archived(
                JSON,
                record(7, "k", "{\"id\": \"a\", \"at\": \"2026-03-01T11:59:00Z\"}", "trace", "x")))
        .containsExactly(
            "{\"event\":{\"id\":\"a\",\"who\":\"k\",\"trace\":\"x\","
                + "\"logged\":\"2026-03-01T12:00:00.000Z\",\"at\":\"2026-03-01T11:59:00.000Z\"},"
                + "\"event_time\":\"2026-03-01T11:59:00.000Z\","
                + "\"arrival_time\":\"2026-03-01T12:00:00.000Z\","
                + "\"source_position\":{\"topic\":\"t\",\"partition\":3,\"offset\":7},"
                + "\"event_date\":\"2026-03-01\"}");
  }

  @Test
  void ofSeveralHeadersOfOneNameTheLastCountsAndNoHeaderIsNull() {
    String value = "{\"id\": \"a\", \"at\": \"2026-03-01T11:59:00Z\"}";
    assertThat(
            column(
                JSON,
                "event.trace",
                record(1, "k", value, "trace", "first", "other", "no", "trace", "last"),
                record(2, "k", value, "other", "no"),
                record(3, "k", value)))
        .containsExactly("last", null, null);
  }

  @Test
  void aTombstoneKeepsItsKey() {
    assertThat(archived(JSON, record(8, "gone", null)))
        .containsExactly(
            "{\"event\":{\"who\":\"gone\",\"logged\":\"2026-03-01T12:00:00.000Z\"},"
                + "\"arrival_time\":\"2026-03-01T12:00:00.000Z\","
                + "\"source_position\":{\"topic\":\"t\",\"partition\":3,\"offset\":8},"
                + "\"problem\":\"tombstone\"}");
  }

  @Test
  void whatIsNoJsonIsKeptAsItCame() {
    byte[] noText = {'{', (byte) 0xC3, (byte) 0x28, '}'};
    byte[] badTextInJson = "{\"id\": \"X\"}".getBytes(StandardCharsets.UTF_8);
    badTextInJson[8] = (byte) 0xFF;
    List<Row> rows =
        rows(
            JSON,
            record(1, "k", "{\"id\": 1"),
            record(2, "k", ""),
            record(3, "k", "[]"),
            record(4, "k", "{\"id\": \"a\", \"at\": \"soon\"}"),
            record(5, bytes("k"), noText),
            record(6, bytes("k"), badTextInJson),
            record(7, "k", "{\"id\": \"a\"}"));
    assertThat(rows.stream().map(row -> row.getAs("problem")))
        .containsExactly(
            "malformed",
            "malformed",
            "malformed",
            "malformed",
            "malformed",
            "malformed",
            "null-event-time");
    assertThat(rows.stream().map(row -> row.getAs("raw")))
        .containsExactly(
            "{\"id\": 1",
            "",
            "[]",
            "{\"id\": \"a\", \"at\": \"soon\"}",
            "base64:" + Base64.getEncoder().encodeToString(noText),
            "base64:" + Base64.getEncoder().encodeToString(badTextInJson),
            "{\"id\": \"a\"}");
  }

  @Test
  void aRecordWithoutATimestampHasNoArrival() {
    Row record =
        RowFactory.create(
            null,
            bytes("{\"id\": \"a\", \"at\": \"2026-03-01T11:59:00Z\"}"),
            "t",
            3,
            1L,
            new Timestamp(-1),
            null);
    assertThat(column(JSON, "problem", record)).containsExactly("null-arrival-time");
  }

  @Test
  void anAvroValueIsReadBySchema() throws IOException {
    assertThat(archived(AVRO, record(1, bytes("k"), click("a", 42L))))
        .containsExactly(
            "{\"event\":{\"id\":\"a\",\"who\":\"aw==\",\"at\":\"2026-03-01T11:59:00.000Z\",\"cost\":42},"
                + "\"event_time\":\"2026-03-01T11:59:00.000Z\","
                + "\"arrival_time\":\"2026-03-01T12:00:00.000Z\","
                + "\"source_position\":{\"topic\":\"t\",\"partition\":3,\"offset\":1},"
                + "\"event_date\":\"2026-03-01\"}");
  }

  @Test
  void anAvroValueThatIsNotWhollyOfTheSchemaIsMalformed() throws IOException {
    byte[] good = click("a", 42L);
    List<Row> records = new ArrayList<>();
    for (int length = 0; length < good.length; length++) {
      records.add(record(length, bytes("k"), Arrays.copyOf(good, length)));
    }
    byte[] withRegistryHeader = new byte[good.length + 5];
    System.arraycopy(good, 0, withRegistryHeader, 5, good.length);
    records.add(record(100, bytes("k"), withRegistryHeader));
    records.add(record(101, bytes("k"), Arrays.copyOf(good, good.length + 1)));
    records.add(record(102, bytes("k"), Arrays.copyOf(good, good.length + 20)));
    records.add(record(103, bytes("k"), null));

    List<Row> rows = rows(AVRO, records.toArray(Row[]::new));

    assertThat(rows.subList(0, rows.size() - 1))
        .allSatisfy(row -> assertThat(row.<String>getAs("problem")).isEqualTo("malformed"));
    assertThat(rows.get(rows.size() - 1).<String>getAs("problem")).isEqualTo("tombstone");
    assertThat(rows.get(3).<String>getAs("raw"))
        .isEqualTo("base64:" + Base64.getEncoder().encodeToString(Arrays.copyOf(good, 3)));
  }

  /** Lengths in such values are up to 2⁶³ bytes; none may be believed. */
  @Test
  void randomBytesEndNoBatch() {
    Random random = new Random(20260301);
    List<Row> records = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      byte[] value = new byte[random.nextInt(40)];
      random.nextBytes(value);
      records.add(record(i, bytes("k"), value));
    }
    // A text of 2,147,483,000 bytes, which the value does not have.
    records.add(record(5000, bytes("k"), new byte[] {(byte) 0xF0, -11, -1, -1, 15, 1, 1}));
    assertThat(rows(AVRO, records.toArray(Row[]::new))).hasSize(3001);
  }

  /** A block of items may say how long it is in bytes; its reader asks for room by their number. */
  @Test
  void aBlockOfMoreItemsThanBytesIsMalformed() throws IOException {
    PipelineSpec tagged =
        PipelineText.good()
            .with(
                "source",
                "{kind: kafka, bootstrap-servers: 'b:1', topic: t, format: avro, avro-schema: '"
                    + CLICK.toString().replaceAll("]}$", "")
                    + ",{\"name\":\"tags\",\"type\":{\"type\":\"array\",\"items\":\"string\"}}]}"
                    + "', columns: {who: key}}")
            .with(
                "event",
                "{schema: 'id STRING, who BINARY, at TIMESTAMP, cost BIGINT', id: id, time: at}")
            .spec();
    byte[] click = click("a", 5);

    assertThat(
            column(
                tagged,
                "problem",
                record(1, bytes("k"), followedBy(click, 1, 1, 'x', 0)),
                record(2, bytes("k"), followedBy(click, -2_000_000_000, 0, 0)),
                record(3, bytes("k"), followedBy(click, 2_000_000_000, 0))))
        .containsExactly(null, "malformed", "malformed");
  }

  /** With numbers and letters behind it, in Avro's encoding. */
  private static byte[] followedBy(byte[] value, Object... more) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(value);
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    for (Object one : more) {
      if (one instanceof Character letter) {
        bytes.write(letter);
      } else {
        encoder.writeInt((Integer) one);
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void aKeyThatIsNoTextIsMalformedWhereTextIsAskedFor() {
    byte[] value = bytes("{\"id\": \"a\", \"at\": \"2026-03-01T11:59:00Z\"}");
    assertThat(
            column(
                JSON,
                "problem",
                record(1, new byte[] {0, 0, 0, 127}, value),
                record(2, new byte[] {0, 0, 0, (byte) 0x80}, value)))
        .containsExactly(null, "malformed");
  }

  private static byte[] click(String id, long cost) throws IOException {
    GenericRecord click = new GenericData.Record(CLICK);
    click.put("id", id);
    click.put("at", Instant.parse("2026-03-01T11:59:00Z").toEpochMilli());
    click.put("cost", cost);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(CLICK).write(click, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static Row record(
      long offset, String key, @Nullable String value, String... namesAndValues) {
    List<Row> headers = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(RowFactory.create(namesAndValues[i], bytes(namesAndValues[i + 1])));
    }
    return RowFactory.create(
        bytes(key),
        value == null ? null : bytes(value),
        "t",
        3,
        offset,
        Timestamp.from(Instant.parse(ARRIVED)),
        headers.isEmpty() ? null : headers);
  }

  private static Row record(long offset, byte[] key, byte @Nullable [] value) {
    return RowFactory.create(
        key, value, "t", 3, offset, Timestamp.from(Instant.parse(ARRIVED)), null);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<Row> rows(PipelineSpec spec, Row... records) {
    return ArchiveRows.of(
            TestSession.shared().createDataFrame(Arrays.asList(records), RECORD),
            spec.event(),
            spec.source())
        .orderBy("source_position.offset")
        .collectAsList();
  }

  private static List<String> archived(PipelineSpec spec, Row... records) {
    return TestSession.shared()
        .createDataFrame(rows(spec, records), ArchiveColumns.schema(spec.event(), spec.source()))
        .toJSON()
        .collectAsList();
  }

  private static List<String> column(PipelineSpec spec, String name, Row... records) {
    return TestSession.shared()
        .createDataFrame(rows(spec, records), ArchiveColumns.schema(spec.event(), spec.source()))
        .select(name)
        .collectAsList()
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }
}
