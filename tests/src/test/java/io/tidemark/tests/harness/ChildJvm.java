package io.tidemark.tests.harness;

import io.tidemark.cli.Tidemark;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The command line in a process of its own, with this JVM's options and class path.
 *
 * @param output what it said
 */
public record ChildJvm(Process process, Path output) {

  private static final long LONGEST_MINUTES = 5;

  /**
   * Starts a verb on the pipeline's file.
   *
   * @param jvmOptions besides this JVM's own
   */
  public static ChildJvm start(TestPipeline pipeline, List<String> jvmOptions, String... verb)
      throws IOException {
    return start(pipeline, List.of(), jvmOptions, pipeline.commandLine(verb));
  }

  /** Starts a verb at the priority at which {@code bin/tidemark} runs a rebuild. */
  public static ChildJvm startGently(TestPipeline pipeline, String... verb) throws IOException {
    return start(pipeline, List.of("nice", "-n", "10"), List.of(), pipeline.commandLine(verb));
  }

  /** Starts a verb with the settings that a user gets. */
  public static ChildJvm startWithDefaults(TestPipeline pipeline, String... verb)
      throws IOException {
    return start(pipeline, List.of(), List.of(), pipeline.commandLineWithDefaults(verb));
  }

  private static ChildJvm start(
      TestPipeline pipeline, List<String> before, List<String> jvmOptions, List<String> commandLine)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> !option.startsWith("-javaagent"))
        .forEach(command::add);
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Tidemark.class.getName());
    command.addAll(commandLine);
    Path output = Files.createTempFile(pipeline.file().getParent(), "child", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new ChildJvm(process, output);
  }

  /** Waits for its end and gives the exit code. */
  public int exitCode() throws InterruptedException {
    try {
      if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
        throw new IllegalStateException("The process did not end; it said " + said());
      }
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Asks it to end, by SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  public String said() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return "nothing that can be read: " + e;
    }
  }
}
