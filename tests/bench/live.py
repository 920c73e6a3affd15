#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How often the gate fails between runs of a program that did not change. Not a test.

    tests/bench/live.py record OSPROF FOLDER [RUNS [PROGRAM...]]
    tests/bench/live.py judge OSPROF FOLDER

`record` makes RUNS runs (default 30, an even number) of each of ten programs into
FOLDER/record-quiet/PROGRAM/N.osprof, and as many beside two busy loops into record-busy/; of
the programs that suit strace and perf trace, a third as many by these (strace-quiet and so
on; what is not installed, or not permitted, is left out with a line). Runs that are there
stay: a recording that was interrupted goes on. Takes about ten minutes on two processors.

`judge` compares each run of an odd number with the next one, one run a side, and of each ten
runs the odd with the even ones, five against five in turns. Printed is how many gates fail, with
an exact 95 % interval; the status is 1 when an exact one-sided 99 % bound excludes
that at most 2 % of single pairs fail, or when one of the comparisons of five fails.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import exact

RUNS = 30
SINGLE, FIVE = 0.02, 0.0  # of the gates may fail: JUDGE's goals

# --- programs ----------------------------------------------------------------

PROGRAMS = {
    "find": "find tree -type f -size +3k -newer tree/0",
    "grep": "grep -rc needle tree",
    "tar": "tar -cf out.tar tree",
    "rsync": "rsync -a --delete tree/ copy",
    "git": "git -C repository log --stat --oneline",
    "sqlite3": "sqlite3 scratch.db '.read statements.sql'",
    "python3": "python3 reads.py",
    "node": "node reads.js",
    "gcc": "gcc -O1 -c -o program.o program.c",
    "sort": "sort -S 200k -T . -o sorted.txt lines.txt",
}
OTHERS = {  # another recorder, and which programs it records
    "strace": ("strace -f -ttt -T -o {out} {command}", ("find", "tar", "python3", "sqlite3", "sort")),
    "perf": ("perf trace -o {out} {command}", ("find", "grep", "python3", "sqlite3", "sort")),
}

READS_PY = """import json, os
for round in range(6):
    for name in sorted(os.listdir("tree")):
        for file in os.scandir(os.path.join("tree", name)) if os.path.isdir("tree/" + name) else ():
            with open(file.path) as f:
                json.dumps(f.read())
    open("written.txt", "w").write(str(round) * 4096)
"""
READS_JS = """const fs = require("fs");
for (let round = 0; round < 6; round++)
    for (const name of fs.readdirSync("tree").sort())
        if (fs.statSync("tree/" + name).isDirectory())
            for (const file of fs.readdirSync("tree/" + name))
                JSON.stringify(fs.readFileSync("tree/" + name + "/" + file, "utf8"));
"""


def words(chance, size):
    return " ".join(chance.choices(("needle", "hay", "straw", "stack", "barn", "field"), (1, 9, 9, 9, 9, 9), k=size))


def make_tree(folder, chance):
    for i in range(40):
        (folder / "tree" / str(i)).mkdir(parents=True)
        for j in range(15):
            (folder / "tree" / str(i) / f"{j}.txt").write_text(words(chance, chance.randrange(100, 3000)))


def make_repository(folder, chance):
    def git(*command):
        subprocess.run(["git", "-C", folder / "repository", "-c", "user.name=t", "-c", "user.email=t@t", *command],
                       check=True, stdout=subprocess.DEVNULL)
    (folder / "repository").mkdir()
    git("init", "-q")
    for commit in range(60):
        for name in range(4):
            (folder / "repository" / f"{name}.txt").write_text("\n".join(words(chance, 8) for _ in range(80)))
        git("add", ".")
        git("commit", "-q", "-m", f"change {commit}")
    git("gc", "-q")


def make_program(folder):
    body = "".join(f"int f{i}(int x) {{ int y = x; for (int i = 0; i < {i + 2}; i++) y = y * 31 + i; return y; }}\n"
                   for i in range(150))
    (folder / "program.c").write_text("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" + body)


def make_work(folder):
    """What the programs work on, the same for every recording."""
    chance = random.Random(20061106)
    folder.mkdir(parents=True)
    make_tree(folder, chance)
    make_repository(folder, chance)
    make_program(folder)
    (folder / "reads.py").write_text(READS_PY)
    (folder / "reads.js").write_text(READS_JS)
    (folder / "lines.txt").write_text("".join(words(chance, 12) + "\n" for _ in range(15000)))
    (folder / "statements.sql").write_text(
        "drop table if exists t; create table t(k integer, v text);\n"
        + "".join(f"insert into t values ({chance.randrange(10 ** 6)}, '{words(chance, 6)}');\n" for _ in range(60))
        + "select count(*) from t a join t b on a.k < b.k;\n")


