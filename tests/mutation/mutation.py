"""Switches off one safeguard after the other, in a copy, and asks that a test fails each time.

    python3 tests/mutation/mutation.py [NAME ...]     needs what 'make test' needs, and some minutes per safeguard

Exit 1 if a mutant survives: then no test would tell if that safeguard were lost.
"""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_COPIED = shutil.ignore_patterns(
    ".git", "target", "demo-warehouse", "reprocessing-warehouse", "bench-data"
)


@dataclass(frozen=True)
class Mutant:
    """A safeguard, how it is switched off, and the tests that must notice."""

    name: str
    file: str
    code: str
    mutated: str
    module: str
    tests: str


MUTANTS = [
    Mutant(
        "a rewind that is too short is refused",
        "batch-reconcile/src/main/java/io/tidemark/reconcile/generation/Rewind.java",
        "if (told.compareTo(needed) >= 0) {",
        "if (told.compareTo(needed) >= 0 || !told.isZero()) {",
        "tests",
        "RebuildPlanTest",
    ),
    Mutant(
        "a promotion needs a comparison",
        "batch-reconcile/src/main/java/io/tidemark/reconcile/generation/PointerJob.java",
        "if (conditions.force().isEmpty()) {",
        "if (conditions.force().isPresent()) {",
        "tests",
        "RebuildTest",
    ),
    Mutant(
        "what a rebuild has counted was left out by no stream",
        "pipeline-spec/src/main/java/io/tidemark/spec/computation/StreamBounds.java",
        "col(Memberships.WINDOW_END).leq(col(CLOSED_THROUGH)).and(not(col(BUILT)))",
        "col(Memberships.WINDOW_END).leq(col(CLOSED_THROUGH))",
        "pipeline-spec",
        "StreamBoundsTest",
    ),
    Mutant(
        "a change of generations fails where another came first",
        "table-ddl/src/main/java/io/tidemark/tables/journal/GenerationJournal.java",
        "before.map(GenerationChange::serial).orElse(0L) + 1",
        "newest().map(GenerationChange::serial).orElse(0L) + 1",
        "tests",
        "RebuildTest",
    ),
    Mutant(
        "version condition of the settlement's MERGE",
        "merge-jobs/src/main/java/io/tidemark/merge/AggregateMerge.java",
        'replacing(spec, scope, "s.`version` > t.`version`")',
        'replacing(spec, scope, "true")',
        "merge-jobs",
        "AggregateMergeTest",
    ),
    Mutant(
        "settled rows are not for the stream",
        "merge-jobs/src/main/java/io/tidemark/merge/AggregateMerge.java",
        "WHEN MATCHED AND t.`version` = 0 THEN UPDATE SET",
        "WHEN MATCHED THEN UPDATE SET",
        "merge-jobs",
        "AggregateMergeTest",
    ),
    Mutant(
        "settled rows are protected from the stream's upsert",
        "merge-jobs/src/main/java/io/tidemark/merge/AggregateMerge.java",
        '"`version` <> 0"',
        '"false"',
        "merge-jobs",
        "AggregateMergeTest",
    ),
    Mutant(
        "an upsert leaves protected rows alone",
        "delta-tables/src/main/java/io/tidemark/delta/DeltaUpsert.java",
        "observed.number(PROTECTED) > 0",
        "observed.number(PROTECTED) > Integer.MAX_VALUE",
        "delta-tables",
        "DeltaTableFormatMergeTest",
    ),
    Mutant(
        "settled windows are not for the stream",
        "streaming-ingest/src/main/java/io/tidemark/ingest/EstimateWriter.java",
        ".map(end -> rows.rows().filter(col(AggregateColumns.WINDOW_END).gt(lit(end))))",
        ".map(end -> rows.rows().filter(lit(true).or(lit(end).isNull())))",
        "tests",
        "HardInputTest",
    ),
    Mutant(
        "copies are found by their event id",
        "pipeline-spec/src/main/java/io/tidemark/spec/computation/Memberships.java",
        "    if (spec.identifiedByPosition()) {\n      columns.add(POSITION);",
        "    if (!spec.keys().isEmpty()) {\n      columns.add(POSITION);",
        "pipeline-spec",
        "CopiesTest",
    ),
    Mutant(
        "imported history is not for the stream",
        "pipeline-spec/src/main/java/io/tidemark/spec/computation/Memberships.java",
        "Dataset<Row> ingested = ArchiveRows.ingested(archive);",
        "Dataset<Row> ingested = archive;",
        "tests",
        "ImportTest",
    ),
    Mutant(
        "transaction identifier of a MERGE",
        "delta-tables/src/main/java/io/tidemark/delta/LabellingSession.java",
        "session.conf().set(TRANSACTION_VERSION, Long.toString(label.version()));",
        "session.conf().set(TRANSACTION_VERSION, Long.toString(label.version() + System.nanoTime()));",
        "delta-tables",
        "DeltaTableFormatMergeTest",
    ),
    Mutant(
        "a stream's batch is merged once",
        "delta-tables/src/main/java/io/tidemark/delta/DeltaTableFormat.java",
        "if (committed < label.version()) {",
        "if (committed < label.version() || committed >= 0) {",
        "delta-tables",
        "DeltaTableFormatMergeTest",
    ),
    Mutant(
        "the settled boundary never goes back",
        "batch-reconcile/src/main/java/io/tidemark/reconcile/SettlePlanner.java",
        "reached -> settled.isEmpty() || reached.isAfter(settled.get())",
        "reached -> settled.isEmpty() || !reached.equals(settled.get())",
        "batch-reconcile",
        "SettlePlannerTest",
    ),
    Mutant(
        "frozen windows are not recounted",
        "table-ddl/src/main/java/io/tidemark/tables/KeptArchive.java",
        "rows.filter(col(windowStart).geq(lit(start)))",
        "rows.filter(lit(true).or(lit(start).isNull()))",
        "tests",
        "ArchiveExpiryTest",
    ),
    Mutant(
        "a partition with frozen rows is not replaced",
        "batch-reconcile/src/main/java/io/tidemark/reconcile/Adoption.java",
        ".anyMatch(kept::freezes)",
        ".anyMatch(start -> kept.freezes(start) && start.getEpochSecond() < 0)",
        "tests",
        "ArchiveExpiryTest",
    ),
    Mutant(
        "what a paused stream has to read is kept",
        "batch-reconcile/src/main/java/io/tidemark/reconcile/maintain/HistoryInterlock.java",
        "} else if (age.get().compareTo(history) >= 0) {",
        "} else if (age.get().compareTo(TableDefinition.HISTORY) >= 0) {",
        "batch-reconcile",
        "HistoryInterlockTest",
    ),
    Mutant(
        "phantoms are deleted",
        "merge-jobs/src/main/java/io/tidemark/merge/AggregateMerge.java",
        "WHEN MATCHED AND %s AND s.`change` = 'phantom' THEN DELETE",
        "WHEN MATCHED AND %s AND s.`change` = 'none' THEN DELETE",
        "merge-jobs",
        "AggregateMergeTest",
    ),
]


