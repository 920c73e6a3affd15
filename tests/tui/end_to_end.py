#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The browser as its user meets it: in a real terminal (tmux), started by a shell.

usage: end_to_end.py OSPROF-TUI ROOT [CASE ...]

Prints TAP.  Without tmux, or pseudo-terminals, all is skipped.
"""

import base64
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import traceback
import unicodedata

from pane import Missed, Terminal, missing, wait_for

VIEWS = [("2", "histogram: "), ("3", "peaks: "), ("4", "distances: "), ("5", "timeline"),
         ("6", "layers"), ("7", "operations like: "), ("8", "runs: "), ("x", "explain: "),
         ("r", "run by run: "), ("V", "recorded variables of: "),
         ("9", "messages: "), ("?", "help: "), ("1", "osprof: ")]
MOUSE_ON = rb"\x1b\[\?100[0236]h"


class Browser:
    """What every case needs: the program, the captures, a terminal."""

    def __init__(self, terminal, program, root):
        self.terminal = terminal
        self.program = shlex.quote(str(program))
        self.runs = pathlib.Path(root) / "testdata" / "runs"
        self.root = pathlib.Path(root)

    def line(self, *words):
        return " ".join([self.program, *(shlex.quote(str(w)) for w in words)])

    def open(self, *words, **how):
        return self.terminal.pane(self.line(*words), **how)

    def open_pair(self, **how):
        return self.open("--unit", "ns", self.runs / "randread-1", self.runs / "randread-2", **how)

    def known(self, *words, **how):
        """Its process is told."""
        line = self.line(*words)
        return self.terminal.pane(f"bash -c 'echo $$ >pid; exec \"$@\"' _ {line}", **how)

    def write(self, name, text):
        path = self.terminal.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def profile(self, name, *operations, before="unit ns"):
        """A profile in osprof's own format."""
        lines = ["osprof 1", before]
        for operation in operations:
            lines += [f"op {operation}", "9 5000", "14 200"]
        return self.write(name, "\n".join(lines) + "\n")


def must(holds, what):
    if not holds:
        raise Missed(what)


def leave(pane, key="Q", status=0, has_alternate=True):
    """Ends the browser; every byte that it sent."""
    pane.type(key)
    got = pane.status()
    must(got == status, f"status {got}, not {status}; the screen is:\n{pane.screen()}")
    wrong = pane.restored(has_alternate)
    must(not wrong, "not as before: " + "; ".join(wrong))
    return pane.all_sent()


# --- starting -----------------------------------------------------------------------------

def case_one_run(b):
    pane = b.open("--unit", "ns", b.runs / "randread-1")
    pane.shows("osprof: .*randread-1 .* 1 of 6")
    pane.shows(r"^ +read ")
    leave(pane, "q")


def case_two_runs(b):
    pane = b.open("--unit", "ns", b.runs / "randread-1/1.json", b.runs / "randread-2/1.json")
    pane.shows("1.json → .*1.json")
    pane.shows("lseek +regressed")
    leave(pane, "q")


def case_folders(b):
    pane = b.open_pair()
    # Where lines end depends on the width.
    pane.shows("lowest to highest run", r"\+4\.34 s", r"5\s+runs\s+against\s+5")
    leave(pane)


def case_repeated_files(b):
    one, two = b.runs / "randread-1", b.runs / "randread-2"
    pane = b.open("--unit", "ns", one / "1.json", one / "2.txt", one / "3.json", "--",
                  two / "1.json", two / "2.txt", two / "3.json")
    pane.shows(r"3\s+runs\s+against\s+3")
    leave(pane)


def interval(folder, number, *operations):
    """Ten seconds as osprof watch keeps them."""
    lines = ["osprof 1", "unit ns"]
    for operation in operations:
        lines += [f"op {operation}", "9 5000", f"14 {200 + number}"]
    part = folder / ".part"
    part.write_text("\n".join(lines) + "\n")
    part.rename(folder / f"20261122T18{number // 6:02}{number % 6}0Z-10s.osprof")


