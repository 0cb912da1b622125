package io.tidemark.delta;

import io.tidemark.tables.TableFormatStreamContract;
import org.junit.jupiter.api.Tag;

@Tag("spark")
class DeltaTableFormatStreamTest extends TableFormatStreamContract {

  DeltaTableFormatStreamTest() {
    super(DeltaSession.settings(), DeltaTableFormat::new);
  }
}
