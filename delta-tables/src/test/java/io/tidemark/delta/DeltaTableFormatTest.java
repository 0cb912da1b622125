package io.tidemark.delta;

import io.tidemark.tables.TableFormatContract;
import org.junit.jupiter.api.Tag;

@Tag("spark")
class DeltaTableFormatTest extends TableFormatContract {

  DeltaTableFormatTest() {
    super(DeltaSession.settings(), DeltaTableFormat::new);
  }
}