def selected_operation(pane):
    """Named at the head of its details, beside the list or below it."""
    return re.search(r"(?:│ |^)(read|write|aaa)  ", pane.screen(), re.M).group(1)


def case_watch_folder(b):
    folder = b.terminal.folder / "kept"
    folder.mkdir()
    for number in range(4):
        interval(folder, number, "read", "write")
    pane = b.open("--watch", folder)
    pane.shows("1 of 2")
    pane.type("j").shows("2 of 2")
    # The selection stays where it is, and what is new is shown once no key was pressed.
    before = selected_operation(pane)
    interval(folder, 4, "read", "write", "aaa")
    pane.shows("2 intervals against the 3 before, to 18:00:50 UTC")
    pane.shows("of 3")
    after = selected_operation(pane)
    must(before == after, f"{after} is selected, and was not: {before}")
    # It pauses where a key says so, and goes back and on interval by interval.
    pane.type("p").shows("to 18:00:50 UTC, paused")
    interval(folder, 5, "read", "write", "aaa")
    pane.type("(").shows("to 18:00:40 UTC, paused")
    pane.type("(").shows("2 before, to 18:00:30 UTC, paused|1 interval against the 2 before, to 18:00:30")
    pane.type(")").shows("to 18:00:40 UTC, paused")
    pane.type(")").shows("to 18:00:50 UTC, paused")
    pane.type(")").shows("to 18:01:00 UTC, paused")
    pane.type(")").shows("there is no such interval")
    pane.type("{").shows("2 intervals against the 4 before")
    pane.type("}").shows("3 intervals against the 3 before")
    pane.type("p").shows("to 18:01:00 UTC$")
    # What cannot be read is no reason to end, nor to forget what was shown.
    (folder / "20261122T180100Z-10s.osprof").write_text("nothing\n")
    pane.shows("not read again")
    interval(folder, 7, "read", "write")
    (folder / "20261122T180100Z-10s.osprof").unlink()
    pane.shows("to 18:01:20 UTC")
    leave(pane)


def put_status(folder, **changed):
    """As osprof watch writes it beside its intervals; by default one of now."""
    now = time.time()
    status = {"schema": "osprof.watch-status/1", "watching": True, "time": now, "every": 10,
              "end": now, **changed}
    part = folder / ".part"
    part.write_text(json.dumps(status) + "\n")
    part.rename(folder / ".osprof-status")


def case_watch_status(b):
    folder = b.terminal.folder / "status"
    folder.mkdir()
    for number in range(4):
        interval(folder, number, "read", "write")
    # Nothing but names tells how old they are.
    pane = b.open("--watch", folder)
    pane.shows("^ osprof: stale: [0-9]+ (h|days|min|s) ago · losses unknown ")
    put_status(folder, every=600, alarms=2, active=1, lost=340, sources=3, failed=1, refused=1,
               incomplete=4)
    pane.shows(r"^ osprof: [0-9]+ (s|min) ago · 2 alarms \(1 active\) · 1 of 3 sources failed · 340 events lost .* of 2")
    # It grows older without a key, by few bytes.
    sent = len(pane.raw())
    pane.shows("osprof: ([2-9]|[0-9]{2,}) s ago|1 min ago")
    must(len(pane.raw()) - sent < 4096, f"{len(pane.raw()) - sent} bytes for some seconds")
    # In every view, and what matters most on a small screen.
    pane.type("2").shows("^ histogram: .* [0-9]+ (s|min) ago")
    pane.resize(40, 10)
    pane.shows(r"^ histogram: .* [0-9]+ (s|min) ago")
    pane.type("1").shows(r"^ [0-9]+ (s|min) ago · 2 alarms \(1 active\)$")
    pane.resize(200, 60)
    pane.shows("340 events lost · 1 line not read · 4 intervals incomplete · 2 intervals against the 2 before")
    put_status(folder, time=time.time() - 31, sources=1, failed=1)
    pane.shows("^ osprof: stale: [0-9]+ (s|min) ago · 1 of 1 source failed")
    pane.type("2").resize(40, 10)
    pane.shows("^ histogram: .*stale: [0-9]+ (s|min) ago")
    pane.type("1").resize(100, 30)
    # What ended stays as it is.
    put_status(folder, watching=False, time=1790000000, end=1790000000, alarms=1)
    pane.shows(r"^ osprof: ended 2026-09-21 14:13 UTC · 1 alarm \(over\)")
    # What is compared is shown in short before it is left out.
    pane.resize(90, 24)
    pane.shows(r"1 alarm \(over\) · 2 against 2 to 18:00:40")
    # What is no status is taken for none.
    (folder / ".osprof-status").write_text("\x1b[31m" * 2000)
    pane.shows("^ osprof: stale: .* losses unknown")
    leave(pane)


