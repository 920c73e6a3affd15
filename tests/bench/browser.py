#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time the browser through a pseudo-terminal.

Usage: tests/bench/browser.py [FOLDER]

FOLDER is a build folder with osprof and osprof-tui, by default build-release.

Four inputs: two runs of N operations (generate.py), the same with a tenth of
them, one run of 1,000 intervals and 100 operations, and a trace whose calls
have 110,101 paths (keys alone); and a folder of intervals of 500 operations,
one more each second, that --watch follows (keys alone, with their 99th
percentile: pressed all the time, and after pauses in which new intervals are
shown).  Of each:

  first screen   from the start of the process to the last byte of the screen,
                 and beside it how long `osprof rank` takes to read and rank the
                 same files, which the browser has to do, too
  keys           from a key to the last byte of the answer, each kind of key
                 pressed ROUNDS times: median and worst
  memory         the most that was resident

Each is reported as time that passed, and as time that a processor worked for it:
on a machine that is busy the latter says more.  A key that changes nothing on
the screen has no answer, and counts with the time of the processor.

Environment: N (10000; 0: only what --watch follows), ROUNDS (15).
Exit status: 1 where something did not run, 0 otherwise, whether or not the limits hold.
"""

import fcntl
import os
import pathlib
import pty
import resource
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
LIMIT_START, LIMIT_KEY = 100, 16  # milliseconds
QUIET = 0.06  # seconds without a byte: the answer is complete
PATIENCE = 2.0  # for the first byte of an answer
SIZE = (50, 160)

NAMED = {"Enter": b"\r", "Escape": b"\x1b", "Down": b"\x1b[B", "PageDown": b"\x1b[6~",
         "PageUp": b"\x1b[5~", "End": b"G", "Home": b"g"}

# What is measured: its name, keys that lead there, the keys that are timed in turn.
KEYS_RANKING = [
    ("ranking: down, up", "", "jk"),
    ("ranking: page down, page up", "", ["PageDown", "PageUp"]),
    ("ranking: last, first", "", "Gg"),
    ("ranking: only reported, all", "", ".."),
    ("ranking: sort by the next column", "", ">>>>>>>>>>>><<<<<<<<<<<<"),
    ("ranking: turn the order around", "", "II"),
    ("ranking: search, a letter", "/op_", "9876543210"),
    ("ranking: filter", "", ["&op_1\r", "&\x15\r"]),
    ("ranking: mark, note, command", "", ["!", "j"]),
    ("histogram: next operation", "2", "jjjjjkkkkk"),
    ("histogram: ways to draw", "2", "sdcuoLLttBB+-"),
    ("peaks: next operation", "3", "]["),
    ("distances: next operation", "4", "]["),
    ("layers: open, next", "", ["6", "j", "k", "q"]),
    ("similar: down, up", "7", "jk"),
    ("similar: next operation", "7", "]["),
    ("explain: next operation", "x", "]["),
    ("runs: open, back", "", "8q"),
    ("run by run: next operation", "r", "]["),
    ("functions: open, back", "", "Fq"),
    ("ranking: filter while typing, Escape", "", ["&1", "2", "Escape"]),
    ("ranking: filter, show all again", "", ["&op_1\r", "Escape"]),
    ("ranking: scroll the words", "", "\t\t"),
    ("command: sort", "", [":sort p99\r", ":sort name\r"]),
    ("help: open, back", "", "?q"),
]
KEYS_TIMELINE = [
    ("timeline: right, left", "5", "lh"),
    ("timeline: last, first interval", "5", "Gg"),
    ("timeline: next operation", "5", "]["),
    ("timeline: an interval's histogram", "5", ["Enter", "l", "h", "Enter"]),
    ("ranking: down, up", "", "jk"),
]
KEYS_CAUSES = [
    ("causes: another peak", "C", "hl"),
    ("causes: down, up", "C", "jk"),
    ("causes: open a node, close it", "C", ["Enter"]),
    ("causes: last, first line", "C", "Gg"),
    ("causes: turn", "C", "v"),
]


class Missed(Exception):
    pass


class Browser:
    """osprof-tui on a pseudo-terminal."""

    def __init__(self, program, words):
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.execv(program, [program, *words])

    def answer(self, patience=PATIENCE, quiet=QUIET):
        """When the last byte of an answer came, and the bytes; None without one."""
        last, got = None, b""
        while select.select([self.fd], [], [], quiet if got else patience)[0]:
            try:
                chunk = os.read(self.fd, 1 << 16)
            except OSError:
                break
            if not chunk:
                break
            last = time.perf_counter()
            got += chunk
            self.worked = self.processor()
        return last, got

    def first_screen(self):
        """Seconds; what is shown while it loads does not count.  `worked` then is the processor
        time to the last byte, without what is prepared for other views afterwards."""
        last, got = self.answer(patience=30, quiet=0.5)
        while b"gives up" in got[-4000:]:
            last, got = self.answer(patience=30, quiet=0.5)
        if b" of " not in got:
            raise Missed("no first screen: " + repr(got[-300:]))
        return last - self.started

    def used(self):
        """Seconds of processor time, of all its threads that live."""
        return sum(int(path.read_text().split()[0]) for path in
                   pathlib.Path(f"/proc/{self.pid}/task").glob("*/schedstat")) / 1e9

    def processor(self):
        """Seconds since it began, of threads that ended, too; in steps of 10 ms."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak_memory(self):
        """Bytes."""
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise Missed("no VmHWM")

    def press(self, keys):
        """Seconds to the answer, and of processor time."""
        data = NAMED.get(keys, keys.encode())
        if len(data) > 1 and keys not in NAMED:  # the last key is the one that is timed
            os.write(self.fd, data[:-1])
            self.answer(0.2)
            data = data[-1:]
        used, start = self.used(), time.perf_counter()
        os.write(self.fd, data)
        last, _ = self.answer(0.15)
        used = self.used() - used
        return last - start if last else used, used

    def go(self, keys):
        if keys:
            os.write(self.fd, keys.encode())
            self.answer(10)  # a trace is read for its causes: that is no key's answer

    def leave(self):
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def timed(words):
    """Seconds a command takes, and of processor time."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, close_fds=False)
    passed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return passed, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def row(name, times, limit):
    """times: pairs of what passed and what was worked, in seconds."""
    passed, worked = ([t * 1e3 for t in column] for column in zip(*times))
    median = statistics.median(passed)
    print(f"  {name:36s} median {median:7.1f} worst {max(passed):7.1f} ms   "
          f"processor {statistics.median(worked):7.1f} worst {max(worked):7.1f} ms   "
          f"limit {limit} ms {'holds' if median <= limit else 'MISSED'}", flush=True)


def starts(folder, words, rounds, what):
    osprof, program = str(folder / "osprof"), str(folder / "osprof-tui")
    command = ["rank", "-q"] if len(words) == 2 else ["show", "-q"]
    reading, starting, memory = [], [], 0
    for round_ in range(rounds + 1):
        reading.append(timed([osprof, *command, *words]))
        browser = Browser(program, ["-q", *words])
        passed = browser.first_screen()
        starting.append((passed, browser.worked))
        memory = browser.peak_memory()
        browser.leave()
        if round_ == 0:
            reading, starting = [], []
    size = sum(os.path.getsize(w) for w in words)
    print(f"{what}, {size / 1e6:.1f} MB")
    row("first screen", starting, LIMIT_START)
    row(f"  of which reading: osprof {command[0]}", reading, LIMIT_START)
    print(f"  memory {memory / 1e6:.1f} MB, {memory / size:.1f} bytes a byte of input")


def keys(folder, words, kinds, rounds):
    for name, way, pressed in kinds:
        browser = Browser(str(folder / "osprof-tui"), ["-q", *words])
        browser.first_screen()
        browser.go(way)
        times = []
        while len(times) < rounds:
            times += [browser.press(key) for key in pressed]
        browser.leave()
        row(name, times, LIMIT_KEY)


def write_intervals(path):
    """1,000 intervals of 100 operations, each a histogram of about eight buckets."""
    with open(path, "w", encoding="ascii") as file:
        file.write("osprof 1\nunit ns\n")
        for op in range(100):
            file.write(f"op op_{op:03d}\n")
            for interval in range(1000):
                file.write(f"interval {interval} {interval + 1}\n")
                peak = 9 + op % 12 + (interval // 100) % 3
                for bucket in range(peak - 3, peak + 5):
                    count = 1000 >> abs(bucket - peak)
                    file.write(f"{bucket} {count + (interval * 7 + op) % 13}\n")


def write_calls(path):
    """200 calls of f, every second one four times as slow, and below it 110,100 paths."""
    with open(path, "w", encoding="ascii") as file:
        file.write("start_ns,end_ns,tid,name\n")
        for call in range(200):
            at, leaf = call * 10_000_000, 4000 if call % 2 else 1000
            middle = 10 * leaf + 100
            file.write(f"{at},{at + 100 * middle + 200},1,f\n{at + 50},{at + 100 * middle + 100},1,a{call // 2}\n")
            for b in range(100):
                start = at + 60 + b * middle
                file.write(f"{start},{start + middle},1,b{b}\n")
                for c in range(10):
                    file.write(f"{start + 50 + c * leaf},{start + 50 + (c + 1) * leaf},1,c{c}\n")


def write_kept(folder, number):
    """One interval of 500 operations, as osprof watch keeps it."""
    part = folder / ".part"
    with open(part, "w", encoding="ascii") as file:
        file.write("osprof 1\nunit ns\n")
        for op in range(500):
            file.write(f"op op_{op:03d}\n")
            for bucket in range(8, 16):
                file.write(f"{bucket} {(1000 >> abs(bucket - 11)) + (number * 7 + op * bucket) % 13}\n")
    part.rename(folder / f"20261122T{18 + number // 3600}{number // 60 % 60:02}{number % 60:02}Z-1s.osprof")


def watched(folder, work, presses, pauses):
    """Keys while intervals arrive, and after pauses that end about when new ones are shown."""
    kept, ended = pathlib.Path(work) / "kept", threading.Event()
    kept.mkdir()
    for number in range(70):
        write_kept(kept, number)

    def go_on(number=70):
        while not ended.wait(1):
            write_kept(kept, number)
            number += 1

    writer = threading.Thread(target=go_on)
    browser = Browser(str(folder / "osprof-tui"), ["-q", "--watch", str(kept)])
    while b" of " not in browser.answer(30, 0.5)[1]:
        pass
    writer.start()
    for name, n, pause in (("watch: down, up, all the time", presses, 0), ("watch: down, up, after 3 s", pauses, 3)):
        times = []
        for i in range(n):
            if pause:
                time.sleep(pause + i / n)
                browser.answer(0, 0)
            times.append(browser.press("jk"[i % 2]))
        row(name, times, LIMIT_KEY)
        passed = sorted(t[0] for t in times)
        print(f"  {'':36s} 99th percentile {1e3 * passed[int(0.99 * (n - 1))]:.1f} ms of {n} keys")
    ended.set()
    writer.join()
    browser.leave()


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build-release").resolve()
    n, rounds = int(os.environ.get("N", "10000")), int(os.environ.get("ROUNDS", "15"))
    with tempfile.TemporaryDirectory() as work:
        print("intervals of 500 operations, one more each second")
        watched(folder, work, 20 * rounds, rounds)
        if n == 0:
            return 0
        for size in (n, n // 10):
            subprocess.run([sys.executable, HERE / "generate.py", str(size), f"{work}/{size}"],
                           check=True)
            words = [f"{work}/{size}/before.json", f"{work}/{size}/after.json"]
            starts(folder, words, 5, f"two runs of {size} operations")
            if size == n:
                keys(folder, words, KEYS_RANKING, rounds)
        path = f"{work}/intervals.osprof"
        write_intervals(path)
        starts(folder, [path], 5, "one run of 1000 intervals x 100 operations")
        keys(folder, [path], KEYS_TIMELINE, rounds)
        path = f"{work}/calls.csv"
        write_calls(path)
        print("one trace of 110,101 paths")
        keys(folder, ["--op", "f", path, "--from", "call-table"], KEYS_CAUSES, rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
