package io.tidemark.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A request or response of HTTP/1.1, whole.
 *
 * @param headers as they were sent, one a line
 * @param body as it was sent, chunks and all: a character for each byte
 */
record HttpMessage(String firstLine, List<String> headers, String body) {

  /** Reads a request, and asks for its body where the client waits to be asked. */
  static HttpMessage readRequest(InputStream in, OutputStream toClient) throws IOException {
    HttpMessage head = readHead(in);
    if (head.header("expect").isPresent()) {
      toClient.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
      toClient.flush();
      head = head.without(name -> name.equals("expect"));
    }
    return head.withBody(in);
  }

  static HttpMessage readResponse(InputStream in, HttpMessage request) throws IOException {
    while (true) {
      HttpMessage head = readHead(in);
      int status = Integer.parseInt(head.firstLine.split(" ", 3)[1]);
      if (status >= 200) {
        boolean hasNone = request.firstLine.startsWith("HEAD ") || status == 204 || status == 304;
        return hasNone ? head : head.withBody(in);
      }
    }
  }

  private static HttpMessage readHead(InputStream in) throws IOException {
    String first = readLine(in);
    List<String> headers = new ArrayList<>();
    for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
      headers.add(line);
    }
    return new HttpMessage(first, headers, "");
  }

  private static String readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection was closed");
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(ISO_8859_1);
  }

  private HttpMessage withBody(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    if (header("transfer-encoding").filter(value -> value.contains("chunked")).isPresent()) {
      int size;
      do {
        String line = readLine(in);
        size = Integer.parseInt(line.split(";", 2)[0].trim(), 16);
        all.writeBytes((line + "\r\n").getBytes(ISO_8859_1));
        all.writeBytes(in.readNBytes(size));
        String end = readLine(in);
        while (size == 0 && !end.isEmpty()) {
          all.writeBytes((end + "\r\n").getBytes(ISO_8859_1));
          end = readLine(in);
        }
        all.writeBytes("\r\n".getBytes(ISO_8859_1));
      } while (size > 0);
    } else {
      int length = header("content-length").map(Integer::parseInt).orElse(0);
      byte[] read = in.readNBytes(length);
      if (read.length < length) {
        throw new EOFException("the connection was closed within a body");
      }
      all.writeBytes(read);
    }
    return new HttpMessage(firstLine, headers, all.toString(ISO_8859_1));
  }

  /** Takes a name in lower case. */
  Optional<String> header(String name) {
    return headers.stream()
        .filter(line -> name(line).equals(name))
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .findFirst();
  }

  boolean closes() {
    return header("connection").filter(value -> value.equalsIgnoreCase("close")).isPresent();
  }

  /** The same without headers whose names, in lower case, fit. */
  HttpMessage without(Predicate<String> dropped) {
    return new HttpMessage(
        firstLine, headers.stream().filter(line -> !dropped.test(name(line))).toList(), body);
  }

  private static String name(String line) {
    return line.substring(0, Math.max(0, line.indexOf(':'))).toLowerCase(Locale.ROOT);
  }

  void write(OutputStream out) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes((firstLine + "\r\n").getBytes(ISO_8859_1));
    for (String line : headers) {
      all.writeBytes((line + "\r\n").getBytes(ISO_8859_1));
    }
    all.writeBytes("\r\n".getBytes(ISO_8859_1));
    all.writeBytes(body.getBytes(ISO_8859_1));
    out.write(all.toByteArray());
    out.flush();
  }
}
