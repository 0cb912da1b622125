package io.tidemark.cli.verb;

import io.tidemark.cli.ExitCode;
import io.tidemark.cli.VerbResult;
import io.tidemark.reconcile.AsOfSettlement;
import io.tidemark.reconcile.PipelineStatus;
import io.tidemark.reconcile.StatusJob;
import io.tidemark.spec.Health;
import io.tidemark.spec.PipelineName;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.tables.Generation;
import io.tidemark.tables.PipelineTables;
import io.tidemark.tables.TableFormat;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark status}: how pipelines stand, and whether they are in time. */
@Command(
    name = "status",
    description =
        "Say how a pipeline stands; exit 3 where it is beyond a limit of the file's health.",
    footer = {
      "",
      "Examples:",
      "  tidemark status clicks.yaml --max-lag 5m",
      "  tidemark status --all --json"
    })
public final class StatusVerb extends TableVerb {

  @Parameters(arity = "0..1", paramLabel = "PIPELINE", description = "The pipeline's YAML file.")
  private java.nio.file.@Nullable Path file;

  @Option(names = "--all", description = "Every pipeline of the warehouse.")
  private boolean all;

  @Option(
      names = "--max-lag",
      paramLabel = "DURATION",
      description =
          "How long an archived record may wait for the aggregate stream; without it the pipeline"
              + " file's health.max-lag.")
  private @Nullable Duration maxLag;

  @Mixin private Moment moment = new Moment();

  @Override
  VerbResult execute() {
    Optional<PipelineSpec> spec =
        Optional.ofNullable(file).map(path -> new PipelineFile(path).parse().spec());
    if (spec.isPresent() == all) {
      throw new SpecException("Give either a pipeline file or --all.");
    }
    if (!moment.isNow() && (all || maxLag != null)) {
      throw new SpecException(
          "--as-of-settlement shows one pipeline as it was: it goes with neither --all nor"
              + " --max-lag.");
    }
    Health limits = moment.isNow() ? limits(spec) : Health.UNLIMITED;
    SparkSession spark = spark(spec.map(s -> s.name().value()).orElse("of all"));
    List<String> names = spec.map(s -> List.of(s.name().value())).orElseGet(() -> pipelines(spark));
    TableFormat format = format(spark);
    List<PipelineStatus> found = new ArrayList<>();
    for (String name : names) {
      PipelineTables tables =
          StatusJob.live(spark, format, warehouse().of(new PipelineName(name), Generation.FIRST));
      AsOfSettlement shown = moment.of(format, tables, clock);
      found.add(new StatusJob(spark, tables, shown.tables(), shown.clock()).run(name));
    }
    return answer(found, limits);
  }

  private Health limits(Optional<PipelineSpec> spec) {
    Health own = spec.map(PipelineSpec::health).orElse(Health.UNLIMITED);
    return new Health(
        Optional.ofNullable(maxLag).or(own::maxLag), own.maxSilence(), own.maxLeftOutShare());
  }

  private List<String> pipelines(SparkSession spark) {
    Path root = new Path(warehouse().root());
    try {
      FileSystem fileSystem = root.getFileSystem(spark.sparkContext().hadoopConfiguration());
      List<String> pipelines = new ArrayList<>();
      for (FileStatus folder : fileSystem.listStatus(root)) {
        String name = folder.getPath().getName();
        if (PipelineName.isValid(name)
            && fileSystem.exists(new Path(folder.getPath(), "generations/_delta_log"))) {
          pipelines.add(name);
        }
      }
      return pipelines.stream().sorted().toList();
    } catch (FileNotFoundException e) {
      throw new SpecException("There is no warehouse " + root + ". Mend --warehouse.", e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list the warehouse " + root, e);
    }
  }

  private static VerbResult answer(List<PipelineStatus> found, Health limits) {
    List<String> late = said(found, status -> HealthCheck.late(status, limits));
    List<String> unhealthy = new ArrayList<>(late);
    unhealthy.addAll(said(found, status -> HealthCheck.silent(status, limits)));
    unhealthy.addAll(said(found, status -> HealthCheck.leavingOut(status, limits)));
    String text =
        found.stream().map(StatusText::of).collect(Collectors.joining("\n\n"))
            + unhealthy.stream().map(line -> "\n\n" + line).collect(Collectors.joining());
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("pipelines", found.stream().map(StatusText::data).toList());
    data.put("late", late);
    data.put("unhealthy", unhealthy);
    return new VerbResult(
        unhealthy.isEmpty() ? ExitCode.DONE : ExitCode.DATA_REFUSED,
        found.isEmpty() ? "There is no pipeline in this warehouse." : text,
        data);
  }

  private static List<String> said(
      List<PipelineStatus> found, Function<PipelineStatus, Optional<String>> check) {
    return found.stream().map(check).flatMap(Optional::stream).toList();
  }
}
