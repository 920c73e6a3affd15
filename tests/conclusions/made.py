#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests/bench/ makes is what it says: without that, no rate that it measures means anything.

    tests/conclusions/made.py OSPROF

Bounds of counted rates are compared with those of R, shares of buckets with drawn calls,
simulated programs with laws that hold whatever they do, and printed runs with what OSPROF
reads of them.
"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
import exact  # noqa: E402 (it stands in tests/bench)
import made_runs  # noqa: E402
import printed  # noqa: E402
from simulate import Lock, World  # noqa: E402

OSPROF = pathlib.Path(sys.argv.pop(1)).resolve()


class Exact(unittest.TestCase):
    def test_intervals_are_those_of_binom_test(self):
        for k, n, low, high in ((2, 300, 0.0008083864, 0.0238734976), (0, 20, 0, 0.1684334710),
                                (20, 20, 0.8315665290, 1), (14, 130, 0.0601406871, 0.1740855206)):
            for got, wanted in zip(exact.interval(k, n, 0.95), (low, high)):
                self.assertAlmostEqual(got, wanted, 8)

    def test_bounds_of_rates(self):
        self.assertTrue(exact.at_most(1, 1, 0.05) and not exact.at_most(1, 1, 0.009))
        self.assertTrue(exact.at_least(0, 1, 0.95) and not exact.at_least(0, 1, 0.995))
        self.assertTrue(exact.at_most(0, 100, 0.0) and not exact.at_most(1, 100, 0.0))


def drawn(chance, parts):
    """One call of a mixture, by the generators of Python."""
    x = chance.random()
    for p in parts:
        x -= p.share
        if x < 0:
            break
    if isinstance(p.law, made_runs.LogNormal):
        return chance.lognormvariate(math.log(p.law.median), p.law.sigma)
    while True:
        value = p.law.start * chance.paretovariate(p.law.alpha)
        if value < p.law.end:
            return value


class Mixtures(unittest.TestCase):
    def setUp(self):
        self.chance = random.Random(20061106)
        law = made_runs.LogNormal
        self.parts = [made_runs.Part(0.8, law(1e4, 0.3), 0.0, math.inf, 1.0),
                      made_runs.Part(0.19, law(2e5, 0.4), 0.0, math.inf, 1.0),
                      made_runs.Part(0.01, made_runs.Pareto(6e4, 1.5, 1e8), 0.0, math.inf, 1.0)]
        self.calls = [drawn(self.chance, self.parts) for _ in range(40000)]

    def compare(self, parts, calls, power=0):
        for low, high in ((0, 8e3), (8e3, 1.2e4), (1e5, 3e5), (3e5, 1e9), (0, 1e9)):
            chosen = [x ** power * (low <= x < high) for x in calls]
            mean = sum(chosen) / len(calls)
            sd = math.sqrt(sum((x - mean) ** 2 for x in chosen)) / len(calls)
            self.assertAlmostEqual(made_runs.moment(parts, power, low, high), mean, delta=4.5 * sd + 1e-9)

    def test_shares_and_means(self):
        self.compare(self.parts, self.calls)
        self.compare(self.parts, [min(x, 1e6) for x in self.calls])

    def test_slowest(self):
        changed = made_runs.changed(self.parts, made_runs.Change(slowest=(0.01, 3)))
        cut = made_runs.quantile(self.parts, 0.99)
        self.assertAlmostEqual(sum(x > cut for x in self.calls) / 40000, 0.01, delta=0.002)
        self.compare(changed, [x * 3 if x > cut else x for x in self.calls])

    def test_slow_and_factor(self):
        changed = made_runs.changed(self.parts, made_runs.Change(slow=(0.02, 10), factor=1.1))
        self.compare(changed, [1.1 * x * (10 if self.chance.random() < 0.02 else 1) for x in self.calls])

    def test_histogram_adds_up(self):
        for n in (1, 30, 5000):
            counts, total = made_runs.histogram(self.chance, self.parts, n)
            self.assertEqual(sum(k for _, k in counts), n)
            self.assertTrue(sum(k * 2 ** i for i, k in counts) - 1 <= total <= sum(k * 2 ** (i + 1) for i, k in counts) + 1)

    def test_binomial(self):
        for n, p in ((1000, 0.01), (1000, 0.05), (5000, 0.97), (3, 0.5)):
            drawn_ = [made_runs.binomial(self.chance, n, p) for _ in range(4000)]
            mean, variance = sum(drawn_) / 4000, n * p * (1 - p)
            self.assertAlmostEqual(mean, n * p, delta=4.5 * math.sqrt(variance / 4000))
            self.assertAlmostEqual(sum((k - n * p) ** 2 for k in drawn_) / 4000 / variance, 1, delta=0.15)

    def test_turns(self):
        self.assertEqual(made_runs.positions(3, 3, "turns"), [0, 2, 4, 1, 3, 5])
        self.assertEqual(made_runs.positions(2, 2, "blocks"), [0, 1, 2, 3])


