package io.tidemark.tests.harness;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.Tidemark;
import io.tidemark.delta.DeltaTableFormat;
import io.tidemark.ingest.AggregateJob;
import io.tidemark.ingest.ImportJob;
import io.tidemark.ingest.ImportOutcome;
import io.tidemark.ingest.IngestJob;
import io.tidemark.ingest.StopSignal;
import io.tidemark.ingest.StreamRun;
import io.tidemark.ingest.StreamRun.Pace;
import io.tidemark.reconcile.ExplainJob;
import io.tidemark.reconcile.PipelineStatus;
import io.tidemark.reconcile.SessionViews;
import io.tidemark.reconcile.SettleJob;
import io.tidemark.reconcile.SettleOutcome;
import io.tidemark.reconcile.SettleRequest;
import io.tidemark.reconcile.StatusJob;
import io.tidemark.reconcile.UnsettleJob;
import io.tidemark.reconcile.UnsettleJob.Undoing;
import io.tidemark.reconcile.VerifyJob;
import io.tidemark.reconcile.VerifyJob.Verification;
import io.tidemark.reconcile.maintain.MaintainJob;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.tables.PipelineSetup;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.SqlLiteral;
import io.tidemark.tables.TablePath;
import io.tidemark.tables.Warehouse;
import io.tidemark.tests.oracle.ArrivalBatch;
import io.tidemark.tests.oracle.Group;
import io.tidemark.tests.oracle.SourceRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A pipeline of generated events in a warehouse of its own. */
public final class TestPipeline {

  /** The wall clock of all jobs. No number depends on it. */
  public static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-02T02:00:00Z"), ZoneOffset.UTC);

  private static final Instant FIRST_LANDING = Instant.parse("2026-03-01T00:00:00Z");

  private final SparkSession spark = TestSpark.session();
  private final DeltaTableFormat format = new DeltaTableFormat(spark);
  private final Path directory;
  private final String warehouse;
  private final Path landing;
  private final PipelineYaml yaml;
  private final PipelineSpec spec;
  private final PipelineTables tables;
  private final List<SourceRecord> landed = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private int files;
  private int attempts;
  private boolean viewsRegistered;

  private TestPipeline(Path directory, String warehouse, Path landing, PipelineYaml yaml)
      throws IOException {
    this.directory = directory;
    this.warehouse = warehouse;
    this.landing = landing;
    this.yaml = yaml;
    this.spec = yaml.spec();
    Files.writeString(file(), yaml.text());
    if (!warehouse.contains(":")) {
      FreshTables.make(spec, new Warehouse(warehouse), format);
    }
    this.tables = setup(yaml).create(CLOCK);
  }

  /**
   * Makes an empty pipeline.
   *
   * @param change what its file has otherwise than {@link PipelineYaml#reading}
   */
  public static TestPipeline in(Path directory, UnaryOperator<PipelineYaml> change)
      throws IOException {
    return in(directory, directory.resolve("warehouse").toString(), change);
  }

  /** The same, with its tables elsewhere. */
  public static TestPipeline in(
      Path directory, String warehouse, UnaryOperator<PipelineYaml> change) throws IOException {
    Path landing = Files.createDirectories(directory.resolve("landing"));
    return new TestPipeline(
        directory, warehouse, landing, change.apply(PipelineYaml.reading(landing)));
  }

  /** The same tables after the pipeline file was changed, as the jobs would open them. */
  public PipelineTables openedWith(PipelineYaml changed) {
    return setup(changed).open().live().tables();
  }

  /** The way to the same tables by another pipeline file. */
  public PipelineSetup setup(PipelineYaml file) {
    return new PipelineSetup(spark, file.parsed(), new Warehouse(warehouse()), format);
  }

  public PipelineYaml yaml() {
    return yaml;
  }

  public Path file() {
    return directory.resolve("events.yaml");
  }

  public String warehouse() {
    return warehouse;
  }

  public PipelineSpec spec() {
    return spec;
  }

  public PipelineTables tables() {
    return tables;
  }

  /** A verb of the command line on this pipeline, with the settings of this session. */
  public List<String> commandLine(String... verb) {
    List<String> line = commandLineWithDefaults(verb);
    TestSpark.SETTINGS.forEach((key, value) -> line.addAll(List.of("--conf", key + "=" + value)));
    return line;
  }

  /** Runs a verb in this process, asks that it ends with the exit code, and reads its result. */
  public JsonNode answer(int exitCode, String... verb) throws IOException {
    Path result = directory.resolve("result.json");
    List<String> line = commandLine(verb);
    line.addAll(List.of("--result", result.toString()));
    int exited = Tidemark.run(line.toArray(String[]::new));
    JsonNode answer = new ObjectMapper().readTree(result.toFile());
    assertThat(exited).as(answer.toString()).isEqualTo(exitCode);
    return answer;
  }

  /** The same with the settings that a user gets. */
  public List<String> commandLineWithDefaults(String... verb) {
    List<String> line = new ArrayList<>(List.of(verb));
    line.add(1, file().toString());
    line.addAll(List.of("--warehouse", warehouse()));
    return line;
  }