def case_watch_command(b):
    folder = b.terminal.folder / "temporary"
    folder.mkdir()
    b.terminal.environment["TMPDIR"] = str(folder)
    # Its osprof watch has the options that say how sources are read.
    pane = b.terminal.pane(f"TMPDIR={folder} " + b.line("--every", "0.5s", "--unit", "us", "--from",
        "csv", "--separator", ";", "--column", "operation=who", "--column", "latency=took", "--watch",
        "cmd:while printf 'took;who\\n5;read\\n6;read\\n'; do sleep 0.1; done"))
    pane.shows("^ +read ")
    pane.shows("intervals? against the [0-9]+ before")
    pane.shows("^ osprof: [0-9]+ s ago ")
    leave(pane)
    must(not list(folder.iterdir()), "what was kept for the browser is still there")


def case_watch_alarm(b):
    """An event is an alarm by its kind, whatever its words are."""
    folder = b.terminal.folder / "intervals"
    folder.mkdir()
    for number in range(4):
        interval(folder, number, "read")
    # The browser runs the osprof that stands beside it.
    built = pathlib.Path(shlex.split(b.program)[0]).resolve()
    program = b.terminal.folder / "osprof-tui"
    shutil.copy(built, program)
    fake = b.write("osprof", f"""#!/bin/sh
cp {shlex.quote(str(folder))}/* "$3"
echo 'no  alarm 1: not JSON'
echo '{{"event": "source", "text": "no  alarm 2: a source"}}'
echo '{{"event": "interval", "sources": ["{"x" * 5000}"]}}'
sleep 3
echo '{{"event": "alarm", "text": "alarm 3: read"}}'
exec sleep 100
""")
    fake.chmod(0o755)
    pane = b.terminal.pane(f"LD_LIBRARY_PATH={shlex.quote(str(built.parent))} "
                           f"{shlex.quote(str(program))} --watch cmd:true")
    pane.shows("alarm 3: read")
    pane.type("9").shows("alarm 3: read", "alarm 2: a source")
    raw = pane.raw()
    face = {words: re.findall(rb"\x1b\[([0-9;]*)m(?:\x1b\[[0-9;]*[^m0-9;]|[^\x1b])*" + words, raw)[-1:]
            for words in (b"alarm 3: read", b"no  alarm 2")}
    must(face[b"alarm 3: read"] and face[b"alarm 3: read"] != face[b"no  alarm 2"],
         (face, raw[-1500:]))
    leave(pane)


def case_watch_what_never_comes(b):
    # No interval ends while it is looked at: they end at multiples of their length.
    pane = b.open("--every", "1h", "--watch", "unix:/nowhere/socket")
    pane.shows("waiting for the first interval")
    pane.shows("No such file or directory")
    leave(pane, "q", status=2)
    pane = b.open("--watch", "unix:")
    pane.shows("expected a path")
    must(pane.status() == 2, "status")


def case_pipe(b):
    path = shlex.quote(str(b.runs / "randread-1/1.json"))
    pane = b.terminal.pane(f"cat {path} | {b.program} --unit ns")
    pane.shows("1 of 6")
    pane.type("j").shows("2 of 6")
    pane.type("a").shows("^note:")
    pane.write("slow").type("Enter").shows("standard input has no file to keep annotations in")
    leave(pane)