def steps(task, n, seconds):
    for _ in range(n):
        yield from task.call("step", task.run(seconds))


class Simulated(unittest.TestCase):
    def test_a_closed_loop_fills_its_clients(self):
        """Little's law: calls x latency = clients x elapsed."""
        world = World(random.Random(1))
        server = Lock(world, 2)

        def client(task):
            while world.now < 0.2:
                yield from task.call("request", task.acquire(server), task.sleep(task.world.draw("request", 2e-4)),
                                     task.release(server))
        for _ in range(6):
            world.start(client)
        run = world.finish()
        self.assertAlmostEqual(sum(c.end - c.start for c in run.calls) / run.elapsed, 6, delta=0.12)

    def test_processors_are_shared_fairly(self):
        """Two loops and a task on two processors: two thirds of one each."""
        alone, beside = (World(random.Random(2), beside=n) for n in (0, 2))
        for world in (alone, beside):
            world.start(steps, 300, 1e-3)
        elapsed = [w.finish().elapsed for w in (alone, beside)]
        self.assertAlmostEqual(elapsed[0], 0.3, 6)
        self.assertTrue(1.3 <= elapsed[1] / elapsed[0] <= 2)

    def test_speed(self):
        world = World(random.Random(3), speed=0.5)
        world.start(steps, 10, 1e-3)
        self.assertAlmostEqual(world.finish().elapsed, 0.02, 9)

    def test_a_lock_is_held_by_one(self):
        """Who waits for a lock waits for what the other does with it: elapsed is the sum of both."""
        world = World(random.Random(4))
        lock = Lock(world)

        def holder(task):
            for _ in range(50):
                yield from task.locked(lock, "lock", True, task.sleep(1e-3))
        for _ in range(2):
            world.start(holder)
        run = world.finish()
        self.assertTrue(0.1 <= run.elapsed <= 0.102)
        self.assertAlmostEqual(sum(c.end - c.start for c in run.calls), 0.1, delta=0.003)

    def test_a_join_ends_with_what_it_waits_for(self):
        world = World(random.Random(5))

        def main(task):
            other = world.start(steps, 20, 1e-3)
            yield from task.call("join", task.join(other))
        world.start(main)
        run = world.finish()
        last = max(c.end for c in run.calls if c.operation == "step")
        join = next(c for c in run.calls if c.operation == "join")
        self.assertTrue(last <= join.end <= last + 1e-5)


class Printed(unittest.TestCase):
    """Each format says what was simulated: calls exactly, sums to the digits that it prints."""

    def run_of(self):
        world = World(random.Random(6))
        lock = Lock(world)

        def worker(task):
            for _ in range(80):
                yield from task.locked(lock, "futex", False, task.run(3e-5))
                yield from task.call("pread64", task.cost("pread64", 2e-4))
        for _ in range(2):
            world.start(worker)
        return world.finish(started=printed.START, clients=2)

    def test_read_back(self):
        run = self.run_of()
        for kind, (suffix, text) in printed.FORMATS.items():
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / f"run.{suffix}"
                path.write_text(text([run]) if kind in printed.REPEATED else text(run))
                out = subprocess.run([OSPROF, "show", "-q", "-f", "json", path], capture_output=True, check=True)
                shown = json.loads(out.stdout)["runs"][0]
                scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[shown["unit"]]
                self.assertEqual(sum(o["count"] for o in shown["operations"]), len(run.calls))
                if kind != "wrk":  # which prints a rounded mean
                    total = sum(o["total"] for o in shown["operations"]) * scale
                    self.assertAlmostEqual(total, sum(c.end - c.start for c in run.calls), delta=1e-6 * len(run.calls))


if __name__ == "__main__":
    unittest.main()
