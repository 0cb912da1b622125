package io.tidemark.reconcile.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reconcile.maintain.TableUpkeep.CompactionResult;
import io.tidemark.spec.error.ConflictException;
import io.tidemark.tables.Compaction;
import io.tidemark.tables.PartitionFiles;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompactorTest {

  private static final PartitionFiles FIRST = files("day 1", 8, 6);
  private static final PartitionFiles SECOND = files("day 2", 5, 5);
  private static final PartitionFiles THIRD = files("day 3", 7, 7);

  private static PartitionFiles files(String condition, long files, long small) {
    return new PartitionFiles(Optional.of(condition), Optional.empty(), files, small, 100);
  }

  @Test
  void whereAnotherWriterCameFirstThePartitionIsLeftAndTheNextIsCompacted() {
    Compactor compactor =
        new Compactor(
            partition -> {
              if (partition.equals(SECOND)) {
                throw new ConflictException("a settlement was adopted");
              }
              return new Compaction(partition.smallFiles(), 1);
            });

    assertThat(compactor.run(List.of(FIRST, SECOND, THIRD)))
        .isEqualTo(new CompactionResult(2, 15, 4, List.of("day 2")));
  }

  @Test
  void aPartitionThatSomebodyElseHasCompactedIsNotCounted() {
    assertThat(new Compactor(partition -> new Compaction(0, 0)).run(List.of(FIRST)))
        .isEqualTo(new CompactionResult(0, 0, 0, List.of()));
  }

  @Test
  void aDryRunExpectsOneFileForTheSmallOnes() {
    assertThat(Compactor.dryRun(List.of(FIRST, SECOND)))
        .isEqualTo(new CompactionResult(2, 13, 4, List.of()));
  }
}
