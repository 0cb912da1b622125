package io.tidemark.cli.verb;

import io.tidemark.cli.ExitCode;
import io.tidemark.cli.GoneFile;
import io.tidemark.cli.ResultFile;
import io.tidemark.cli.ResultPlace;
import io.tidemark.cli.UnconfirmedCommit;
import io.tidemark.cli.VerbResult;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.error.TidemarkException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What all verbs share: an exit code for every end, an answer for people or as JSON, and a result
 * file.
 */
abstract class Verb implements Callable<Integer> {

  @Spec private @Nullable CommandSpec command;

  @Option(names = "--json", description = "Answer as JSON instead of text.")
  private boolean json;

  @Option(
      names = "--result",
      paramLabel = "FILE",
      description = "Also write the result as JSON to this file.")
  private @Nullable Path result;

  @Option(names = "--stacktrace", description = "Show where in the program an error came from.")
  private boolean stacktrace;

  final Clock clock = Clock.systemUTC();
  final String runId = UUID.randomUUID().toString();

  /** Does the work. */
  abstract VerbResult execute();

  /** Where the result goes without {@code --result}; empty: nowhere. */
  Optional<ResultPlace> defaultResult() {
    return Optional.empty();
  }

  final String name() {
    return command().name();
  }

  final PrintWriter out() {
    return command().commandLine().getOut();
  }

  /** A sentence for the operator, apart from the answer. */
  final void say(String sentence) {
    command().commandLine().getErr().println(sentence);
  }

  private CommandSpec command() {
    if (command == null) {
      throw new IllegalStateException("a verb outside its command line");
    }
    return command;
  }

  @Override
  public final Integer call() {
    Instant started = clock.instant();
    VerbResult answer;
    try {
      Optional.ofNullable(result).ifPresent(ResultFile::requireWritable);
    } catch (SpecException e) {
      return failed(e.exitCode(), e.getMessage() + "", e).exitCode();
    }
    try {
      answer = execute();
      if (json) {
        out().println(ResultFile.json(answer.data()));
      } else if (!answer.text().isEmpty()) {
        out().println(answer.text());
      }
      out().flush();
    } catch (TidemarkException e) {
      answer = failed(e.exitCode(), e.getMessage() + "", e);
    } catch (Exception e) {
      // Spark throws checked exceptions that it does not declare.
      answer =
          GoneFile.in(e)
              .<TidemarkException>map(gone -> gone)
              .or(() -> UnconfirmedCommit.in(e))
              .map(known -> failed(known.exitCode(), known.getMessage() + "", known))
              .orElseGet(() -> failed(ExitCode.UNEXPECTED, "Unexpected: " + causes(e), e));
    }
    try {
      writeResult(answer, started);
    } catch (RuntimeException e) {
      answer = failed(ExitCode.UNEXPECTED, causes(e), e);
    }
    return answer.exitCode();
  }

  private VerbResult failed(int exitCode, String message, Exception cause) {
    say(message);
    if (stacktrace) {
      cause.printStackTrace(command().commandLine().getErr());
    }
    return new VerbResult(exitCode, message, Map.of("error", message));
  }

  private static String causes(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      text.append(text.isEmpty() ? "" : "\n  caused by ").append(cause);
    }
    return text + "\nRun again with --stacktrace to see where it came from.";
  }

  private void writeResult(VerbResult answer, Instant started) {
    Optional<ResultPlace> place =
        result == null ? defaultResult() : Optional.of(new ResultPlace.LocalFile(result));
    if (place.isEmpty()) {
      return;
    }
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("verb", name());
    data.put("run_id", runId);
    data.put("started_at", started);
    data.put("ended_at", clock.instant());
    data.put("exit_code", answer.exitCode());
    data.putAll(answer.data());
    place.get().write(data);
  }
}
