#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums by host: what is kept, by which law, and how two nights are judged.

usage: hosts.py OSPROF [TRIALS]

TRIALS of random fleets are added up by trees of files, and by tests/oracle/spreads.py.
Prints TAP.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "oracle"))
import spreads  # noqa: E402

OSPROF = pathlib.Path(sys.argv[1]).resolve()
TRIALS = int(sys.argv[2]) if len(sys.argv) > 2 else 10


def run(*args, status=0):
    done = subprocess.run([OSPROF, *args], capture_output=True, text=True)
    assert done.returncode == status, (args, done.returncode, done.stdout, done.stderr)
    return done


def by_host(*files):
    return run("merge", "-q", "--by", "host", *files).stdout


def write(name, *lines):
    pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(name).write_text("\n".join(lines) + "\n")
    return name


def host(name, rows, total, path=None):
    """One operation: {bucket: count}."""
    return write(path or name, "osprof 1", f"host {name}", "unit ns", "op x", f"total {total}",
                 *[f"{bucket} {count}" for bucket, count in rows.items()])


def spread_lines(text):
    """As the oracle prints them."""
    operation, found = None, []
    for line in text.splitlines():
        if line.startswith("op "):
            operation = line[3:]
        elif line.startswith("spread "):
            found.append(f"{operation}: {line}")
    return found


# --- by hand ------------------------------------------------------------------------------

def two_hosts_by_hand():
    """a: 4 calls of 256 ns to below 512, mean 256: shift 8, mean 8, tail log2(0.5 / 4.5),
    calls 2. b: 2 calls of 1024 to below 2048, mean 1024: 10, 10, log2(0.5 / 2.5), 1."""
    text = by_host(host("a", {8: 4}, 1024), host("b", {10: 2}, 2048))
    one = 1 << 20
    shift = mean = (8 * one, 10 * one)
    tail = (round(-3.169925001442312 * one), round(-2.321928094887362 * one))
    calls = (2 * one, one)
    want = []
    for name, (a, b) in (("shift", shift), ("mean", mean), ("tail", tail), ("calls", calls)):
        order = f"1:{a} 2:{b}" if a < b else f"2:{b} 1:{a}"
        want.append(f"x: spread {name} 2 {a + b} {a * a + b * b} extreme {order}")
    assert spread_lines(text) == want, text
    assert "\nby-host\nhost a\nhost b\nhosts 2 of 2\n" in text


def files_of_a_host_are_one():
    """4 calls of a in two files count as 4 calls of one host."""
    whole = by_host(host("a", {8: 4}, 1024), host("b", {10: 2}, 2048))
    parts = by_host(host("a", {8: 1}, 256, "a.1"), host("b", {10: 2}, 2048), host("a", {8: 3}, 768, "a.2"))
    assert parts == whole


def a_host_may_be_named_by_its_file():
    lines = ["osprof 1", "unit ns", "op x", "total 1024", "8 4"]
    text = by_host(write("web1.osprof", *lines), write("web2.osprof", *lines))
    assert "host web1\nhost web2\n" in text, text


# --- the law ------------------------------------------------------------------------------

def random_host(r, name, path):
    lines = ["osprof 1", "ends", f"host {name}", "unit ns"]
    n = 0
    for operation in "abc":
        if r.random() < 0.2:
            continue
        n += 1
        lines += [f"op {operation}"]
        rows = {r.randrange(2, 24): r.randrange(1, 1 << 20) for _ in range(r.randrange(1, 6))}
        if r.random() < 0.7:
            lines += [f"total {sum(count << bucket for bucket, count in rows.items())}"]
        lines += [f"{bucket} {rows[bucket]}" for bucket in sorted(rows)]
    return write(path, *lines, f"end {n}")


def tree(r, files, number=0):
    """A sum of sums, in files."""
    if len(files) == 1:
        return by_host(files[0])
    files = r.sample(files, len(files))
    cut = r.randrange(1, len(files))
    parts = []
    for part in (files[:cut], files[cut:]):
        text = tree(r, part, number + 1) if r.random() < 0.7 else by_host(*part)
        parts.append(write(f"part{number}.{len(parts)}.{r.random()}", text.rstrip("\n")))
    return run("merge", "-q", *(["--by", "host"] if r.random() < 0.5 else []), *parts).stdout


def every_tree_gives_the_same_bytes():
    for trial in range(TRIALS):
        r = random.Random(trial)
        files = [random_host(r, f"h{k}", f"{trial}/h{k}.osprof") for k in range(r.choice((2, 5, 16, 17, 40)))]
        whole = by_host(*files)
        assert spread_lines(whole) == list(spreads.lines(files)), (trial, spread_lines(whole), list(spreads.lines(files)))
        assert tree(r, files) == whole, trial


