#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""osprof-mpi: the bytes of osprof merge, on any number of processes, killed or not.

usage: mpi.py BUILD-FOLDER [KILLS]

KILLS jobs (default 3) are killed at random and gone on with. Prints TAP; status 77 where
there is no mpirun.
"""

import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(sys.argv[1]).resolve()
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism":
               "none", "OMPI_MCA_mpi_yield_when_idle": "1",
               # Open MPI's plug-ins keep what they allocated, and are unloaded before leaks are
               # looked for, so that no list of known ones could name them.
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


def mpi(processes, *args):
    return ["mpirun", "-n", str(processes), BUILD / "osprof-mpi", *args]


def job(processes, *args, status=0):
    done = subprocess.run(mpi(processes, *args), capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == status, (args, done.returncode, done.stderr)
    return done


def merged(*args):
    return subprocess.run([BUILD / "osprof", "merge", "-q", *args], capture_output=True,
                          check=True).stdout


def make_hosts(n):
    names = []
    for i in range(n):
        r = random.Random(i)
        lines = ["osprof 1", "ends", f"host web{i % 97}", "unit ns", "epoch"]
        for k in range(40):
            lines += [f"op call{k}", f"interval {i // 97} {i // 97 + 1}", f"count {k + 3}",
                      f"{r.randrange(9)} {k + 1}", f"{10 + r.randrange(9)} 2"]
        names.append(f"f{i}.osprof")
        pathlib.Path(names[-1]).write_text("\n".join(lines) + "\nend 40\n")
    pathlib.Path("list").write_text("\n".join(names) + "\n")


def same_bytes_on_any_number():
    make_hosts(300)
    pathlib.Path("again.osprof").write_text(pathlib.Path("f5.osprof").read_text())
    with open("list", "a") as names:
        names.write("again.osprof\n") # delivered twice, under another name
    whole = merged("--files-from", "list")
    for processes in (1, 2, 3, 7):
        job(processes, "merge", "-q", "--files-from", "list", "-o", "out", "--force")
        assert pathlib.Path("out").read_bytes() == whole, processes


def hosts_stay_apart():
    make_hosts(200)
    os.mkdir("night")
    for k in range(200):
        shutil.copy(f"f{k}.osprof", "night")
    pathlib.Path("night/README.md").write_text("# A night\n")
    for options, inputs in ((["--by", "host"], ["--files-from", "list"]), (["--by", "host"], ["night"]),
                            ([], ["night"])):
        whole = merged(*options, *inputs)
        job(3, "merge", "-q", *options, *inputs, "-o", "out", "--force")
        assert pathlib.Path("out").read_bytes() == whole, (options, inputs)


def parts_of_a_table():
    r = random.Random(3)
    with open("big.csv", "w") as table:
        table.write("op,latency_ns\n")
        table.writelines(f"{r.choice(['a', chr(34) + 'b' + chr(10) + 'c' + chr(34)])},{r.randrange(1 << 20)}\n"
                         for _ in range(100000))
    job(3, "convert", "-q", "big.csv", "-o", "out")
    assert pathlib.Path("out").read_bytes() == merged("big.csv")


def errors_leave_nothing():
    make_hosts(100)
    pathlib.Path("f50.osprof").write_text(pathlib.Path("f50.osprof").read_text()[:900])
    done = job(2, "merge", "-q", "--files-from", "list", "-o", "out", status=2)
    assert "f50.osprof" in done.stderr and not os.path.exists("out")
    done = job(2, "merge", "--skip-bad", "1", "--files-from", "list", "-o", "out")
    assert "f50.osprof: left out" in done.stderr
    assert pathlib.Path("out").read_bytes() == merged("--skip-bad", "1", "--files-from", "list")
    job(2, "merge", "-q", "f1.osprof", "no-such", "-o", "out2", status=2)
    job(2, "merge", "--no-such-option", status=2)
    job(2, "merge", "-q", "--files-from", "list", "-o", "out", status=2) # is there already
    assert not os.path.exists("out2")


def processes_of(parent):
    """The processes of the job: children of mpirun."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                found.append(int(folder.name))
    return found


def killed_and_gone_on_with():
    make_hosts(1200)
    whole = merged("--files-from", "list")
    start = time.monotonic()
    job(3, "merge", "-q", "--files-from", "list", "-o", "timed")
    took = time.monotonic() - start
    killed = hung = same = 0
    for trial in range(KILLS):
        r = random.Random(trial + time.time_ns())
        shutil.rmtree("sums", ignore_errors=True)
        command = ["merge", "-q", "--files-from", "list", "--checkpoint", "sums", "-o", "out"]
        pathlib.Path("out").unlink(missing_ok=True)
        running = subprocess.Popen(mpi(3, *command), env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(r.uniform(0.1, 0.9) * took)
        victims = processes_of(running.pid)
        if victims and running.poll() is None:
            with contextlib.suppress(ProcessLookupError): # it ended between the two
                os.kill(r.choice(victims), signal.SIGKILL)
        try:
            status = running.wait(timeout=60)
        except subprocess.TimeoutExpired: # mpirun 4.1.4 may wait for ever for ranks that are dead
            for left in processes_of(running.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(left, signal.SIGKILL)
            running.kill()
            status = running.wait()
            hung += 1
        killed += status != 0
        written = os.path.exists("out") # whole or not at all
        assert written or status != 0, (trial, status)
        assert not written or pathlib.Path("out").read_bytes() == whole, trial
        job(r.choice((1, 2, 3)), *command, "--force")
        assert pathlib.Path("out").read_bytes() == whole, trial
        same += 1
        assert not list(pathlib.Path(".").glob(".osprof.*")), "half a file is left"
    return (f"{same} of {KILLS} gave the same bytes; {killed} were killed while they ran, "
            f"{hung} times mpirun hung")


CASES = [same_bytes_on_any_number, hosts_stay_apart, parts_of_a_table, errors_leave_nothing, killed_and_gone_on_with]


def main():
    if shutil.which("mpirun") is None or not (BUILD / "osprof-mpi").exists():
        print("1..0 # SKIP no mpirun, or no osprof-mpi: nothing of it is tested here")
        return
    print(f"1..{len(CASES)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the time is over: clean up, too
    for number, case in enumerate(CASES, 1):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                said = case()
                print(f"ok {number} - {case.__name__}")
                if said:
                    print("#", said)
            except (AssertionError, subprocess.CalledProcessError) as wrong:
                print(f"not ok {number} - {case.__name__}\n# {str(wrong)[:2000]!r}")
            os.chdir("/")


if __name__ == "__main__":
    main()
