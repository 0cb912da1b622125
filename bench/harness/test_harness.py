"""Tests of what decides over figures: order, exactness, comparison."""

import contextlib
import fcntl
import io
import json
import os
import pathlib
import signal
import tempfile
import unittest

from harness import cold, compare, oracle, process, report, rounds, stream
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


def measured(of_noop):
    """A report with one scale; every run takes the same."""
    run = {
        "batches": [],
        "events_per_s": 100.0,
        "cpu_s_per_million": 10.0,
        "batch_s": 3.0,
        "process": {"wall_s": 1.0, "cpu_s": 1.0, "peak_mib": 1000.0},
    }
    runs = {
        name: [{**run, "events_per_s": 100.0 * (of_noop if name == "on-update" else 1)}]
        for name in stream.CONTENDERS
    }
    return {
        "size": "S",
        "date": "2026-01-01",
        "commit": "abc",
        "machine": {"cores": 2, "processor": "p", "memory_gib": 8, "java": "17"},
        "results": [
            {
                "scenario": "B1",
                "scale": {
                    "events_per_batch": 300_000,
                    "warm_ups": 1,
                    "measured": 1,
                    "fill_per_second": 1,
                    "rounds": 1,
                    "discarded": 0,
                },
                "contenders": stream.figures(runs),
            }
        ],
    }


class Lock(unittest.TestCase):
    def test_two_benchmarks_do_not_share_a_directory(self):
        with tempfile.TemporaryDirectory() as folder, open(f"{folder}/lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(main(["run", "S", folder, folder]), 4)

        self.assertIn("Another benchmark runs", said.getvalue())


class Check(unittest.TestCase):
    def test_a_ratio_may_vary_by_the_tolerance(self):
        self.assertEqual(compare.worse(measured(0.60), measured(0.55)), [])

    def test_a_worse_ratio_is_named_with_both_values(self):
        self.assertEqual(
            compare.worse(measured(0.60), measured(0.40)),
            ["B1 300000 on-update: was 0.60 of noop, is 0.40"],
        )

    def test_what_is_not_measured_any_more_is_named(self):
        after = measured(0.60)
        after["results"] = []

        self.assertEqual(len(compare.worse(measured(0.60), after)), 2)

    def test_the_reports_go_through_json(self):
        self.assertEqual(compare.ratios(json.loads(json.dumps(measured(0.5))))["B1 300000 on-update"], 0.5)


class Report(unittest.TestCase):
    def test_a_cold_start_has_its_target_too(self):
        runs = {name: [{"wall_s": 1.2, "cpu_s": 2.0, "peak_mib": 300.0}] for name in cold.COMMANDS}
        both = measured(0.5)
        both["results"].append({"scenario": "B8", "rounds": 1, "contenders": cold.figures(runs)})

        self.assertIn("1.5, 0.6: gate met", report.markdown(both))
        self.assertEqual(compare.ratios(both), compare.ratios(measured(0.5)))

    def test_each_target_is_said_to_be_met_or_not(self):
        self.assertIn("0.30, 0.60: gate met", report.markdown(measured(0.5)))
        self.assertIn("0.30, 0.60: **not met**", report.markdown(measured(0.2)))
        self.assertIn("0.30, 0.60: ambition met", report.markdown(measured(0.7)))


if __name__ == "__main__":
    unittest.main()