def a_host_is_in_one_sum_only():
    a, b = host("a", {8: 4}, 1024), host("b", {10: 2}, 2048)
    sums = [write(f"sum{k}", by_host(*files).rstrip("\n")) for k, files in enumerate(((a, b), (b,)))]
    assert "[host-twice]" in run("merge", *sums, status=2).stderr
    assert "[host-twice]" in run("merge", "--by", "host", sums[0], b, status=2).stderr
    assert "[hosts-mixed]" in run("merge", sums[0], host("c", {9: 1}, 600), status=2).stderr
    plain = write("plain", run("merge", "-q", a, b).stdout.rstrip("\n"))
    assert "[hosts-mixed]" in run("merge", "--by", "host", plain, status=2).stderr


def what_no_hosts_can_have_is_refused():
    good = by_host(host("a", {8: 4}, 1024), host("b", {10: 2}, 2048))
    for old, new in (("spread mean 2 ", "spread mean 3 "), ("spread mean 2 1", "spread mean 2 2"),
                     ("extreme 1:8388608", "extreme 1:8388609"), ("extreme 1:8388608", "extreme 9:8388608"),
                     ("spread mean", "spread mode"), ("by-host\n", ""), ("extreme 1", "1"),
                     ("extreme 1:8388608", "extreme 1:8388608.5")):
        assert old in good
        done = run("show", write("bad", good.replace(old, new, 1).rstrip("\n")), status=2)
        assert done.stderr.startswith("bad:"), done.stderr


def counts_near_the_largest():
    """2^64 - 1 calls in all are added exactly, one more is refused, and nothing is written."""
    half = 1 << 63
    a, b = host("a", {8: half}, half << 8), host("b", {8: half - 1}, (half - 1) << 8)
    text = by_host(a, b)
    assert f"\n8 {2 ** 64 - 1}\n" in text and f"\ntotal {(2 ** 64 - 1) << 8}\n" in text, text
    assert spread_lines(text) == list(spreads.lines([a, b])), text
    # One call less in 2^63 is less than 2^-20 of an octave: both hosts have log2 2^63 calls.
    assert f"spread calls 2 {126 << 20} {2 * (63 << 20) ** 2} " in text, text
    c = host("c", {8: 1}, 256)
    for files in ((a, b, c), (write("sum", text.rstrip("\n")), c), (c, a, b)):
        done = run("merge", "--by", "host", *files, "-o", "out.osprof", status=2)
        assert "[count-overflow]" in done.stderr and not os.path.exists("out.osprof"), done.stderr
    # Of one host, too; it is one, in however many files.
    parts = [host("a", {8: half}, half << 8, f"a.{k}") for k in range(2)]
    assert "[count-overflow]" in run("merge", "--by", "host", *parts, status=2).stderr


def skewed_clocks():
    """Clocks of hosts that differ move intervals, no call and no spread."""
    def night(folder, skew):
        files = []
        for k in range(5):
            rows = []
            for i in range(3):
                start = 1790000000 + 10 * i + skew * k
                rows += [f"interval {start:.3f} {start + 10:.3f}", f"{8 + k} {4 + i}"]
            files.append(write(f"{folder}/h{k}", "osprof 1", "ends", f"host h{k}", "unit ns", "epoch",
                               "op x", *rows, "end 1"))
        return files

    def calls(text):
        found = {}
        for line in text[text.index("interval"):].splitlines():
            words = line.split()
            if len(words) == 2 and words[0].isdigit():
                found[int(words[0])] = found.get(int(words[0]), 0) + int(words[1])
        return found

    together, apart = night("together", 0), night("apart", 3.75)
    true, skewed = by_host(*together), by_host(*apart)
    assert calls(true) == calls(skewed) == {8 + k: 15 for k in range(5)}, (true, skewed)
    assert spread_lines(true) == spread_lines(skewed), skewed
    assert true.count("\ninterval ") == 3 and skewed.count("\ninterval ") == 15, skewed
    r = random.Random(1)
    for _ in range(TRIALS):
        assert tree(r, apart) == skewed
    # A clock that is off by years, and times of no known beginning.
    far = write("far", "osprof 1", "ends", "host far", "unit ns", "epoch", "op x",
                "interval 4 14", "8 1", "end 1")
    assert calls(by_host(*together, far))[8] == 16
    none = write("none", "osprof 1", "host none", "unit ns", "op x", "interval 0 10", "8 1")
    assert "[times-clash]" in run("merge", "--by", "host", *together, none, status=2).stderr
    for rate in (1e9, 2e9):
        write(f"c{rate:g}", "osprof 1", f"host c{rate:g}", "unit cycles", f"hz {rate:g}", "op x", "8 4")
    assert run("merge", "--by", "host", "c1e+09", "c2e+09", status=2).stderr