  public DeltaTableFormat format() {
    return format;
  }

  public SparkSession spark() {
    return spark;
  }

  /** Every record that has landed. */
  public List<SourceRecord> landed() {
    return List.copyOf(landed);
  }

  /** What the jobs told the operator. */
  public List<String> messages() {
    return List.copyOf(messages);
  }

  /** Lands a file that is a second newer than the one before. */
  public void land(ArrivalBatch batch) throws IOException {
    Path file = batch.landIn(landing);
    Files.setLastModifiedTime(file, FileTime.from(FIRST_LANDING.plusSeconds(files++)));
    landed.addAll(batch.records());
  }

  /** Lands the records as one file. */
  public void land(String fileName, List<SourceRecord> records) throws IOException {
    land(new ArrivalBatch(fileName, records));
  }

  public IngestJob ingestJob() {
    return new IngestJob(spark, spec, tables, format);
  }

  public ExplainJob explainJob() {
    return new ExplainJob(spark, spec, tables, format, CLOCK);
  }

  public AggregateJob aggregateJob() {
    return new AggregateJob(spark, spec, tables, format, CLOCK);
  }

  /** {@code stream --available-now}. */
  public void stream() {
    run().run(List.of(ingestJob(), aggregateJob()), new Pace.AvailableNow(), new StopSignal());
  }

  /** {@code ingest --available-now}. */
  public void ingest() {
    run().run(List.of(ingestJob()), new Pace.AvailableNow(), new StopSignal());
  }

  /** {@code aggregate --available-now}. */
  public void aggregate() {
    run().run(List.of(aggregateJob()), new Pace.AvailableNow(), new StopSignal());
  }

  /** {@code import}, of files or directories. */
  public ImportOutcome importFrom(Path... locations) {
    return new ImportJob(spark, spec, tables, format, UUID.randomUUID().toString())
        .run(Arrays.stream(locations).map(Path::toString).toList());
  }

  private StreamRun run() {
    return new StreamRun(Duration.ofMinutes(1), messages::add);
  }

  /** {@code stream}, running until it is closed. */
  public AlwaysOn alwaysOn() throws Exception {
    return AlwaysOn.start(this);
  }

  /** {@code settle}. */
  public SettleOutcome settle() {
    return settle(new SettleRequest.BehindFrontier(Optional.empty()));
  }

  /** {@code settle --close}. */
  public SettleOutcome close() {
    return settle(new SettleRequest.Close(Optional.empty(), "the source has ended"));
  }

  public SettleOutcome settle(SettleRequest request) {
    int attempt = ++attempts;
    return new SettleJob(spark, spec, tables, format, CLOCK, () -> "attempt-" + attempt)
        .run(request);
  }

  /** {@code unsettle}; empty where nothing is settled. */
  public Optional<Undoing> unsettle(String reason) {
    return new UnsettleJob(spark, spec, tables, format, CLOCK, () -> UUID.randomUUID().toString())
        .run(reason);
  }

  /** {@code maintain}, by the clock of the commits: this machine's. */
  public MaintainJob maintainJob() {
    return new MaintainJob(
        spark, () -> setup(yaml).open(), setup(yaml).open().live(), format, Clock.systemUTC());
  }

  /** {@code verify}; something must be settled. */
  public Verification verify() {
    return new VerifyJob(spark, spec, tables, format, CLOCK).run().orElseThrow();
  }

  /** {@code status}, so long after the jobs ran. */
  public PipelineStatus statusAfter(Duration later) {
    return new StatusJob(spark, tables, format, Clock.offset(CLOCK, later))
        .run(spec.name().value());
  }

  /**
   * Rewrites a day of the aggregates, a file for each key, as many settlements of dirty pairs leave
   * it.
   */
  public void scatter(LocalDate day, int keys) {
    String condition = "window_date = " + SqlLiteral.of(day);
    read(tables.aggregates())
        .filter(condition)
        .repartitionByRange(keys, col("key"))
        .write()
        .format("delta")
        .mode("overwrite")
        .option("replaceWhere", condition)
        .save(tables.aggregates().value());
  }

  public Dataset<Row> read(TablePath table) {
    return format.read(table);
  }

  /** A view as it is now; the empty suffix is the main one. */
  public Dataset<Row> view(String suffix) {
    if (!viewsRegistered || suffix.equals("_late")) {
      new SessionViews(spark, spec, tables, format, CLOCK).register();
      viewsRegistered = true;
    }
    return spark.table(spec.name() + suffix);
  }

  /**
   * The main view.
   *
   * @throws IllegalStateException if a window and key stands there twice
   */
  public Map<Group, ShownRow> shown() {
    return view("").collectAsList().stream()
        .collect(Collectors.toMap(ShownRow::group, ShownRow::of));
  }

  /** The measures of the main view. */
  public Map<Group, io.tidemark.tests.oracle.Row> measures() {
    return shown().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, row -> row.getValue().measures()));
  }

  /** The ledger, oldest settlement first. */
  public List<LedgerRow> ledger() {
    return read(tables.settlements()).orderBy(col("settlement")).collectAsList().stream()
        .map(LedgerRow::of)
        .toList();
  }
}
