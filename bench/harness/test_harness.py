"""Tests of what decides over figures: order, exactness, comparison."""

import contextlib
import dataclasses
import fcntl
import io
import json
import os
import pathlib
import signal
import tempfile
import unittest

from harness import cold, commits, compare, history, oracle, process, recount, report, rounds, stream, targets
from harness.__main__ import main


class Order(unittest.TestCase):
    def test_each_round_is_the_reverse_of_the_one_before(self):
        names = [name for _, name in rounds.order(["a", "b"], 3)]

        self.assertEqual(names, ["a", "b", "b", "a", "a", "b"])


class Exactness(unittest.TestCase):
    EXACT = {("12:00", "a"): (3, 30), ("12:01", "a"): (1, 5)}

    def test_the_same_groups_are_right(self):
        oracle.compare(dict(self.EXACT), self.EXACT)

    def test_a_wrong_a_missing_and_an_invented_group_are_wrong(self):
        for found in (
            {**self.EXACT, ("12:00", "a"): (4, 30)},
            {("12:00", "a"): (3, 30)},
            {**self.EXACT, ("12:02", "b"): (1, 1)},
        ):
            with self.subTest(found), self.assertRaisesRegex(oracle.Wrong, "1 of 2 groups differ"):
                oracle.compare(found, self.EXACT)

    def test_closed_windows_are_compared_as_far_as_there_are_any(self):
        oracle.compare({("12:00", "a"): (3, 30)}, self.EXACT, closed_only=True)
        with self.assertRaises(oracle.Wrong):
            oracle.compare({("12:00", "a"): (2, 30)}, self.EXACT, closed_only=True)
        with self.assertRaisesRegex(oracle.Wrong, "no window has closed"):
            oracle.compare({}, self.EXACT, closed_only=True)

    def test_workloads_add_up(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / name for name in ("fill.csv", "peak.csv")]
            for file in files:
                file.write_text("window_start,key,events,total\n12:00,a,2,10\n", encoding="utf-8")

            self.assertEqual(oracle.exact(files), {("12:00", "a"): (4, 20)})

    def test_a_group_that_comes_twice_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "result.csv"
            file.write_text("12:00,a,1,5\n12:00,a,1,5\n", encoding="utf-8")

            with self.assertRaisesRegex(oracle.Wrong, "12:00 a is there twice"):
                oracle.result(file)