# --- two nights -----------------------------------------------------------------------------

def compare(*args):
    return json.loads(run("rank", "-q", "--by", "host", "-f", "json", *args).stdout)


def the_t_of_two_nights_by_hand():
    """Hosts of means 8, 9 and 10 octaves before, 9, 10 and 11 after: the means differ by 1
    octave, their variance is 1 on both sides. Paired, every host moved by 1: no variance."""
    for night, add in (("before", 0), ("after", 1)):
        for k in range(3):
            host(f"h{k}", {8 + k + add: 64}, 64 << (8 + k + add), f"{night}/h{k}")
    result = compare("before", "after")
    x = result["operations"][0]
    assert result["judged_by"] == "hosts" and x["mean_shift"] == 1 and x["shift"] == 1, x
    assert not result["hosts"]["paired"] and result["hosts"]["before"] == 3
    # Student's t of 4 degrees of freedom: 1 / sqrt(2 / 3) has p 0.288, by three features 0.288.
    assert abs(x["p"] - 0.2879) < 0.001, x["p"]
    paired = compare("--pairs", "before", "after")
    assert paired["hosts"]["paired"] and paired["operations"][0]["p"] < 1e-6, paired
    assert paired["operations"][0]["verdict"] == "regressed"


def outliers_of(result):
    return {(o["host"], o["operation"]) for o in result["hosts"]["outliers"] if o["side"] != "before"}


def nights(hosts):
    """Two nights of so many hosts, as sums."""
    subprocess.run([sys.executable, HERE / "fleet.py", "fleet", str(hosts)], check=True)
    for night in ("monday", "tuesday"):
        run("merge", "-q", "--by", "host", "--expect", "fleet/hosts", f"fleet/{night}", "-o", f"{night}.osprof")
    return compare("monday.osprof", "tuesday.osprof")


def the_fleet_of_the_readme():
    sums = nights(60)
    assert sums == {**compare("fleet/monday", "fleet/tuesday"), "before": sums["before"], "after": sums["after"]}
    pairs = compare("--pairs", "fleet/monday", "fleet/tuesday")
    # Of 60 hosts that differ by 0.3 octaves 12 % is 3 standard errors: only pairs tell.
    assert [o["name"] for o in pairs["operations"] if o["reported"]] == ["fsync"]
    assert not any(o["reported"] for o in sums["operations"])
    for result in (sums, pairs):
        assert outliers_of(result) == {("web0017", "read")}, outliers_of(result)
    assert 0.14 < pairs["operations"][0]["mean_shift"] < 0.19 # log2 1.12 = 0.163
    text = run("rank", "-q", "--by", "host", "--pairs", "fleet/monday", "fleet/tuesday").stdout
    assert "web0017: read:" in text and "60 hosts" in text, text


def a_larger_fleet_tells_without_pairs():
    sums = nights(300)
    assert [o["name"] for o in sums["operations"] if o["reported"]] == ["fsync"]
    assert outliers_of(sums) == {("web0017", "read")}, outliers_of(sums)
    text = run("rank", "-q", "--by", "host", "monday.osprof", "tuesday.osprof").stdout
    assert "web0017: read:" in text and "300 hosts against 300" in text, text


def hosts_of_one_night_are_named():
    for night, hosts in (("before", "abc"), ("after", "bcd")):
        for name in hosts:
            host(name, {8: 64}, 64 << 8, f"{night}/{name}")
    done = run("rank", "--by", "host", "--pairs", "before", "after")
    assert "2 of 4: a, d [hosts-unpaired]" in done.stderr, done.stderr
    run("rank", "--pairs", "before", "after", status=2)
    one = write("sum", by_host("before").rstrip("\n"))
    assert "[hosts-mixed]" in run("rank", "--by", "host", "--pairs", one, "after", status=2).stderr


CASES = [value for value in list(globals().values())
         if callable(value) and getattr(value, "__module__", "") == "__main__"
         and value.__name__ not in ("run", "by_host", "write", "host", "spread_lines", "random_host",
                                    "tree", "compare", "outliers_of", "nights")]


def one(number, case):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the time is over: clean up, too
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            case()
            print(f"ok {number} - {case.__name__}")
        except (AssertionError, subprocess.CalledProcessError) as wrong:
            print(f"not ok {number} - {case.__name__}\n# {str(wrong)[:2000]!r}")
        os.chdir("/")


def main():
    print(f"1..{len(CASES)}")
    for number, case in enumerate(CASES, 1):
        one(number, case)


CASES = [case for case in CASES if case.__name__ not in ("one", "main")]

if __name__ == "__main__":
    main()