# --- recording ---------------------------------------------------------------

class Busy:
    """Two loops beside the block."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.loops = []

    def __enter__(self):
        for _ in range(2 if self.wanted else 0):
            self.loops.append(subprocess.Popen(["sh", "-c", "while :; do :; done"]))

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()


def record_run(osprof, work, recorder, program, out):
    """Whether it was recorded."""
    command = PROGRAMS[program]
    line = (OTHERS[recorder][0].format(out="out.tmp", command=command) if recorder != "record"
            else f"'{osprof}' record -q --force --to osprof -o out.tmp -- {command}")
    shutil.rmtree(work / "copy", ignore_errors=True)
    done = subprocess.run(line, shell=True, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode or not (work / "out.tmp").exists():
        print(f"left out: {recorder} {program}: {done.stderr.decode(errors='replace')[-200:]}")
        return False
    shutil.move(work / "out.tmp", out)
    return True


def record_ten(osprof, folder, recorder, program, busy, first, last):
    """Runs first to last that are not there yet, in turns, as they are judged."""
    to = folder / f"{recorder}-{'busy' if busy else 'quiet'}" / program
    to.mkdir(parents=True, exist_ok=True)
    suffix = "osprof" if recorder == "record" else "txt"
    wanted = [to / f"{i}.{suffix}" for i in range(first, last + 1) if not (to / f"{i}.{suffix}").exists()]
    with Busy(busy and wanted):
        for out in wanted:
            if not record_run(osprof, folder / "work", recorder, program, out):
                return


def record(osprof, folder, runs, programs):
    if not (folder / "work").exists():
        make_work(folder / "work")
    for first in range(1, runs + 1, 10):
        for recorder in ("record", *OTHERS):
            suited = PROGRAMS if recorder == "record" else OTHERS[recorder][1]
            if recorder != "record" and (first > runs // 3 or not shutil.which(recorder)):
                continue
            for program in suited:
                if (not programs or program in programs) and shutil.which(PROGRAMS[program].split()[0]):
                    for busy in (False, True):
                        record_ten(osprof, folder, recorder, program, busy, first, min(first + 9, runs))
        print(f"{time.strftime('%H:%M:%S')} runs {first} to {min(first + 9, runs)}", flush=True)


# --- judging -----------------------------------------------------------------

def gate(osprof, before, after):
    """Status, and which operations fail."""
    done = subprocess.run([osprof, "rank", "-q", "--exit-code", "-f", "json", *before, "--", *after],
                          capture_output=True, text=True, errors="replace", check=False)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        return done.returncode, [done.stderr.strip()[:100]]
    failed = result.get("gate", {}).get("failed")
    return done.returncode, failed if failed is not None else [
        o["name"] for o in result["operations"] if o["reported"] and o["verdict"] in ("regressed", "new")]


def runs_of(folder):
    """Lists of runs, in the order in which they were made."""
    for program in sorted(folder.glob("*-*/*")):
        runs = sorted(program.iterdir(), key=lambda p: int(re.match(r"\d*", p.name)[0] or 0))
        yield f"{program.parent.name}/{program.name}", runs


def comparisons(folder):
    for name, runs in runs_of(folder):
        for i in range(0, len(runs) - 1, 2):
            yield "single", name, runs[i:i + 1], runs[i + 1:i + 2]
        for i in range(0, len(runs) - 9, 10):
            yield "five", name, runs[i:i + 10:2], runs[i + 1:i + 10:2]


def judge(osprof, folder):
    n, failed = collections.Counter(), collections.Counter()
    todo = list(comparisons(folder))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda c: gate(osprof, c[2], c[3]), todo)
        for (kind, name, before, after), (status, which) in zip(todo, results):
            for group in (kind, f"{kind} {name.split('/')[0]}"):
                n[group] += 1
                failed[group] += status not in (0, 3)
            if status not in (0, 3):
                print(f"{kind} {name} {before[0].name} {after[0].name}: {', '.join(map(str, which)) or status}")
    for group in sorted(n):
        low, high = exact.interval(failed[group], n[group], 0.95)
        print(f"{group:24} {failed[group]:4} of {n[group]:4} gates fail, {100 * failed[group] / n[group]:5.2f} % "
              f"[{100 * low:.2f}, {100 * high:.2f}]")
    good = (exact.at_most(failed["single"], n["single"], SINGLE)
            and exact.at_most(failed["five"], n["five"], FIVE))
    return 0 if good else 1


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("record", "judge"):
        sys.exit(__doc__)
    osprof, folder = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    if sys.argv[1] == "judge":
        return judge(osprof, folder)
    return record(osprof, folder, int(sys.argv[4]) if len(sys.argv) > 4 else RUNS, sys.argv[5:])


if __name__ == "__main__":
    sys.exit(main())