class Process(unittest.TestCase):
    def test_cpu_of_the_whole_tree_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
            cost = process.run(["bash", "-c", f"bash -c '{busy}'; true"], f"{folder}/log")

        self.assertGreater(cost.cpu_s, 0.05)
        self.assertGreater(cost.peak_mib, 0)

    def test_an_interrupted_wait_ends_the_command(self):
        def interrupt(*_):
            raise TimeoutError

        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        with tempfile.TemporaryDirectory() as folder:
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            with self.assertRaises(TimeoutError):
                process.run(["bash", "-c", "echo $$; exec sleep 60"], f"{folder}/log")
            child = int(pathlib.Path(folder, "log").read_text())

        with self.assertRaises(ProcessLookupError):
            os.kill(child, 0)

    def test_a_failure_says_where_its_output_is(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(process.Failed, "exit 7 of: (.|\n)*Its output: .*log"):
                process.run(["bash", "-c", "exit 7"], f"{folder}/log")


WHERE = {
    "date": "2026-01-01",
    "commit": "abc",
    "machine": {"cores": 2, "processor": "p", "memory_gib": 8, "java": "17"},
}


def cost(**figures):
    """A run's figures, all of them 1 but those given."""
    return {"wall_s": 1.0, "cpu_s": 1.0, "peak_mib": 1.0, **figures}


def measured(of_noop):
    """A report with one scale of B1; every sink takes the same but on-update."""
    run = {"events_per_s": 100.0, "cpu_s_per_million": 10.0, "batch_s": 3.0, "process": cost()}
    found = stream.contenders(
        {
            name: [{**run, "events_per_s": 100.0 * (of_noop if name == "on-update" else 1)}]
            for name in stream.CONTENDERS
        }
    )
    scale = dataclasses.asdict(stream.Scale(300_000, 1, 1, 1, 1))
    result = {"scenario": "B1", "scale": scale, "contenders": found, "figures": stream.figures(300_000, found)}
    return {"size": "S", "results": [{**result, **WHERE}]}


class Lock(unittest.TestCase):
    def test_two_benchmarks_do_not_share_a_directory(self):
        with tempfile.TemporaryDirectory() as folder, open(f"{folder}/lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(main(["run", "S", folder, folder]), 4)

        self.assertIn("Another benchmark runs", said.getvalue())


class Check(unittest.TestCase):
    NAME = "B1 throughput, on-update / noop, batches of 300,000"

    def test_a_ratio_may_vary_by_the_tolerance(self):
        self.assertEqual(compare.worse(measured(0.60), measured(0.55)), [])

    def test_a_worse_ratio_is_named_with_both_values(self):
        self.assertEqual(
            compare.worse(measured(0.60), measured(0.40)), [f"{self.NAME}: was 0.60, is 0.40"]
        )
        self.assertEqual(compare.worse(measured(0.40), measured(0.60)), [])

    def test_of_some_ratios_less_is_better(self):
        def of(value):
            return {"results": [{"scenario": "B3", "figures": [targets.figure("r", value, more=False)]}]}

        self.assertEqual(compare.worse(of(2.0), of(3.0)), ["B3 r: was 2.00, is 3.00"])
        self.assertEqual(compare.worse(of(3.0), of(2.0)), [])

    def test_what_is_not_measured_any_more_is_named(self):
        self.assertEqual(len(compare.worse(measured(0.60), {"results": []})), 2)

    def test_the_reports_go_through_json(self):
        self.assertEqual(compare.ratios(json.loads(json.dumps(measured(0.5))))[self.NAME]["value"], 0.5)


class Figures(unittest.TestCase):
    def test_a_cost_that_does_not_grow_has_the_exponent_0_and_a_linear_one_1(self):
        self.assertAlmostEqual(history.exponent({10: 3.0, 100: 3.0, 1000: 3.0}), 0)
        self.assertAlmostEqual(history.exponent({10: 1.0, 100: 10.0, 1000: 100.0}), 1)

    def test_history_is_judged_where_there_is_most_of_it(self):
        def point(ours, textbook):
            return {
                name: rounds.summaries([{"cpu_s_per_batch": cpu, "batch_s": 1.0}], ("cpu_s_per_batch", "batch_s"))
                for name, cpu in (("on-update", ours), ("textbook", textbook))
            }

        ratio, exponent = history.figures({100_000: point(2.0, 2.0), 10_000_000: point(2.0, 30.0)})

        self.assertEqual((ratio["value"], targets.verdict(ratio)), (15.0, "gate met"))
        self.assertAlmostEqual(exponent["value"], 0)

    def test_growth_is_a_share_of_the_cost(self):
        self.assertAlmostEqual(commits.growth([2.0, 2.0, 2.0], 1000), 0)
        self.assertAlmostEqual(commits.growth([1.0, 2.0, 3.0], 1000), 500)

    def test_a_recount_is_compared_with_its_peer(self):
        found = {
            name: rounds.summaries([cost(wall_s=wall)], ("wall_s", "cpu_s"))
            for name, wall in (("duckdb", 1.0), ("recount", 3.0), ("settle", 6.0), ("overwrite", 4.0))
        }

        self.assertEqual([figure["value"] for figure in recount.figures(found)], [3.0, 1.5])


class Report(unittest.TestCase):
    def test_a_cold_start_has_its_target_too(self):
        found = {
            name: {"what": "", **rounds.summaries([cost(wall_s=1.2)], ("wall_s", "cpu_s", "peak_mib"))}
            for name in cold.COMMANDS
        }
        both = measured(0.5)
        both["results"].append(
            {"scenario": "B8", "rounds": 1, "contenders": found, "figures": cold.figures(found), **WHERE}
        )

        self.assertIn("| 1.20 | 1.5, 0.6 | gate met |", report.markdown(both))
        self.assertEqual(compare.ratios(both), compare.ratios(measured(0.5)))

    def test_each_target_is_said_to_be_met_or_not(self):
        self.assertIn("| 0.50 | 0.3, 0.6 | gate met |", report.markdown(measured(0.5)))
        self.assertIn("| 0.20 | 0.3, 0.6 | **not met** |", report.markdown(measured(0.2)))
        self.assertIn("| 0.70 | 0.3, 0.6 | ambition met |", report.markdown(measured(0.7)))


if __name__ == "__main__":
    unittest.main()