def case_other_format(b):
    pane = b.open(b.root / "testdata/fio/clients.json", size=(120, 36))
    pane.shows("osprof: .*clients.json .* 1 of ")
    leave(pane)


def case_help_and_version(b):
    done = subprocess.run(b.line("--help"), shell=True, capture_output=True, text=True,
                          check=True)
    must(done.stdout.startswith("usage: osprof-tui"), done.stdout)
    done = subprocess.run(b.line("--version"), shell=True, capture_output=True, text=True,
                          check=True)
    must(re.fullmatch(r"osprof-tui \d+\.\d+\.\d+\n", done.stdout), done.stdout)


# --- moving -------------------------------------------------------------------------------

def case_every_view(b):
    pane = b.open_pair(size=(120, 36))
    pane.shows("osprof: ")
    for key, title in VIEWS:
        pane.type(key).shows("^ " + title)
        wait_for(f"something in view {key}",
                 lambda key=key: len(pane.screen().split()) > 20 or key == "9")
    pane.type("2").shows("^ histogram: lseek")
    pane.type("j").shows("^ histogram: read")
    pane.type("x").shows("^ explain: read")
    pane.type("q").shows("^ histogram: read")
    pane.type("q").shows("^ osprof: .*2 of 6")
    leave(pane, "q")


def case_resize_storm(b):
    pane = b.open_pair()
    pane.shows("osprof: ")
    sizes = [(80, 24), (1, 1), (300, 100), (2, 30), (120, 1), (7, 3), (200, 50), (40, 12), (13, 80)]
    keys = [["2", "s"], ["j", "5"], ["?", "NPage"], ["/", "r"], ["Escape", "6"], ["w", "j"],
            ["Escape", "x"], ["4", "G"], ["&", "e"], ["Enter", "7"], ["1", "."]]
    for round_ in range(3):
        for (cols, rows), pressed in zip(sizes[round_:] + sizes[:round_], keys):
            pane.resize(cols, rows)
            pane.type(*pressed)
    pane.resize(100, 30)
    pane.type("Escape", "Escape", "Escape", "1").shows("^ osprof: ")
    wait_for("all 30 rows", lambda: pane.screen().rstrip("\n").count("\n") == 29)
    pane.shows(r"^ \? help")
    leave(pane)


def case_search_and_filter(b):
    pane = b.open_pair(size=(120, 36))
    pane.type("/").write("openat").type("Enter").shows(r" 5 of 6\s*$")
    pane.type("&").write("is:reported").type("Enter").shows(r"of 2; filter: is:reported \(of 6\)")
    pane.type("&").write("nonsense>").type("Enter")
    pane.shows(r"filter: is:reported \(of 6\)")
    leave(pane)


# --- stopping and ending --------------------------------------------------------------------

def case_suspend(b):
    pane = b.open_pair(interactive=True)
    pane.shows("^ready>$")
    line = b.line("--unit", "ns", b.runs / "randread-1", b.runs / "randread-2")
    pane.write(f"stty -g >stty.before; {line}; echo left $?; stty -g >stty.after").type("Enter")
    pane.shows("^ osprof: ")
    pane.type("C-z").shows(r"^\[1\]\+ +Stopped")
    pane.shows("^ready>$")
    must(pane.mode("alternate_on", "cursor_flag") == ["0", "1"], "the screen is still taken")
    pane.write("stty -g >stty.after; cmp stty.before stty.after && echo as before").type("Enter")
    pane.shows("^as before$")
    pane.resize(120, 40)
    pane.write("fg").type("Enter").shows(r"^ osprof: .*\d+ of \d+\s*$")
    wait_for("all 40 rows", lambda: pane.screen().rstrip("\n").count("\n") == 39)
    pane.type("j").shows("2 of 6")
    pane.type("q").shows("^ready>$")
    must(pane.mode("alternate_on", "cursor_flag") == ["0", "1"], "the screen is still taken")


