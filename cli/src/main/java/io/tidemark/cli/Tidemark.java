package io.tidemark.cli;

import io.tidemark.cli.verb.AggregateVerb;
import io.tidemark.cli.verb.CanaryVerb;
import io.tidemark.cli.verb.CompareVerb;
import io.tidemark.cli.verb.DdlVerb;
import io.tidemark.cli.verb.ExplainVerb;
import io.tidemark.cli.verb.ImportVerb;
import io.tidemark.cli.verb.IngestVerb;
import io.tidemark.cli.verb.InitVerb;
import io.tidemark.cli.verb.LatenessVerb;
import io.tidemark.cli.verb.MaintainVerb;
import io.tidemark.cli.verb.PlanVerb;
import io.tidemark.cli.verb.PreviewVerb;
import io.tidemark.cli.verb.PromoteVerb;
import io.tidemark.cli.verb.RebuildVerb;
import io.tidemark.cli.verb.RetireVerb;
import io.tidemark.cli.verb.RollBackVerb;
import io.tidemark.cli.verb.SettleVerb;
import io.tidemark.cli.verb.SqlVerb;
import io.tidemark.cli.verb.StatusVerb;
import io.tidemark.cli.verb.StreamVerb;
import io.tidemark.cli.verb.UnsettleVerb;
import io.tidemark.cli.verb.ValidateVerb;
import io.tidemark.cli.verb.VerifyVerb;
import io.tidemark.tables.Generation;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.TimeZone;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;
import scala.Option;

/**
 * The program {@code tidemark}. It ends with an exit code that a scheduler can read; {@link
 * ExitCode} lists them.
 */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = VersionProvider.class,
    description =
        "Numbers within seconds from a stream, and numbers to bill from by a nightly recount.",
    subcommands = {
      ValidateVerb.class,
      PreviewVerb.class,
      InitVerb.class,
      DdlVerb.class,
      IngestVerb.class,
      AggregateVerb.class,
      StreamVerb.class,
      ImportVerb.class,
      SettleVerb.class,
      UnsettleVerb.class,
      VerifyVerb.class,
      StatusVerb.class,
      LatenessVerb.class,
      ExplainVerb.class,
      SqlVerb.class,
      MaintainVerb.class,
      PlanVerb.class,
      RebuildVerb.class,
      CompareVerb.class,
      CanaryVerb.class,
      PromoteVerb.class,
      RollBackVerb.class,
      RetireVerb.class,
    },
    footer = {
      "",
      "Exit codes: 0 done; 1 unexpected; 2 wrong use or pipeline file; 3 the data says no;",
      "            4 try again; 5 unsafe environment."
    })
public final class Tidemark {

  private Tidemark() {}

  /** Runs a command and ends the process, whatever threads are left. */
  public static void main(String[] arguments) {
    GracefulStop.ownsProcess();
    int exitCode = run(arguments);
    Option<SparkSession> session = SparkSession.getDefaultSession();
    if (session.isDefined()) {
      SessionFactory.close(session.get());
    }
    GracefulStop.ended(exitCode);
    System.exit(exitCode);
  }

  /** Runs a command. */
  public static int run(String... arguments) {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    return new CommandLine(new Tidemark())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Instant.class, TextConverters::instant)
        .registerConverter(LocalDate.class, TextConverters::day)
        .registerConverter(Duration.class, TextConverters::duration)
        .registerConverter(Generation.class, TextConverters::generation)
        .execute(arguments);
  }
}
