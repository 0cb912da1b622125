package io.tidemark.reconcile.maintain;

import io.tidemark.reconcile.maintain.HistoryNeeds.Inserts;
import io.tidemark.reconcile.maintain.HistoryNeeds.Standing;
import io.tidemark.reconcile.maintain.HistoryNeeds.Unread;
import io.tidemark.spec.PipelineSpec;
import io.tidemark.spec.error.SpecException;
import io.tidemark.spec.time.SpecDuration;
import io.tidemark.tables.Generation;
import io.tidemark.tables.TableDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Refuses a history that is shorter than a stream, an undoing or a rewind still needs. Pure.
 *
 * <p>No file is deleted that was written within the history. So a reader that goes on after a
 * commit of the archive is safe as long as the history is longer than that commit is old: what it
 * has to read was written later.
 *
 * <ul>
 *   <li>A stream that has not read all goes on after the commit that it has read through. It also
 *       needs the archive's log, which no history prolongs ({@link TableDefinition#HISTORY}).
 *   <li>The settlement in force, and the one below it: the next settlement finds dirty pairs in the
 *       commits since, also after one undoing. (Without these files it would recount them from the
 *       whole archive: right, and dear.) Where the log no longer holds a settlement's commit, the
 *       next settlement reads the whole archive anyway, and nothing is needed.
 *   <li>A rewind reaches back from the newest event by the watermark's delay (to the frontier), a
 *       partition (the boundary is the floored frontier), a window (the first one that ends after
 *       the boundary begins so much earlier) and the future skew (an event may be archived so long
 *       before it happens). How late events may come does not count: late is archived later. For
 *       example 70s + 1d + 1m + 5m.
 *   <li>At the least a day: longer than any job of the pipeline runs, whose unfinished files would
 *       be taken for leftovers.
 * </ul>
 */
record HistoryInterlock(PipelineSpec spec) {

  static final Duration LONGEST_RUN = Duration.ofDays(1);

  /** How far back a rewind reaches. */
  Duration rewind() {
    return spec.watermark()
        .delay()
        .plus(spec.partition().length())
        .plus(spec.window().size())
        .plus(spec.event().maxFutureSkew());
  }

  /** The shortest history, whatever the pipeline's state. */
  Duration floor() {
    return rewind().compareTo(LONGEST_RUN) < 0 ? LONGEST_RUN : rewind();
  }

  /**
   * Lets a history pass that keeps what a generation needs.
   *
   * @throws SpecException if it is too short, with every reason, its number and its remedy
   */
  void require(Generation generation, Duration history, HistoryNeeds needs, Instant now) {
    List<String> reasons = new ArrayList<>();
    Duration enough = history;
    boolean beyondLog = false;
    if (history.compareTo(floor()) < 0) {
      enough = longer(enough, floor());
      reasons.add(floorReason());
    }
    if (needs.unread().isPresent()) {
      Unread unread = needs.unread().get();
      Optional<Duration> age = unread.readThrough().map(time -> Duration.between(time, now));
      if (age.isEmpty() || age.get().compareTo(TableDefinition.HISTORY) >= 0) {
        beyondLog = true;
        reasons.add(unreadReason(unread, age));
      } else if (age.get().compareTo(history) >= 0) {
        enough = longer(enough, age.get());
        reasons.add(unreadReason(unread, age));
      }
    }
    for (Inserts inserts : needs.inserts()) {
      Duration age = Duration.between(inserts.recounted(), now);
      if (age.compareTo(history) >= 0) {
        enough = longer(enough, age);
        reasons.add(insertsReason(inserts, age));
      }
    }
    if (!reasons.isEmpty()) {
      throw new SpecException(
          "Cannot maintain %s of %s with a history of %s:\n  - %s\n%s Nothing was changed."
              .formatted(
                  generation,
                  spec.name(),
                  SpecDuration.format(history),
                  String.join("\n  - ", reasons),
                  remedy(enough, beyondLog)));
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private static String remedy(Duration enough, boolean beyondLog) {
    return beyondLog
        ? "No longer history helps the stream: the archive's log is kept %s."
            .formatted(SpecDuration.format(TableDefinition.HISTORY))
        : "Do so, or keep more: --keep-history %s.".formatted(roundedUp(enough));
  }

  private String floorReason() {
    return rewind().compareTo(LONGEST_RUN) < 0
        ? "the shortest is %s, so that no file of a running job is taken for a leftover."
            .formatted(SpecDuration.format(LONGEST_RUN))
        : "a rewind reaches up to %s back: watermark %s, partition %s, window %s, future skew %s."
            .formatted(
                roundedUp(rewind()),
                SpecDuration.format(spec.watermark().delay()),
                SpecDuration.format(spec.partition().length()),
                SpecDuration.format(spec.window().size()),
                SpecDuration.format(spec.event().maxFutureSkew()));
  }

  private static String unreadReason(Unread unread, Optional<Duration> age) {
    return "the stream has read the archive through version %d%s, and %d records wait. Let 'tidemark aggregate' or 'tidemark stream' read them first."
        .formatted(
            unread.version(),
            age.map(old -> ", committed " + hours(old) + " ago")
                .orElse(", which is older than the archive's log"),
            unread.records());
  }

  private static String insertsReason(Inserts inserts, Duration age) {
    return "settlement %d%s recounted archive version %d, committed %s ago, and %d records came since. Run 'tidemark settle' first."
        .formatted(
            inserts.settlement(),
            inserts.standing() == Standing.BELOW ? ", to which 'tidemark unsettle' goes back," : "",
            inserts.version(),
            hours(age),
            inserts.records());
  }

  /** So many whole hours, as far as they go. */
  private static String hours(Duration duration) {
    return SpecDuration.format(Duration.ofHours(duration.toHours()));
  }

  /** To the hour, from two days on to the day: a history of this length is longer. */
  static String roundedUp(Duration duration) {
    Duration unit = duration.toDays() < 2 ? Duration.ofHours(1) : Duration.ofDays(1);
    return SpecDuration.format(unit.multipliedBy(duration.dividedBy(unit) + 1));
  }
}
