#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof merge and convert --part: what is lost by no one, what is refused, and recipes.

usage: merging.py OSPROF [TRIALS]

TRIALS of random profiles are added up by osprof, at once and by a tree of files, and by
tests/oracle/adder.py. Prints TAP.
"""

import os
import pathlib
import random
import re
import signal
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "oracle"))
import adder  # noqa: E402

OSPROF = pathlib.Path(sys.argv[1]).resolve()
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 40


def run(*args, stdin=None, status=0):
    done = subprocess.run([OSPROF, *args], input=stdin, capture_output=True, text=True)
    assert done.returncode == status, (args, done.returncode, done.stdout, done.stderr)
    return done


def write(name, text):
    pathlib.Path(name).write_text(text)
    return name


def merged(*files, **options):
    return run("merge", "-q", *files, **options).stdout


def body(text):
    """Without what all files of ours have."""
    lines = text.splitlines()
    assert lines[:2] == ["osprof 1", "ends"] and lines[-1].startswith("end "), text
    return lines[2:-1]


# --- the ten -------------------------------------------------------------------------------

def calls_that_are_only_counted_stay():
    a = write("a", "osprof 1\nunit ns\nop x\ncount 5\ntotal 700\n")
    b = write("b", "osprof 1\nunit ns\nop x\n")
    assert body(merged(a, b)) == ["unit ns", "op x", "count 5", "total 700"]
    assert merged(a, b) == merged(b, a) == merged(a, b, b)
    c = write("c", "osprof 1\nunit ns\nop x\n3 1\n")
    run("merge", a, c, status=2)


def the_unit_of_the_profile_is_stated():
    a = write("a", "osprof 1\nunit ns\nop z\n3 1\nop a\nunit us\n3 1\n")
    b = write("b", "osprof 1\nunit ns\nop z\n3 1\n")
    c = write("c", "osprof 1\nunit ns\nop b\n3 1\n")
    at_once = merged(a, b, c)
    ab = write("ab", merged(a, b))
    assert merged(ab, c) == at_once and "profile-unit ns" in at_once


def elapsed_is_not_made_up():
    a = write("a", "osprof 1\nunit s\nop x\ninterval 0 1\n3 1\n")
    b = write("b", "osprof 1\nunit s\nop x\ninterval 1 2\n3 1\n")
    c = write("c", "osprof 1\nunit s\nop x\n3 1\n")
    ab = write("ab", merged(a, b))
    assert "elapsed unknown" in body(merged(ab, c))
    assert merged(ab, c) == merged(a, b, c)


def the_granularity_is_that_of_what_was_called():
    a = write("a", "osprof 1\nop x\ngranularity 4\n3 1\n")
    b = write("b", "osprof 1\nop x\ngranularity 4\ncount 0\n")
    c = write("c", "osprof 1\nop x\ngranularity 2\n")
    d = write("d", "osprof 1\nop x\ngranularity 2\n3 1\n")
    for order in ((a, b, c), (c, a, b), (b, c, a)):
        assert "granularity 4" in merged(*order)
    assert "granularity" not in merged(a, d)
    e = write("e", "osprof 1\nop x\ngranularity 4\ncount 3\n")
    f = write("f", "osprof 1\nop x\ngranularity 2\ncount 3\n")
    assert "granularity" not in merged(e, f) and merged(e, f) == merged(f, e)


def a_total_that_buckets_refute_is_not_added():
    a = write("a", "osprof 1\nop x\ntotal 100000\n3 1\n")
    b = write("b", "osprof 1\nop x\ntotal 90000\n16 1\n")
    assert "total" not in merged(a, b)


def one_file_is_sorted():
    a = write("a", "osprof 1\nop z\n3 1\nop a\n3 1\nlayer b\nop m\n3 1\n")
    assert [line for line in body(merged(a)) if line.startswith("op")] == ["op a", "op z", "op m"]


def intervals_can_be_those_of_everybody():
    rows = [(1790000003, 5), (1790000009, 6), (1790000011, 7), (1790000025, 8)]
    table = "op,latency_ns,start_s\n"
    files = [write(f"{i}.csv", table + "".join(f"r,{v},{t}\n" for t, v in part))
             for i, part in enumerate((rows, rows[:1], rows[1:3], rows[3:]))]
    whole = merged("--utc", "--interval", "10s", files[0])
    assert whole == merged("--utc", "--interval", "10s", *files[1:])
    assert [line for line in body(whole) if line[:8] in ("epoch", "interval")] == [
        "epoch", "interval 1790000000 1790000010", "interval 1790000010 1790000020",
        "interval 1790000020 1790000030"]
    other = write("other", "osprof 1\nunit ns\nop r\ninterval 0 1\n3 1\n")
    utc = write("utc", whole)
    assert "times-clash" in run("merge", utc, other, status=2).stderr


def half_a_file_is_refused():
    text = merged(write("a", "osprof 1\nunit ns\n" + "".join(
        f"op x{i}\ncount 3\n3 1\n4 2\n" for i in range(12))))
    write("whole", text)
    refused = 0
    for cut in range(len(text) - 1):
        write("cut", text[:cut])
        done = subprocess.run([OSPROF, "merge", "-q", "cut"], capture_output=True, text=True)
        assert done.returncode == 2 or done.stdout == text, cut
        refused += done.returncode == 2
    assert refused >= len(text) - 2
    run("merge", write("more", text + "op y\n3 1\n"), status=2)
    run("merge", write("fewer", text.replace("end 12", "end 13")), status=2)
    run("show", write("old", "osprof 1\nop x\n3 1\n"))


def nothing_and_something_is_something():
    a = write("a", merged(write("in", "osprof 1\nmachine m\nunit ns\nop x\n3 1\n")))
    none = write("none", merged("--files-from", write("list", "")))
    assert pathlib.Path(none).read_text() == "osprof 1\nends\nend 0\n"
    assert merged(a, none) == merged(none, a) == merged(none, none, a) == \
        pathlib.Path(a).read_text()
    run("show", none)
    run("rank", none, a)
    run("rank", a, none)


def nanoseconds_add_up_over_machines():
    for clock, unit in (("ns", "unit ns"), ("counter", "unit")):
        run("record", "-q", "--clock", clock, "-o", "r.osprof", "--force", "--", "ls", "/")
        assert unit in pathlib.Path("r.osprof").read_text()
    run("record", "-q", "--clock", "ns", "-o", "r.osprof", "--force", "--", "ls", "/")
    assert "\nhz " not in pathlib.Path("r.osprof").read_text()


# --- what is taken out again ------------------------------------------------------------------

def subtracting_what_was_added_gives_the_rest():
    for trial in range(TRIALS):
        r = random.Random(trial)
        a, b, c = (write(name, random_profile(r, (1,), 1, 1)) for name in "abc")
        whole = write("whole", merged(a, b, c))
        run("subtract", "-q", whole, b, "-o", "ac", "--force")
        assert pathlib.Path("ac").read_text() == merged(a, c), trial
        assert run("subtract", "-q", "ac", a).stdout == merged(c), trial


def subtracting_keeps_what_is_known():
    a = write("a", "osprof 1\nunit ns\nelapsed 3\nop x\ncount 5\ntotal 20\nmin 2\nmax 6\n1 3\n2 2\nop y\n3 1\n"
              "interval 0 1\n1 1\n")
    b = write("b", "osprof 1\nunit ns\nelapsed 2\nop x\ncount 2\ntotal 9\nmin 3\nmax 6\n1 1\n2 1\n")
    whole = write("whole", merged(a, b))
    rest = body(run("subtract", "-q", whole, b).stdout)
    assert rest[:4] == ["unit ns", "op x", "count 5", "total 20"] and "min 2" in rest, rest
    assert not any(line.startswith(("max", "elapsed")) for line in rest), rest
    # Of other edges, on those that both have.
    fine = write("fine", "osprof 1\nunit ns\nop x\nbuckets log2 2\n2 1\n4 1\n")
    assert "1 2" in body(run("subtract", "-q", write("x", "osprof 1\nunit ns\nop x\n1 3\n2 2\n"), fine).stdout)


def what_is_no_part_is_refused_by_name():
    whole = write("whole", "osprof 1\nunit ns\nlost 1\nop x\ncount 5\ntotal 14\n1 3\n2 2\n"
                  "interval 0 1\n1 1\n")
    for part, words in (("op x\n1 4\n", "x: the part has 4 calls from 2 to 4 ns, the whole 3"),
                        ("op x\n5 1\n", "x: the part has 1 calls from 32 to 64 ns, the whole 0"),
                        ("op x\ncount 6\n1 3\n", "x: the part has 6 calls, the whole 5"),
                        ("op x\ncount 4\ntotal 19\n1 3\n2 1\n", "x: a total latency of -5 ns is left of its calls"),
                        ("op x\ncount 5\ntotal 19\n1 3\n2 2\n", "x: a total latency of -5 ns is left of no calls"),
                        ("op y\n1 1\n", "y is in the part and not in the whole"),
                        ("lost 2\nop x\n1 1\n", "the part lost 2 events, the whole 1"),
                        ("op x\n1 1\ninterval 1 2\n1 1\n", "x: the whole has no interval from 1 to 2 s, the part has one"),
                        ("op x\nbuckets edges 3 5\n0 1\n", "other edges")):
        b = write("part", "osprof 1\nunit ns\n" + part)
        said = run("subtract", whole, b, "-o", "rest", status=2).stderr
        assert words in said, (part, said)
        assert not pathlib.Path("rest").exists()
    b = write("part", "osprof 1\nunit cycles\nhz 1e9\nop x\n1 1\n")
    assert "units cannot be reconciled" in run("subtract", whole, b, status=2).stderr
    assert "the part is all of the whole" in run("subtract", whole, whole, status=2).stderr


# --- an adder of its own ---------------------------------------------------------------------

def random_profile(r, resolutions=(1, 2, 4, 6), stated=0.7, least=0):
    lines = ["osprof 1", "unit ns"]
    for layer in ("", "vfs"):
        lines += [f"layer {layer}"] if layer else []
        for name in r.sample(["read", "write", "fsync", "open", "a b"], r.randrange(1, 5)):
            resolution = r.choice(resolutions) if (len(name) + len(layer)) % 2 else 1
            rows = {r.randrange(0, 30): r.choice((r.randrange(1, 99), r.randrange(1, 2**58)))
                    for _ in range(r.randrange(least, 5))}
            lines.append(f"op {name}")
            if r.random() < stated and rows:
                middle = sum(count * int(2 ** ((index + 0.5) / resolution) * 1000) for index, count in rows.items())
                lines.append(f"total {middle // 1000}.{middle % 1000:03}")
            if r.random() < stated:
                lines.append(f"count {sum(rows.values())}")
            lines += [f"buckets log2 {resolution}"] if resolution > 1 else []
            lines += [f"{index} {count}" for index, count in sorted(rows.items())]
    return "\n".join(lines) + "\n"


def an_adder_of_its_own_agrees():
    for trial in range(TRIALS):
        r = random.Random(trial)
        files = [write(f"{i}.osprof", random_profile(r)) for i in range(r.randrange(1, 8))]
        at_once = merged(*files)
        r.shuffle(files)
        cut = r.randrange(len(files))
        tree = [write("left", merged(*files[:cut]))] if cut else []
        assert merged(*tree, *files[cut:]) == at_once, trial
        write("sum", at_once)
        expected = list(adder.add([adder.read(path) for path in files]))
        got = list(adder.add([adder.read("sum")]))
        assert got == expected, (trial, [x for x in zip(got, expected) if x[0] != x[1]])


# --- faults ----------------------------------------------------------------------------------

def delivery(host, start, calls=1):
    return (f"osprof 1\nends\nhost {host}\nunit ns\nepoch\nop x\n"
            f"interval {start} {start + 10}\n3 {calls}\nend 1\n")


def hosts_are_counted_and_missed():
    for host in ("web1", "web2"):
        write(f"{host}.osprof", delivery(host, 1790000000))
    write("list", "web1\nweb2\nweb3\n")
    done = run("merge", "--expect", "list", "web1.osprof", "web2.osprof")
    assert "hosts 2 of 3" in done.stdout and "missing web3" in done.stdout
    assert "web3" in done.stderr and "hosts-missing" in done.stderr
    write("part", done.stdout)
    write("web3.osprof", delivery("web3", 1790000000))
    assert "hosts 3 of 3" in merged("part", "web3.osprof")
    write("web9.old.osprof", "osprof 1\nunit ns\nop x\n3 1\n")
    write("list", "web9\n")
    assert "host web9" in merged("--expect", "list", "web9.old.osprof")


def what_comes_twice_counts_once():
    write("a", delivery("web1", 1790000000))
    write("b", delivery("web1", 1790000000))
    write("c", delivery("web1", 1790000010))
    write("d", delivery("web1", 1790000000, 2))
    done = run("merge", "a", "b", "c")
    assert "delivered-twice" in done.stderr and "a and b" in done.stderr
    assert done.stdout == merged("a", "c") and "\n3 2\n" in done.stdout
    done = run("merge", "a", "c", "d", status=2)
    assert "delivery-clash" in done.stderr and "a and d" in done.stderr and not done.stdout


def bad_inputs_are_named_and_counted():
    for i in range(300):
        write(f"h{i}.osprof", f"osprof 1\nunit ns\nop x{i % 9}\n3 1\n")
    write("h7.osprof", "")
    write("h200.osprof", "osprof 2\n")
    names = [f"h{i}.osprof" for i in range(300)]
    write("list", "\n".join(names) + "\n")
    for skip in ("0", "1"):
        done = run("merge", "--skip-bad", skip, "--files-from", "list", "-o", "out", status=2)
        assert "h7.osprof" in done.stderr and not os.path.exists("out")
    done = run("merge", "--skip-bad", "2", "--files-from", "list")
    assert "h7.osprof: left out, 1 of at most 2" in done.stderr
    assert "h200.osprof: left out, 2 of at most 2" in done.stderr
    assert "hosts 0 of 2" in done.stdout and "missing h7\n" in done.stdout
    assert done.stdout.count("op x") == 9
    calls = sum(int(line[2:]) for line in done.stdout.splitlines() if line.startswith("3 "))
    assert calls == 298


def killed_while_writing_leaves_nothing():
    """The kernel ends it at 10 KiB of its output, which has no name before all of it is there."""
    big = write("big.osprof", "osprof 1\nunit ns\n" + "".join(f"op x{i}\n3 1\n" for i in range(20000)))
    for options in ((), ("--force",)):
        if options:
            write("out", "mine\n")
        done = subprocess.run(["/bin/sh", "-c", 'ulimit -f 20; exec "$@"', "sh", OSPROF, "merge", "-q", big,
                               "-o", "out", *options], capture_output=True)
        assert done.returncode == -signal.SIGXFSZ, done
        assert not [name for name in os.listdir(".") if name.startswith(".osprof.")], os.listdir(".")
    assert pathlib.Path("out").read_text() == "mine\n"


def what_is_refused_is_refused_in_the_same_words():
    for i in range(60):
        write(f"{i:02}.osprof", f"osprof 1\nunit {'us' if i in (31, 44) else 'ns'}\nop x\n3 1\n")
    files = [f"{i:02}.osprof" for i in range(60)]
    told = {run("merge", "-q", *files, status=2).stderr for _ in range(5)}
    assert len(told) == 1 and "00.osprof in ns, 31.osprof in us" in told.pop()
    full = write("full", f"osprof 1\nunit ns\nop x\n3 {2**64 - 1}\n")
    assert "count-overflow" in run("merge", full, "00.osprof", "01.osprof", status=2).stderr
    run("merge", "00.osprof", "no-such", status=2)
    run("merge", "--files-from", "no-such", status=2)
    run("merge", status=2)


def a_folder_is_what_rank_takes_for_a_run():
    os.mkdir("night")
    profiles = [write(f"night/web{k}.osprof", f"osprof 1\nends\nunit us\nop x\n{k + 3} 2\nend 1\n")
                for k in range(3)]
    write("night/README.md", "# A night\nosprof 1\n")
    write("night/notes.txt", "It rained.\n")
    log = write("night/a_clat.1.log", "".join(f"{k}, {1000 + k}, 0, 4096\n" for k in range(40)))
    write("night/a_bw.1.log", "".join(f"{k}, 77, 0, 4096\n" for k in range(40)))
    os.mkdir("logs")
    for name in (log, "night/a_bw.1.log"):
        shutil.move(name, "logs")
    assert "README.md (a document" in run("merge", "night").stderr
    assert merged("night") == merged(*profiles)
    # fio's bandwidth log is no run; it is left out of a sum as it is of a comparison.
    alone = merged("logs/a_clat.1.log")
    done = run("merge", "logs")
    assert "a_bw.1.log (no latencies)" in done.stderr and "op " in done.stdout
    assert calls_in(done.stdout) == calls_in(alone) == 40
    damaged = {"cut": "osprof 1\nends\nunit us\nop x\n3 2\n", "text": "It rained.\n", "empty": ""}
    for text in damaged.values():
        write("night/web3.osprof", text)
        assert "web3.osprof" in run("merge", "night", status=2).stderr
        assert "web3.osprof" in run("show", "night", status=2).stderr


def calls_in(text):
    return sum(int(line.split()[1]) for line in text.splitlines() if line[:1].isdigit())


def names_may_hold_anything():
    odd = "a\nb c.osprof"
    write(odd, "osprof 1\nop x\n3 1\n")
    done = run("merge", "-q", "-0", "--files-from", "-", stdin=odd + "\0")
    assert "\n3 1\n" in done.stdout
    run("merge", "-q", "--files-from", "-", stdin=odd, status=2)
    run("merge", "-q", "--files-from", "-", stdin=odd + "\0", status=2)


def a_full_disk_leaves_nothing():
    write("a", "osprof 1\nop x\n3 1\n")
    run("merge", "a", "-o", "/dev/full", status=2)
    assert os.path.exists("/dev/full")


# --- parts -------------------------------------------------------------------------------------

def parts_are_the_whole():
    r = random.Random(1)
    rows = [f"{r.choice(['read', 'write', chr(34) + 'a, b' + chr(34), chr(34) + 'x' + chr(10) + 'y' + chr(34)])},"
            f"{r.randrange(1, 1 << 22)},{1790000000 + i / 100}\n" for i in range(90000)]
    write("big.csv", "op,latency_ns,start_s\n" + "".join(rows))
    for options in ((), ("--utc", "--interval", "60s")):
        parts = []
        for k in range(1, 65):
            parts.append(f"part{k}.osprof")
            run("convert", "-q", "--force", *options, "--part", f"{k}/64", "big.csv", "-o", parts[-1])
        whole = merged(*options, "big.csv")
        took = [line for line in whole.splitlines(True) if line.startswith("elapsed ")]
        assert len(took) == 1 and took[0].startswith("elapsed 899.99") and "timestamps" in took[0]
        # A part does not tell how long the run took, unlike the whole.
        assert merged(*parts) == whole.replace(took[0], "")
    with open("big.csv") as table:
        piped = subprocess.run([OSPROF, "convert", "-q", "--part", "2/3", "-"], stdin=table,
                               capture_output=True, text=True, check=True).stdout
    assert piped == run("convert", "-q", "--part", "2/3", "big.csv").stdout
    run("convert", "--interval", "1s", "--part", "1/2", "big.csv", status=2)
    run("convert", "--part", "1/2", write("own", "osprof 1\nop x\n3 1\n"), status=2)
    for bad in ("0/2", "3/2", "1", "1/0", "x/2"):
        run("convert", "--part", bad, "big.csv", status=2)


def parts_state_when_they_began():
    """The second part's calls come before the first's, and the third has one by a clock that counts
    from the start of the machine: the run began at the first start since 1970."""
    block = 1 << 18  # bytes; a part has at least one
    calls = (["1790000020.5", "1790000030"], ["1790000010.25", "1790000015"], ["77.5", "1790000025"])
    rows = [[f"read,8,{at}\n" for at in starts] + ["read,8,1790000040\n"] * (block // 18) for starts in calls]
    write("few.csv", "op,latency_ns,start_s\n" + "".join(row for part in rows for row in part))
    for options in ((), ("--utc", "--interval", "7200s")):
        started = []
        for k in (1, 2, 3):
            run("convert", "-q", "--force", *options, "--part", f"{k}/3", "few.csv", "-o", f"few{k}.osprof")
            text = pathlib.Path(f"few{k}.osprof").read_text()
            assert "\nelapsed " not in text
            started += re.findall("^started (.*)$", text, re.M)
        assert started == ["1790000020.5", "1790000010.25", "1790000025"], started
        whole = merged(*options, "few.csv")
        assert "\nstarted 1790000010.25\n" in whole, whole
        assert merged("few3.osprof", "few1.osprof", "few2.osprof") == re.sub("elapsed .*\n", "", whole)


# --- recipes -----------------------------------------------------------------------------------

def shell(command):
    subprocess.run(["bash", "-c", "set -e -o pipefail; " + command], check=True, capture_output=True,
                   env={**os.environ, "PATH": f"{OSPROF.parent}:{os.environ['PATH']}"})


def night():
    os.mkdir("night")
    r = random.Random(2)
    for i in range(150):
        write(f"night/h{i}.osprof", random_profile(r))
    return merged("night")


def recipe_of_xargs():
    whole = night()
    shell("mkdir part; find night -type f -print0 | "
          "xargs -0 -P 2 -n 40 sh -c 'osprof merge -q \"$@\" -o part/$$.osprof' sh; "
          "osprof merge -q part -o night.osprof")
    assert pathlib.Path("night.osprof").read_text() == whole


def recipe_of_parallel():
    if shutil.which("parallel") is None:
        return "no GNU parallel here"
    whole = night()
    shell("mkdir part; find night -type f -print0 | "
          "parallel -0 -N 64 osprof merge -q {} -o part/{#}.osprof && "
          "osprof merge -q part -o night.osprof")
    assert pathlib.Path("night.osprof").read_text() == whole


def recipe_of_make():
    if shutil.which("make") is None:
        return "no make here"
    whole = night()
    write("Makefile", "tens = 0 1 2 3 4 5 6 7 8 9\n"
          "night.osprof: $(tens:%=part-%.osprof)\n\tosprof merge -q $^ -o $@\n"
          "part-%.osprof: $(wildcard night/*)\n"
          "\tosprof merge -q $(wildcard night/h*$*.osprof) -o $@\n")
    shell("make -j 2")
    assert pathlib.Path("night.osprof").read_text() == whole


def recipe_of_lists():
    """What arrays of Slurm, Hadoop streaming and Spark's pipe do: each gets names of files."""
    whole = night()
    shell("find night -type f >list; split -n r/7 list list-; "
          "for l in list-*; do osprof merge -q --files-from - <$l -o sum-$l.osprof; done; "
          "osprof merge -q sum-*.osprof -o night.osprof")
    assert pathlib.Path("night.osprof").read_text() == whole


CASES = [value for value in list(globals().values())
         if callable(value) and getattr(value, "__module__", None) == "__main__" and
         value.__name__ not in ("run", "write", "merged", "body", "random_profile", "delivery",
                                "shell", "night", "main", "one", "calls_in")]


def one(number, case):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the time is over: clean up, too
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            skipped = case()
            print(f"ok {number} - {case.__name__}" + (f" # SKIP {skipped}" if skipped else ""))
        except (AssertionError, subprocess.CalledProcessError) as wrong:
            print(f"not ok {number} - {case.__name__}\n# {str(wrong)[:2000]!r}")
        os.chdir("/")
    sys.stdout.flush()


def main():
    print(f"1..{len(CASES)}")
    for number, case in enumerate(CASES, 1):
        one(number, case)


if __name__ == "__main__":
    main()
