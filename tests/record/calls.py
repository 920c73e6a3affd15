#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records tests/record/caller.c call by call and holds the records to the calls it makes.

    calls.py OSPROF CALLER NAMES

NAMES is "names" where functions and lines are found, "addresses" elsewhere. Prints TAP.
"""
import csv
import errno
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

OSPROF, CALLER = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
NAMED = sys.argv[3] == "names"
HEADER = ("start_ns,process,thread,operation,number,site,latency_ns,cpu_ns,minor_faults,"
          "major_faults,voluntary_switches,involuntary_switches,blocked_ns,resource,kernel_ns,"
          "size,result")
WORDS = ("operation", "site", "resource", "kernel_ns", "size")
LEAST = 40000000  # of a wait for a child that sleeps 50 ms


class Records:
    """A file of osprof-calls(5)."""

    def __init__(self, path):
        with open(path, encoding="utf-8", newline="") as f:
            lines = f.read().split("\n")
        n = next(i for i, line in enumerate(lines) if not line.startswith("# "))
        self.comments, self.header = lines[:n], lines[n]
        self.calls = list(csv.DictReader(lines[n:]))
        for call in self.calls:
            for key in call:
                call[key] = call[key] if key in WORDS else int(call[key])

    def of(self, operation, **wanted):
        """Those of an operation, and with these values."""
        return [c for c in self.calls if c["operation"] == operation and
                all(c[key] == value for key, value in wanted.items())]

    def stated(self, key):
        """The number of a comment."""
        return int(next(c for c in self.comments if c.startswith("# %s: " % key)).split()[2])


def record(mode, *options, out="out", status=0):
    """Runs a mode under the recorder."""
    for path in out, out + ".calls.csv":
        if os.path.exists(path):
            os.unlink(path)
    done = subprocess.run([OSPROF, "record", "-o", out, *(options or ["--calls"]), "--", CALLER,
                           mode], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == status, (done.returncode, done.stderr)
    records = Records(out + ".calls.csv")
    records.told = done.stderr
    return records


def counts(path):
    """Calls of each operation by the profile."""
    found, op = {}, None
    with open(path, encoding="utf-8") as f:
        for line in f:
            words = line.split()
            if words[0] == "op":
                op = words[1]
            elif words[0] == "count":
                found[op] = int(words[1])
    return found


def check_numbers(records):
    """1, 2, 3 ... of each operation in each process, where nothing is lost."""
    numbers = {}
    for c in records.calls:
        numbers.setdefault((c["process"], c["operation"]), []).append(c["number"])
    for who, seen in numbers.items():
        assert sorted(seen) == list(range(1, len(seen) + 1)), who


def check_sound(records):
    """What holds for every record."""
    starts = [c["start_ns"] for c in records.calls]
    assert starts == sorted(starts)
    for c in records.calls:
        assert c["cpu_ns"] <= c["latency_ns"], c
        blocked = c["latency_ns"] - c["cpu_ns"] if c["voluntary_switches"] else 0
        assert c["blocked_ns"] == blocked, c
        assert (c["resource"] != "") == (c["voluntary_switches"] > 0), c


def check_lack(records, words):
    """One thing is lacking, told in the file and to the user."""
    lacks = [c for c in records.comments if c.startswith("# incomplete: ")]
    assert len(lacks) == 1 and words in lacks[0] and lacks[0].endswith(": 1"), lacks
    assert lacks[0][len("# incomplete: "):] in records.told, records.told


def form():
    """The file is what osprof-calls(5) says, and a table of latencies."""
    records = record("places")
    assert records.comments[0] == "# osprof calls 1" and records.header == HEADER
    assert records.stated("lost") == 0 and records.stated("ring") == 1000000
    assert "# command: %s places" % CALLER in records.comments
    assert "%d, in out.calls.csv" % len(records.calls) in records.told
    shown = subprocess.run([OSPROF, "show", "-q", "--format", "csv", "out.calls.csv"],
                           capture_output=True, text=True, check=True).stdout
    rows = {r["operation"]: int(r["calls"]) for r in csv.DictReader(shown.split("\n"))}
    assert rows == dict(Counter(c["operation"] for c in records.calls)) == counts("out")


def places():
    """Two places of one call, the same in another run."""
    records = record("places")
    check_sound(records)
    check_numbers(records)
    reads = Counter(c["site"] for c in records.of("read"))
    assert sorted(reads.values()) == [7, 10], reads
    pattern = r"caller\.c:\d+ read_t?here" if NAMED else r"caller\+0x[0-9a-f]+"
    assert all(re.fullmatch(pattern, site) for site in reads), reads
    if NAMED:
        assert [n for s, n in reads.items() if s.endswith(" read_here")] == [10], reads
    again = record("places", out="again")
    sites = [Counter((c["operation"], c["site"]) for c in r.calls) for r in (records, again)]
    assert sites[0] == sites[1], sites


def results():
    """How many bytes calls asked for, and what they returned."""
    records = record("results")
    check_sound(records)
    seen = {op: [(c["size"], c["result"]) for c in records.of(op)] for op in
            ("read", "write", "lseek", "fopen", "fread", "mkdir", "opendir", "closedir", "rmdir")}
    assert seen == {"read": [("48", 48), ("7", -errno.EBADF)], "write": [("5", 5)],
                    "lseek": [("", 0)], "fopen": [("", 1), ("", 0)], "fread": [("32", 4)],
                    "mkdir": [("", 0)], "opendir": [("", 1)], "closedir": [("", 0)],
                    "rmdir": [("", 0)]}, seen
    assert [c["result"] for c in records.of("readdir")] == [1, 1, 0], records.of("readdir")
    assert ("0", -errno.EINVAL) in [(c["size"], c["result"]) for c in records.of("mmap")]
    opened = [c["result"] for c in records.of("open")]
    assert opened[0] > 2 and opened[1] == -errno.ENOENT, opened


def waits():
    """What calls waited for, and no less than a child slept."""
    records = record("waits")
    check_sound(records)
    for operation, resource in (("read", "pipe"), ("recv", "socket"), ("read", "eventfd"),
                                ("flock", "lock"), ("waitpid", "process"), ("nanosleep", "timer")):
        found = records.of(operation, resource=resource)
        assert found, (operation, resource)
        longest = max(found, key=lambda c: c["blocked_ns"])
        assert LEAST < longest["blocked_ns"] <= longest["latency_ns"], longest
        assert longest["cpu_ns"] < longest["blocked_ns"], longest


def faults():
    """64 pages are touched by the first read into them, none by the second."""
    first, second = record("faults").of("read")
    assert first["minor_faults"] + first["major_faults"] >= 64, first
    assert second["minor_faults"] + second["major_faults"] < 8, second


def overflow():
    """The last calls are kept, the others counted.  A thread that had to wait before it wrote
    what it had measured comes late, one call of each of the other three."""
    records = record("many", "--calls=500")
    made = sum(counts("out").values())
    assert made > 4000 and len(records.calls) + records.stated("lost") == made
    assert len(records.calls) <= 500 and records.stated("ring") == 500
    reads = [c["number"] for c in records.of("read")]
    assert len(set(reads)) == len(reads) and max(reads) == 4000, reads
    assert sorted(reads)[3] > 3000, reads
    assert "use --calls=%d to keep all" % made in records.told, records.told


def killed():
    """What was recorded until then is there, but for what was being written."""
    records = record("killed", status=137)
    check_sound(records)
    made = sum(counts("out").values())
    reads = [c["number"] for c in records.of("read")]
    assert len(set(reads)) == len(reads) >= 1000
    assert abs(made - len(records.calls) - records.stated("lost")) <= 2
    assert max(reads) - len(reads) <= records.stated("lost") + 2


def processes():
    """Numbers of each process, by several threads."""
    records = record("processes")
    check_sound(records)
    check_numbers(records)
    reads = Counter(c["process"] for c in records.of("read"))
    assert sorted(reads.values()) == [2000, 3000, 3000, 3000], reads
    threads = Counter((c["process"], c["thread"]) for c in records.of("read"))
    assert list(threads.values()) == [1000] * 11, threads


def replaced():
    """A program that is replaced goes on counting; exec that failed changes nothing."""
    records = record("replaced")
    check_numbers(records)
    assert len(records.of("read")) == 51
    assert len({c["process"] for c in records.calls}) == 1


def confined():
    """A program that gives up system calls, or the counter, too, is not killed for ours."""
    for mode, counted in (("confined", 7), ("strictly", 3)):
        records = record(mode, status=7)
        assert len(records.of("read")) == 3 and counts("out")["read"] == counted, mode
        check_lack(records, "confined their system calls")


def tight():
    """A program without room for records is in the profile, and that is told."""
    records = record("tight")
    assert len(records.of("read")) == 17 and counts("out")["read"] == 34
    check_lack(records, "without records")


def folders():
    """A file for each run, in a folder beside that of the runs."""
    done = subprocess.run([OSPROF, "record", "--calls", "--repeat", "2", "--interleave", "b/",
                           "-o", "a", "--", CALLER, "places", "--", CALLER, "places"],
                          capture_output=True, text=True, check=True)
    assert done.stderr == "", done.stderr
    for side in "a", "b":
        assert sorted(os.listdir(side)) == ["1.osprof", "2.osprof"]
        assert sorted(os.listdir(side + ".calls")) == ["1.csv", "2.csv"]
        assert len(Records(side + ".calls/2.csv").of("read")) == 17


def kernel():
    """What the kernel took for the calls, and where it waited; as root, with bpftrace."""
    try:
        subprocess.run(["bpftrace", "-e", "tracepoint:raw_syscalls:sys_enter { exit(); }"],
                       capture_output=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return "no root or no bpftrace"
    records = record("waits", "--calls", "--kernel")
    check_sound(records)
    check_numbers(records)
    for operation in "read", "recv", "flock", "waitpid", "nanosleep":
        longest = max(records.of(operation), key=lambda c: c["blocked_ns"])
        assert LEAST < int(longest["kernel_ns"]), longest
        assert re.fullmatch(r"[A-Za-z0-9_]+", longest["resource"]), longest
    assert {c["resource"] for c in records.of("nanosleep")} == {"do_nanosleep"}
    assert all(c["kernel_ns"] for c in records.calls), records.calls  # a system call each
    assert counts("out") == dict(Counter(c["operation"] for c in records.calls))
    return None


def refused():
    """Nothing is run where the calls could not be kept."""
    with open("kept.calls.csv", "w", encoding="utf-8") as f:
        f.write("mine\n")
    for out, options in (("kept", ["--calls"]), ("/dev/null", ["--calls"]), ("x", ["--calls=0"]),
                         ("x", ["--calls=many"])):
        done = subprocess.run([OSPROF, "record", "-o", out, *options, "--", "touch", "made"],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stderr, (out, options, done)
        assert not os.path.exists("made") and not os.path.exists("kept"), (out, options)
    with open("kept.calls.csv", encoding="utf-8") as f:
        assert f.read() == "mine\n"


def main():
    """Each case in turn, in a folder of their own."""
    cases = (form, places, results, waits, faults, overflow, killed, processes, replaced, confined,
             tight, folders, kernel, refused)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, case in enumerate(cases):
            try:
                skipped = case()
                print("ok %d - %s%s" % (i + 1, case.__name__,
                                        " # SKIP " + skipped if skipped else ""))
            except Exception as why:  # pylint: disable=broad-except
                failed = True
                print("not ok %d - %s" % (i + 1, case.__name__))
                print("# %s: %s" % (type(why).__name__, str(why).replace("\n", "\n# ")))
        os.chdir("/")
    print("1..%d" % len(cases))
    sys.exit(failed)


main()
