#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof causes against uftrace graph, and against osprof show, on one trace.

usage: causes.py OSPROF [CALLS]

Records a program of CALLS calls (default 5 million) with uftrace, which has to be installed,
and prints for each way of reading it the best of three: seconds of the processor, seconds
that passed, peak memory. Goals: the folder in a tenth of what uftrace graph takes, a dump in
1.2 times what osprof show takes of it, 64 MiB.
"""
import os
import subprocess
import sys
import tempfile
import time

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


def best(command):
    rows = []
    for _ in range(3):
        start = time.monotonic()
        done = subprocess.run(["./starter", *command], stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: failed")
        cpu, memory = (float(word) for word in done.stdout.split())
        rows.append((cpu, time.monotonic() - start, memory / 1024))
    return min(rows)


def main():
    osprof, calls = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5_000_000
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("many.c", "w") as source:
            source.write(PROGRAM)
        with open("starter.c", "w") as source:
            source.write(STARTER)
        subprocess.run(["gcc", "-O1", "starter.c", "-o", "starter"], check=True)
        subprocess.run(["gcc", "-O1", "-pg", "many.c", "-o", "many"], check=True)
        subprocess.run(["uftrace", "record", "-d", "many.data", "./many", str(calls * 50 // 440)],
                       check=True, stdout=subprocess.DEVNULL)
        with open("many.dump.txt", "w") as dump:
            subprocess.run(["uftrace", "dump", "-d", "many.data"], stdout=dump, check=True)
        causes = [osprof, "causes", "-q", "--function", "handle"]
        rows = {
            "uftrace graph": best(["uftrace", "graph", "-d", "many.data", "handle"]),
            "causes, folder": best(causes + ["many.data"]),
            "osprof show, dump": best([osprof, "show", "-q", "many.dump.txt"]),
            "causes, dump": best(causes + ["many.dump.txt"]),
        }
        for name, (cpu, wall, mib) in rows.items():
            print(f"{name:20} {cpu:6.2f} s of the processor {wall:6.2f} s {mib:7.1f} MiB")
        print(f"folder: {rows['uftrace graph'][0] / rows['causes, folder'][0]:.1f} times as fast as uftrace graph")
        print(f"dump: {rows['causes, dump'][0] / rows['osprof show, dump'][0]:.2f} times osprof show")


main()
