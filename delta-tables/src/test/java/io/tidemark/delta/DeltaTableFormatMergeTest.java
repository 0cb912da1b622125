package io.tidemark.delta;

import io.tidemark.tables.TableFormatMergeContract;
import org.junit.jupiter.api.Tag;

@Tag("spark")
class DeltaTableFormatMergeTest extends TableFormatMergeContract {

  DeltaTableFormatMergeTest() {
    super(DeltaSession.settings(), DeltaTableFormat::new);
  }
}
