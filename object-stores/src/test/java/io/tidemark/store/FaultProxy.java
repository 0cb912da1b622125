package io.tidemark.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands between S3A and an S3 server and does to requests what networks and stores do: loses
 * answers to puts that were applied, refuses, delays. Which request is hurt is drawn from a seed.
 * Counts what it did by kind.
 */
public final class FaultProxy implements AutoCloseable {

  /** What may happen to a put. */
  public enum Fault {
    /** It is applied and the connection breaks before the answer. */
    LOST_ACKNOWLEDGEMENT,
    /** It is applied, and the answer says that it was not. */
    ERROR_500_AFTER_APPLYING,
    /** It is not applied, and the answer asks to try again. */
    SLOW_DOWN_503,
    /** It is not applied: as S3 answers a put that meets another. */
    CONFLICT_409,
    /** It never arrives. */
    LOST_REQUEST,
    /** It is applied a little later. */
    DELAYED
  }

  private static final long DELAY_MILLIS = 60;

  private final ServerSocket socket;
  private final int upstream;
  private final FaultPlan plan;
  private final Random random;
  private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private int puts;

  private FaultProxy(int upstream, FaultPlan plan) throws IOException {
    this.socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    this.upstream = upstream;
    this.plan = plan;
    this.random = new Random(plan.seed());
  }

  public static FaultProxy before(S3Server server, FaultPlan plan) throws IOException {
    FaultProxy proxy = new FaultProxy(server.port(), plan);
    daemon(proxy::accept);
    return proxy;
  }

  public int port() {
    return socket.getLocalPort();
  }

  /** The faults so far. */
  public synchronized Map<Fault, Integer> counts() {
    return new EnumMap<>(counts);
  }

  public synchronized int faults() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The puts so far that might have been hurt. */
  public synchronized int puts() {
    return puts;
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        client.setTcpNoDelay(true);
        open.add(client);
        daemon(() -> serve(client));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private synchronized @Nullable Fault draw(HttpMessage request) {
    if (!plan.mayHurt(request)) {
      return null;
    }
    puts++;
    double dice = random.nextDouble();
    for (Map.Entry<Fault, Double> chance : plan.chances().entrySet()) {
      if (dice < chance.getValue()) {
        counts.merge(chance.getKey(), 1, Integer::sum);
        return chance.getKey();
      }
      dice -= chance.getValue();
    }
    return null;
  }

  private void serve(Socket client) {
    Socket server = null;
    try {
      InputStream fromClient = new BufferedInputStream(client.getInputStream());
      OutputStream toClient = new BufferedOutputStream(client.getOutputStream());
      server = new Socket(InetAddress.getLoopbackAddress(), upstream);
      server.setTcpNoDelay(true);
      open.add(server);
      InputStream fromServer = new BufferedInputStream(server.getInputStream());
      OutputStream toServer = new BufferedOutputStream(server.getOutputStream());
      while (true) {
        HttpMessage request = HttpMessage.readRequest(fromClient, toClient);
        Fault fault = draw(request);
        if (fault == Fault.LOST_REQUEST) {
          return;
        } else if (fault == Fault.SLOW_DOWN_503) {
          answer(toClient, "503 Slow Down", "SlowDown");
          continue;
        } else if (fault == Fault.CONFLICT_409) {
          answer(toClient, "409 Conflict", "ConditionalRequestConflict");
          continue;
        } else if (fault == Fault.DELAYED) {
          Thread.sleep(DELAY_MILLIS);
        }
        plan.ofRequest(request).write(toServer);
        HttpMessage response = HttpMessage.readResponse(fromServer, request);
        if (fault == Fault.LOST_ACKNOWLEDGEMENT) {
          return;
        } else if (fault == Fault.ERROR_500_AFTER_APPLYING) {
          answer(toClient, "500 Internal Server Error", "InternalError");
          continue;
        }
        plan.ofResponse(response).write(toClient);
        if (response.closes()) {
          return;
        }
      }
    } catch (IOException closed) {
      // By one of the two sides.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(client);
      close(server);
    }
  }

  private static void answer(OutputStream out, String status, String code) throws IOException {
    byte[] body =
        "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>injected</Message></Error>"
            .formatted(code)
            .getBytes(ISO_8859_1);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(
        "HTTP/1.1 %s\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n\r\n"
            .formatted(status, body.length)
            .getBytes(ISO_8859_1));
    all.writeBytes(body);
    out.write(all.toByteArray());
    out.flush();
  }

  private void close(@Nullable Socket one) {
    if (one != null) {
      open.remove(one);
      try {
        one.close();
      } catch (IOException e) {
        // It is closed then.
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    open.forEach(this::close);
  }
}