def end_by(b, number, **how):
    pane = b.known("--unit", "ns", b.runs / "randread-1", **how)
    pane.shows("^ osprof: ")
    pane.type("M").sends(MOUSE_ON) if how.get("term") is None else pane.type("j")
    pane.shows("mouse selects" if how.get("term") is None else "2 of 6")
    os.kill(pane.pid(), number)
    got = pane.status()
    must(got == 128 + number, f"status {got} after signal {number}")
    wrong = pane.restored(has_alternate=how.get("term") is None)
    must(not wrong, f"after signal {number}: " + "; ".join(wrong))
    return pane


def case_signals(b):
    for number in (signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT, signal.SIGHUP):
        end_by(b, number)


def case_signal_vt100(b):
    """Its capabilities hold delays, which are not for the screen."""
    pane = end_by(b, signal.SIGTERM, term="vt100")
    must("$<" not in pane.screen(), "a delay is on the screen:\n" + pane.screen())


def case_interrupt(b):
    pane = b.open_pair()
    pane.shows("^ osprof: ")
    leave(pane, "C-c", 128 + signal.SIGINT)


def has_ended(pid):
    """In a container, it may be that nobody waits for those whose parent is gone."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state in "ZX"


def case_terminal_gone(b):
    pane = b.known("--unit", "ns", b.runs / "randread-1")
    pane.shows("^ osprof: ")
    pid = pane.pid()
    b.terminal.tmux("kill-session", "-t", pane.name)
    wait_for("the end of a program without a terminal", lambda: has_ended(pid))


# --- what is no terminal, no profile -----------------------------------------------------

def case_no_terminal(b):
    done = subprocess.run([*shlex.split(b.program), "--unit", "ns", b.runs / "randread-1",
                           b.runs / "randread-2"], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    must(done.returncode == 0, f"status {done.returncode}")
    must(re.search("^lseek +regressed +[+]", done.stdout, re.M), done.stdout)
    must("\x1b" not in done.stdout + done.stderr, "escape sequences for no terminal")
    must("not a terminal" in done.stderr or "no terminal" in done.stderr, done.stderr)


def case_dumb(b):
    pane = b.open_pair(term="dumb", size=(200, 50))
    must(pane.status() == 0, pane.screen())
    must("lseek" in pane.screen() and "\x1b" not in pane.raw().decode(), pane.screen())


def case_unknown_terminal(b):
    leak = b.write("leak", "leak:new_prescr\n")  # newterm() that fails keeps what it began
    pane = b.open_pair(term="no-such-thing", LSAN_OPTIONS=f"suppressions={leak}:print_suppressions=0")
    must(pane.status() == 2, pane.screen())
    must("set TERM" in pane.screen(), pane.screen())
    must(not pane.restored(), "not as before")


def case_broken_file(b):
    path = b.write("broken.osprof", "osprof 1\nunit ns\nop read\n9 many\n")
    pane = b.open(path, size=(200, 30))
    must(pane.status() == 2, pane.screen())
    must(re.search(r"broken\.osprof:4:3: ", pane.screen()), pane.screen())
    must(b"\x1b[?1049h" not in pane.raw(), "the terminal was touched")
    must(not pane.restored(), "not as before")


def case_missing_file(b):
    pane = b.open("no-such-file", size=(200, 30))
    must(pane.status() == 2 and "no-such-file" in pane.screen(), pane.screen())
    must(b"\x1b[?1049h" not in pane.raw(), "the terminal was touched")


def case_interrupted_loading(b):
    """What a pipe never ends can be given up."""
    fifo = b.terminal.folder / "endless"
    os.mkfifo(fifo)
    writer = os.open(fifo, os.O_RDWR)
    os.write(writer, b"osprof 1\nunit ns\nop read\n9 10\n")
    for key in ("q", "C-c"):
        pane = b.open(fifo)
        pane.shows(r"reading .*endless (30|0) B, [0-9]+ B/s \.\.\. [0-9]+ s")
        pane.shows("q gives up")
        leave(pane, key, 2 if key == "q" else 128 + signal.SIGINT)
    os.close(writer)
    # Nor does one that nobody has opened, or that nothing comes from.
    for command in (b.line(fifo), "sleep 100 | " + b.program):
        pane = b.terminal.pane(command)
        pane.shows("q gives up")
        pane.type("q").shows("given up while reading")


# --- many kinds of terminals -----------------------------------------------------------

def case_terminals(b):
    for term in ("xterm", "xterm-256color", "linux", "vt100", "tmux-256color"):
        if subprocess.run(["infocmp", term], capture_output=True, check=False).returncode != 0:
            continue
        pane = b.open_pair(term=term, size=(80, 24))
        pane.shows("^ osprof: ")
        pane.shows("regressed")
        must("$<" not in pane.screen(), pane.screen())
        pane.type("2").shows("^ histogram: lseek")
        pane.type("Down").shows("^ histogram: read")
        leave(pane, has_alternate=term not in ("linux", "vt100"))


def case_colors(b):
    for how, pattern in (({}, rb"\x1b\[[0-9;]*38;5;208"), ({"term": "screen"}, rb"\x1b\[[0-9;]*33")):
        pane = b.open_pair(**how)
        pane.shows("regressed")
        must(re.search(pattern, leave(pane)), f"no orange with {how}")
    for how in ({"NO_COLOR": "1"}, {"term": "vt100"}):
        pane = b.open_pair(**how)
        pane.shows("regressed")
        sent = leave(pane, has_alternate="term" not in how)
        must(not re.search(rb"\x1b\[([0-9]+;)*[34][0-8]m", sent), f"colours with {how}")
        must(b"38;5;" not in sent, f"colours with {how}")


def case_ascii(b):
    pane = b.open_pair(LC_ALL="C", size=(120, 36))
    pane.shows("regressed")
    for key, title in VIEWS:
        pane.type(key).shows("^ " + title)
    must(leave(pane).isascii(), "bytes beyond ASCII")


def case_hostile_names(b):
    path = b.profile("hostile.osprof", r'"\x1b]0;owned\x07\x1b[31m\x9b6n"', r'"\xff\xfe\x0d\n"',
                     '"\u202eevil\u200b"')
    raw = b.write("na\x1b]0;owned\x07me.osprof", path.read_bytes())
    pane = b.open(raw, path, size=(120, 36))
    pane.shows("^ osprof: ")
    for key, title in VIEWS:
        pane.type(key).shows("^ " + title)
    pane.type("2", "y").sends(rb"\x1b\]52;c;")
    sent = leave(pane)
    for bad in (b"owned\x07", b"\x1b]0;", b"\x1b[6n", b"\xc2\x9b", "\u202e".encode()):
        must(bad not in sent, f"{bad!r} reached the terminal")


def columns(text):
    """How many a terminal needs."""
    return sum(0 if unicodedata.combining(c) else
               1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def case_wide_names(b):
    path = b.profile("wide.osprof", "読み込み長い名前の操作", "e\u0301te\u0301", "plain")
    pane = b.open(path, size=(60, 20))
    screen = pane.shows(r"\? help")  # the last line: all above is drawn
    must("e\u0301te\u0301" in screen, screen)
    rows = [line for line in screen.splitlines() if " 5200 " in line]
    ends = {columns(line[:line.index(" 5200 ")]) for line in rows}
    must(len(rows) == 3 and len(ends) == 1, f"columns {ends} in\n{screen}")
    leave(pane)


def case_names_of_layers(b):
    """The same operation in two layers, beside one whose name is longer than any screen."""
    path = b.write("layers.osprof", "osprof 1\nunit ns\n" + "".join(
        f"layer {layer}\nop {op}\n9 5000\n14 200\n" for layer, op in
        (("syscall", "set_robust_list"), ("library", "set_robust_list"), ("block", "q" * 400))))
    for cols, rows, runs, first, second in (
            (120, 40, 1, " syscall/set_robust_list ", " library/set_robust_list "),
            (120, 40, 2, " syscall/set_robust_list ", " library/set_robust_list "),
            (200, 50, 1, " syscall/set_robust_list ", " library/set_robust_list "),
            (200, 50, 2, " syscall/set_robust_list ", " library/set_robust_list ")):
        pane = b.open(*[path] * runs, size=(cols, rows))
        rows = [line.split("│")[0] for line in pane.shows(r"\? help").splitlines()]
        for wanted in (first, second):
            must(any(wanted in row for row in rows), f"no {wanted!r} in\n" + "\n".join(rows))
        must(cols < 200 or sum("█" in row for row in rows) == 3, "no sparklines:\n" + "\n".join(rows))
        leave(pane)


# --- mouse, clipboard --------------------------------------------------------------------

def case_mouse(b):
    pane = b.open_pair()
    pane.shows("1 of 6")
    must(not re.search(MOUSE_ON, leave(pane)), "the mouse was taken unasked")
    pane = b.open_pair()
    pane.shows("1 of 6")
    must(pane.mode("mouse_any_flag") == ["0"], "the mouse was taken unasked")
    pane.type("M").sends(MOUSE_ON)
    wait_for("the mouse", lambda: pane.mode("mouse_any_flag") == ["1"])
    sgr = pane.mode("mouse_sgr_flag") == ["1"]
    click = "\x1b[<0;7;5M\x1b[<0;7;5m" if sgr else "\x1b[M \x27\x25\x1b[M#\x27\x25"
    pane.write(click).shows("3 of 6")
    pane.type("M")
    wait_for("no mouse", lambda: pane.mode("mouse_any_flag") == ["0"])
    leave(pane)


def case_copy(b):
    pane = b.open_pair()
    pane.shows("regressed")
    pane.type("y").sends(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07")
    line = base64.b64decode(re.search(rb"\x1b\]52;c;([^\x07]+)", pane.raw()).group(1)).decode()
    must(line.startswith("osprof rank ") and line.endswith("randread-2"), repr(line))
    leave(pane)
    pane = b.open_pair()
    pane.shows("regressed")
    pane.type("C-y").sends(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07")
    row = base64.b64decode(re.search(rb"\x1b\]52;c;([^\x07]+)", pane.raw()).group(1)).decode()
    must("lseek" in row and "regressed" in row and row.endswith("\n"), repr(row))
    leave(pane)
    pane = b.open_pair(TMUX="/nowhere,1,0")
    pane.shows("regressed")
    pane.type("Y").sends(rb"\x1bPtmux;\x1b\x1b\]52;c;[A-Za-z0-9+/=]+\x07\x1b\\")
    leave(pane)


# --- files ---------------------------------------------------------------------------------

def case_reload(b):
    path = b.profile("grows.osprof", "read", "write", "fsync")
    pane = b.open(path)
    pane.shows("1 of 3")
    pane.type("j").shows("2 of 3")
    name = re.search(r"^ histogram: (\w+)", pane.type("2").shows("^ histogram: ")).group(1)
    pane.type("q")
    b.profile("grows.osprof", "aaa", "read", "write", "fsync", "zzz")
    pane.shows("a file has changed")
    pane.type("R").shows("of 5")
    pane.type("2").shows(f"^ histogram: {name}")
    pane.type("q")
    b.write("grows.osprof", "osprof 1\nunit ns\nop read\n9 many\n")
    pane.shows("a file has changed")
    pane.type("R").shows("not read again")
    pane.type("9").shows("grows.osprof:4:3")
    leave(pane)


def case_remarks(b):
    shutil.copytree(b.runs / "randread-1", b.terminal.folder / "one")
    shutil.copytree(b.runs / "randread-2", b.terminal.folder / "two")
    pair = ("--unit", "ns", b.terminal.folder / "one", b.terminal.folder / "two")
    pane = b.open(*pair)
    pane.shows("regressed")
    pane.type("a").write("the file position's lock").type("Enter")
    pane.type("e").shows("expected")
    pane.type("j", "m")
    leave(pane)
    must((b.terminal.folder / "two/.osprof-annotations").exists(), "no annotations file")
    pane = b.open(*pair)
    pane.shows("^.ne lseek")
    pane.type("a").shows("^note: the file position's lock")
    pane.type("Escape").shows(r"^(◆|\*)? *.* read ")
    pane.type("&").write("is:marked").type("Enter").shows("1 of 1; filter: is:marked")
    leave(pane)


def case_remarks_unreadable(b):
    folder = b.terminal.folder / "locked"
    shutil.copytree(b.runs / "randread-1", folder)
    (folder / ".osprof-annotations").mkdir()
    pane = b.open("--unit", "ns", folder)
    pane.shows(r"\.osprof-annotations")
    pane.type("m").shows("^ osprof: ")
    leave(pane)


def configured(b, text):
    folder = b.terminal.folder / f"config-{time.monotonic_ns()}"
    (folder / "osprof").mkdir(parents=True)
    (folder / "osprof/browser.conf").write_text(text)
    return {"XDG_CONFIG_HOME": str(folder)}


def case_configuration(b):
    how = configured(b, "# mine\nbind all J down\nbind histogram z quit\n"
                        "color after 99 bold\nset mouse on\n")
    pane = b.open_pair(**how)
    pane.type("J").shows("2 of 6")
    pane.sends(rb"\x1b\[[0-9;]*38;5;99")
    pane.sends(MOUSE_ON)
    pane.type("2").shows("histogram: ")
    pane.type("z").shows("^ osprof: ")
    pane.type("?").shows(r"\bJ\b")
    leave(pane)
    home = b.terminal.folder / "home/.config/osprof"
    home.mkdir(parents=True)
    (home / "browser.conf").write_text("bind all J down\n")
    pane = b.open_pair()
    pane.type("J").shows("2 of 6")
    leave(pane)
    shutil.rmtree(home)


def case_configuration_errors(b):
    for text, place in (("bind all J dwon\n", ":1:12: "), ("\n  colour before 3\n", ":2:3: "),
                        ("set mouse maybe\n", ":1:11: "), ("bind nowhere j down\n", ":1:6: ")):
        pane = b.open_pair(size=(200, 30), **configured(b, text))
        must(pane.status() == 2, f"status for {text!r}")
        must("browser.conf" + place in pane.screen().replace("\n", ""), pane.screen())
        must(b"\x1b[?1049h" not in pane.raw(), "the terminal was touched")


def case_export(b):
    pane = b.open_pair()
    pane.shows("regressed")
    pane.type("&").write("is:reported").type("Enter").shows("of 2")
    pane.type("w").shows("CSV")
    pane.type("j", "j", "Enter").shows("^write to: ")
    pane.type("C-u").write("out.csv").type("Enter").shows("written: out.csv")
    lines = (pane.at / "out.csv").read_text().splitlines()
    must(len(lines) == 3 and "lseek" in lines[1] and "read" in lines[2], "\n".join(lines))
    leave(pane)


def main():
    if missing() is not None:
        print(f"1..0 # SKIP {missing()}")
        return 0
    program, root = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    cases = {name[5:]: f for name, f in globals().items() if name.startswith("case_")}
    chosen = sys.argv[3:] or list(cases)
    failed = 0
    print(f"1..{len(chosen)}", flush=True)
    for number, name in enumerate(chosen, 1):
        began = time.monotonic()
        try:
            with Terminal() as terminal:
                cases[name](Browser(terminal, program, root))
            verdict = "ok"
        except Exception:  # a case that breaks is a case that failed
            failed += 1
            verdict = "not ok"
            print("# " + traceback.format_exc().strip().replace("\n", "\n# "))
        print(f"{verdict} {number} - {name} # {time.monotonic() - began:.2f} s", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
