package io.tidemark.store;

import io.tidemark.store.FaultProxy.Fault;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a {@link FaultProxy} does.
 *
 * @param chances of each fault, for one put; together at most 1
 * @param objects the paths whose puts may be hurt, by a part of their URL
 * @param requestHeadersDropped names in lower case
 * @param responseHeadersDropped beginnings of names, in lower case
 */
public record FaultPlan(
    long seed,
    Map<Fault, Double> chances,
    Pattern objects,
    Set<String> requestHeadersDropped,
    Set<String> responseHeadersDropped) {

  public FaultPlan {
    chances = new TreeMap<>(chances);
  }

  /** Hurts puts of these objects. */
  public static FaultPlan of(long seed, Map<Fault, Double> chances, String objects) {
    return new FaultPlan(seed, chances, Pattern.compile(objects), Set.of(), Set.of());
  }

  /** All kinds, together for two of five puts. */
  public static FaultPlan severe(long seed, String objects) {
    return of(
        seed,
        Map.of(
            Fault.LOST_ACKNOWLEDGEMENT, 0.10,
            Fault.ERROR_500_AFTER_APPLYING, 0.06,
            Fault.SLOW_DOWN_503, 0.06,
            Fault.CONFLICT_409, 0.06,
            Fault.LOST_REQUEST, 0.06,
            Fault.DELAYED, 0.06),
        objects);
  }

  /** The same kinds, each a third as often. */
  public static FaultPlan moderate(long seed, String objects) {
    Map<Fault, Double> chances = new TreeMap<>(severe(seed, objects).chances());
    chances.replaceAll((fault, chance) -> chance / 3);
    return of(seed, chances, objects);
  }

  /** A store that does not know the condition. */
  public static FaultPlan ignoringTheCondition() {
    return new FaultPlan(1, Map.of(), Pattern.compile("none"), Set.of("if-none-match"), Set.of());
  }

  /** The same faults, and a store that keeps no metadata. */
  public FaultPlan droppingMetadata() {
    return new FaultPlan(seed, chances, objects, requestHeadersDropped, Set.of("x-amz-meta-"));
  }

  boolean mayHurt(HttpMessage request) {
    return request.firstLine().startsWith("PUT ") && objects.matcher(request.firstLine()).find();
  }

  HttpMessage ofRequest(HttpMessage request) {
    return request.without(name -> requestHeadersDropped.contains(name));
  }

  HttpMessage ofResponse(HttpMessage response) {
    return response.without(
        name ->
            responseHeadersDropped.stream().anyMatch(name.toLowerCase(Locale.ROOT)::startsWith));
  }
}
