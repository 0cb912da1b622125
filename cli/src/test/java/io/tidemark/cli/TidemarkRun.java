package io.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/**
 * One run of the program in this process.
 *
 * @param out what it printed as its answer
 * @param err what it said besides
 */
record TidemarkRun(int exitCode, String out, String err) {

  static TidemarkRun of(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream realOut = System.out;
    PrintStream realErr = System.err;
    int exitCode;
    try {
      System.setOut(new PrintStream(out, true, UTF_8));
      System.setErr(new PrintStream(err, true, UTF_8));
      exitCode = Tidemark.run(arguments);
    } finally {
      System.setOut(realOut);
      System.setErr(realErr);
    }
    return new TidemarkRun(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }
}