def maven(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["mvn", "--batch-mode", "--no-transfer-progress", *arguments]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


def killed(mutant: Mutant, directory: Path) -> bool:
    """Whether a test fails on the mutant; anything else that goes wrong ends the run."""
    file = directory / mutant.file
    original = file.read_text(encoding="utf-8")
    if original.count(mutant.code) != 1:
        sys.exit(f"{mutant.file} no longer holds, once, the code of '{mutant.name}': mend {__file__}.")
    file.write_text(original.replace(mutant.code, mutant.mutated), encoding="utf-8")
    try:
        run = maven(
            directory, "test", "-pl", mutant.module, "-am", f"-Dtest={mutant.tests}",
            "-Dsurefire.failIfNoSpecifiedTests=false", "-Dspotless.check.skip=true",
        )
    finally:
        file.write_text(original, encoding="utf-8")
    tested = "Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin" in run.stdout
    if run.returncode != 0 and not tested:
        sys.exit(f"The mutant '{mutant.name}' was not tested:\n{run.stdout[-3000:]}")
    return run.returncode != 0


def main(names: list[str]) -> int:
    mutants = [mutant for mutant in MUTANTS if not names or mutant.name in names]
    survivors = 0
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "tidemark"
        shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
        for mutant in mutants:
            found = killed(mutant, copy)
            survivors += not found
            print(f"{'killed  ' if found else 'SURVIVED'}  {mutant.name} ({mutant.tests})", flush=True)
    print(f"{len(mutants)} safeguards, {survivors} of them without a test that notices their loss.")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
