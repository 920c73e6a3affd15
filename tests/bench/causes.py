#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof causes against uftrace graph, and against osprof show, on one trace.

usage: causes.py OSPROF [CALLS]

Records programs of CALLS calls (default 5 million), a quarter and a sixteenth of that, with
uftrace, which has to be installed.  Of the longest it prints for each way of reading it, by turns
seven times: the shortest and the median time of the processor, and peak memory; of all three the
memory of each way.  Goals: the folder in a tenth of what uftrace graph takes, a dump in 1.2 times
what osprof show takes of it, 64 MiB whatever the length, and from a pipe, too.
"""
import os
import subprocess
import sys
import tempfile

PROGRAM = r"""
#include <stdlib.h>
#define N __attribute__((noinline))
static volatile unsigned x;
N void leaf(void) { x += 3; }
N void mid(int n) { for (int i = 0; i < n; i++) leaf(); }
N void other(void) { x ^= 5; leaf(); }
N void handle(int i) { mid(4); other(); if (i % 50 == 0) mid(40); }
int main(int c, char **v) { int n = atoi(v[c - 1]); for (int i = 0; i < n; i++) handle(i); return 0; }
"""


# A process that is forked from this one counts its memory as its own until it runs something
# else, and the kernel keeps the peak. So a small program starts what is measured.
STARTER = r"""
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static double s(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }
int main(int c, char **v)
{
	struct rusage u;
	int status;
	(void)c;
	if (fork() == 0) {
		dup2(open("/dev/null", O_WRONLY), 1);
		dup2(1, 2);
		execvp(v[1], v + 1);
		_exit(127);
	}
	wait4(-1, &status, 0, &u);
	printf("%.6f %ld\n", s(u.ru_utime) + s(u.ru_stime), u.ru_maxrss);
	return status != 0;
}
"""


def run(command, pipe):
    """Seconds of the processor and MiB."""
    source = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) if pipe else None
    done = subprocess.run(["./starter", *command], stdin=source.stdout if source else None,
                          stdout=subprocess.PIPE, text=True, check=False)
    if source:
        source.stdout.close()
        source.wait()
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: failed")
    cpu, memory = (float(word) for word in done.stdout.split())
    return cpu, memory / 1024


def record(name, calls):
    subprocess.run(["uftrace", "record", "-d", f"{name}.data", "./many", str(calls * 50 // 440)],
                   check=True, stdout=subprocess.DEVNULL)
    with open(f"{name}.dump.txt", "w") as dump:
        subprocess.run(["uftrace", "dump", "-d", f"{name}.data"], stdout=dump, check=True)


def readings(osprof, name):
    causes = [osprof, "causes", "-q", "--function", "handle"]
    return {
        "uftrace graph": (["uftrace", "graph", "-d", f"{name}.data", "handle"], None),
        "causes, folder": (causes + [f"{name}.data"], None),
        "osprof show, dump": ([osprof, "show", "-q", f"{name}.dump.txt"], None),
        "causes, dump": (causes + [f"{name}.dump.txt"], None),
        "osprof show, pipe": ([osprof, "show", "-q", "-"], f"{name}.dump.txt"),
        "causes, pipe": (causes + ["-"], f"{name}.dump.txt"),
    }


def main():
    osprof, calls = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5_000_000
    lengths = {"short": calls // 16, "middle": calls // 4, "long": calls}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("many.c", "w") as source:
            source.write(PROGRAM)
        with open("starter.c", "w") as source:
            source.write(STARTER)
        subprocess.run(["gcc", "-O1", "starter.c", "-o", "starter"], check=True)
        subprocess.run(["gcc", "-O1", "-pg", "many.c", "-o", "many"], check=True)
        for name, n in lengths.items():
            record(name, n)
        rows = {name: [] for name in readings(osprof, "long")}
        for _ in range(7):
            for name, reading in readings(osprof, "long").items():
                rows[name].append(run(*reading))
        for name, row in rows.items():
            times = sorted(cpu for cpu, _ in row)
            print(f"{name:18} {times[0]:6.3f} s of the processor, median {times[3]:6.3f} s "
                  f"{max(mib for _, mib in row):6.1f} MiB")
        print(f"folder: {min(rows['uftrace graph'])[0] / min(rows['causes, folder'])[0]:.1f} times as fast as "
              "uftrace graph")
        for way in "dump", "pipe":
            print(f"{way}: {min(rows[f'causes, {way}'])[0] / min(rows[f'osprof show, {way}'])[0]:.2f} times "
                  "osprof show")
        print("MiB at " + ", ".join(f"{n:,}" for n in lengths.values()) + " calls:")
        for name in rows:
            mib = (run(*readings(osprof, length)[name])[1] for length in lengths)
            print(f"{name:18} " + " ".join(f"{m:6.1f}" for m in mib))


main()
