package io.tidemark.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * A real S3 server on loopback, in a process of its own: S3Proxy, which keeps objects in files.
 *
 * <p>It creates objects exclusively. Of its log only warnings are kept, in {@code server.log}.
 */
public final class S3Server implements AutoCloseable {

  public static final String ACCESS_KEY = "local-access";
  public static final String SECRET_KEY = "local-secret";

  /** The one bucket. */
  public static final String BUCKET = "lake";

  private static final long LONGEST_START_SECONDS = 60;

  /** Whether it looks at signatures. */
  public enum Authorization {
    SIGNED("aws-v2-or-v4"),
    /** So that a proxy may change signed headers. */
    NONE("none");

    private final String setting;

    Authorization(String setting) {
      this.setting = setting;
    }
  }

  private final Process process;
  private final int port;

  private S3Server(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one whose objects lie below a directory. */
  public static S3Server start(Path directory) throws IOException, InterruptedException {
    return start(directory, Authorization.SIGNED, SECRET_KEY);
  }

  /** Starts one that has another secret, or asks for none. */
  public static S3Server start(Path directory, Authorization authorization, String secret)
      throws IOException, InterruptedException {
    Path home =
        Path.of(System.getProperty("maven.multiModuleProjectDirectory")).resolve("local-s3");
    if (!Files.isDirectory(home.resolve("target/jars"))) {
      throw new IllegalStateException(
          "There is no S3 server in " + home + "/target/jars: build the module local-s3 first.");
    }
    Path objects = Files.createDirectories(directory.resolve("objects"));
    Files.createDirectories(objects.resolve(BUCKET));
    int port = freePort();
    Path properties =
        Files.writeString(
            directory.resolve("server.properties"), settings(port, authorization, secret, objects));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=" + home.resolve("logback.xml"),
                "-cp",
                home.resolve("target/jars") + "/*",
                "org.gaul.s3proxy.Main",
                "--properties",
                properties.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    S3Server server = new S3Server(process, port);
    server.awaitReady(directory.resolve("server.log"));
    return server;
  }

  private static String settings(
      int port, Authorization authorization, String secret, Path objects) {
    return Map.of(
            "s3proxy.endpoint",
            "http://127.0.0.1:" + port,
            "s3proxy.authorization",
            authorization.setting,
            "s3proxy.identity",
            ACCESS_KEY,
            "s3proxy.credential",
            secret,
            "jclouds.provider",
            "filesystem-nio2",
            "jclouds.identity",
            "unused",
            "jclouds.credential",
            "unused",
            "jclouds.filesystem.basedir",
            objects.toString())
        .entrySet()
        .stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
        .collect(Collectors.joining());
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady(Path log) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_START_SECONDS);
    while (System.nanoTime() < end && process.isAlive()) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(UTF_8));
        if (socket.getInputStream().read() >= 0) {
          return;
        }
      } catch (IOException notYet) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
    close();
    throw new IllegalStateException(
        "The S3 server did not start; it said " + Files.readString(log));
  }

  public int port() {
    return port;
  }

  public static String endpoint(int port) {
    return "http://127.0.0.1:" + port;
  }

  /** What S3A needs to talk to a port: the server's own, or that of a proxy before it. */
  public static Map<String, String> settings(int port) {
    Map<String, String> settings = new TreeMap<>(settingsWithoutKeys(port));
    settings.put("fs.s3a.access.key", ACCESS_KEY);
    settings.put("fs.s3a.secret.key", SECRET_KEY);
    return settings;
  }

  public static Map<String, String> settingsWithoutKeys(int port) {
    return Map.of(
        "fs.s3a.endpoint", endpoint(port),
        "fs.s3a.endpoint.region", "us-east-1",
        "fs.s3a.path.style.access", "true",
        "fs.s3a.attempts.maximum", "2",
        "fs.s3a.retry.limit", "2",
        // A server on this machine is back at once.
        "fs.s3a.retry.interval", "50ms",
        "fs.s3a.retry.throttle.interval", "50ms");
  }

  public static Configuration configuration(int port) {
    Configuration configuration = new Configuration();
    settings(port).forEach(configuration::set);
    return configuration;
  }

  /** A path in the bucket, as S3A names it. */
  public static String uri(String key) {
    return "s3a://" + BUCKET + "/" + key;
  }

  /** Ends its process. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
