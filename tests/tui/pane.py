# SPDX-License-Identifier: GPL-3.0-or-later
"""A real terminal for programs to run in: panes of a tmux of its own.

Nothing sleeps for a guessed time: what is expected is looked for again and
again, until it is there or the deadline has passed.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import time

DEADLINE = 60.0  # seconds; only a test that fails waits as long
STEP = 0.01


def missing():
    """What a terminal is made of and is not here."""
    if shutil.which("tmux") is None:
        return "tmux is not installed"
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        return "there are no pseudo-terminals: /dev/pts is not mounted"
    return None


class Missed(Exception):
    """What was waited for did not come."""


def wait_for(what, holds, deadline=DEADLINE):
    """Waits until holds() gives something true, and returns it."""
    end = time.monotonic() + deadline
    while True:
        got = holds()
        if got:
            return got
        if time.monotonic() > end:
            raise Missed(f"not within {deadline:g} s: {what}")
        time.sleep(STEP)


class Terminal:
    """A tmux server on its own socket, in a folder that goes with it."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="osprof-tui-"))
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "LC_ALL": "C.UTF-8",
            "COLORTERM": "",
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TMUX_TMPDIR"):
            if name in os.environ:
                self.environment[name] = os.environ[name]
        (self.folder / "home").mkdir()
        self.n_panes = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server", fine=False)
        shutil.rmtree(self.folder)

    def tmux(self, *words, fine=True):
        done = subprocess.run(
            ["tmux", "-u", "-S", str(self.folder / "socket"), "-f", "/dev/null", *words],
            env=self.environment, capture_output=True, check=False)
        if fine and done.returncode != 0:
            raise Missed(f"tmux {shlex.join(words)}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode(errors="replace")

    def pane(self, command, size=(100, 30), term=None, interactive=False, **environment):
        self.n_panes += 1
        return Pane(self, f"p{self.n_panes}", command, size, term, interactive, environment)


class Pane:
    """A shell that runs one command, notes how the terminal was before and after, and waits.

    An interactive shell knows jobs: the command can be stopped and go on with fg.
    """

    def __init__(self, terminal, name, command, size, term, interactive, environment):
        self.terminal, self.name = terminal, name
        self.at = terminal.folder / name
        self.at.mkdir()
        environment = {"TERM": term or "screen-256color", **environment}
        exports = "\n".join(f"export {k}={shlex.quote(v)}" for k, v in environment.items())
        script = (f"{exports}\nunset NO_COLOR TMUX; {self._unset(environment)}\n"
                  f"ulimit -c 0; cd {shlex.quote(str(self.at))}\n"
                  "until [ -e raw ]; do read -rt 0.01 <> <(:); done\n"
                  "printf 'what was here before\\n'; stty -g >stty.before\n")
        run = (f"{command}\nprintf '%s\\n' $? >status.new; stty -g >stty.after\n"
               "mv status.new status; printf 'ended\\n'\n")
        if interactive:
            (self.at / "rc").write_text(f"PS1='ready> '\n{script}osprof_run() {{\n{run}}}\n")
            started = f"bash --noediting --noprofile --rcfile {self.at}/rc -i"
        else:
            (self.at / "script").write_text(f"trap : INT\n{script}{run}exec cat >/dev/null\n")
            started = f"bash {self.at}/script"
        # tmux 3.2 gives a session without a client its default size when an option changes. The
        # command waits for `raw`.
        terminal.tmux("new-session", "-d", "-s", name, f"exec {started}", ";",
                      "set-option", "-t", name, "status", "off", ";",
                      "resize-window", "-t", name, "-x", str(size[0]), "-y", str(size[1]), ";",
                      "pipe-pane", "-t", name, "-O",
                      f"exec cat >{shlex.quote(str(self.at))}/raw")

    @staticmethod
    def _unset(environment):
        # What the environment asks for stays.
        return "".join(f"export {k}={shlex.quote(v)};" for k, v in environment.items()
                       if k in ("NO_COLOR", "TMUX"))

    def screen(self, styled=False):
        return self.terminal.tmux("capture-pane", "-p", *(["-e"] if styled else []),
                                  "-t", self.name)

    def raw(self):
        """Every byte the program sent."""
        path = self.at / "raw"
        return path.read_bytes() if path.exists() else b""

    def all_sent(self):
        """Every byte, once the command has ended."""
        self.status()
        wait_for("the shell's last word", lambda: b"ended" in self.raw())
        return self.raw()

    def mode(self, *flags):
        """What tmux knows of the pane: alternate_on, mouse_any_flag, cursor_flag, ..."""
        form = " ".join("#{%s}" % flag for flag in flags)
        return self.terminal.tmux("display-message", "-p", "-t", self.name, form).split()

    def type(self, *keys):
        """Keys by tmux's names: j, Enter, PageDown is NPage."""
        self.terminal.tmux("send-keys", "-t", self.name, *keys)
        return self

    def write(self, text):
        self.terminal.tmux("send-keys", "-t", self.name, "-l", text)
        return self

    def resize(self, cols, rows):
        self.terminal.tmux("resize-window", "-t", self.name, "-x", str(cols), "-y", str(rows))

    def shows(self, *patterns):
        """Waits until the screen has all of the patterns; returns the screen. What is drawn at
        once comes piece by piece: a screen with one part need not have the others."""
        last = [""]

        def look():
            last[0] = self.screen()
            return last[0] if all(re.search(p, last[0], re.M) for p in patterns) else None

        try:
            return wait_for(" and ".join(patterns), look)
        except Missed as missed:
            raise Missed(f"{missed}\nthe screen is:\n{last[0]}") from None

    def sends(self, pattern):
        """Waits until the bytes that were sent have the pattern."""
        return wait_for(f"bytes {pattern!r} in {self.raw()[-300:]!r}",
                        lambda: re.search(pattern, self.raw()))

    def status(self):
        """Waits until the command has ended; its exit status."""
        path = self.at / "status"
        try:
            wait_for("the end of the program", path.exists)
            wait_for("its last word", lambda: "ended" in self.screen())
        except Missed as missed:
            raise Missed(f"{missed}\nthe screen is:\n{self.screen()}") from None
        return int(path.read_text())

    def pid(self):
        """Of a command that writes it to the file `pid`."""
        path = self.at / "pid"
        return int(wait_for("the program's number",
                            lambda: path.exists() and path.read_text().strip()))

    def restored(self, has_alternate=True):
        """What of the terminal is not as it was before; has_alternate: as it has a second screen."""
        wrong = []
        self.status()
        modes = ("alternate_on", "cursor_flag", "mouse_any_flag", "keypad_flag",
                 "keypad_cursor_flag", "wrap_flag")
        found = self.mode(*modes)
        for name, value, normal in zip(modes, found, ("0", "1", "0", "0", "0", "1")):
            if value != normal:
                wrong.append(f"{name} is {value}")
        before = (self.at / "stty.before").read_text()
        after = (self.at / "stty.after").read_text()
        if before != after:
            wrong.append(f"stty: {before.strip()} before, {after.strip()} after")
        if has_alternate and "what was here before" not in self.screen():
            wrong.append("the screen before is gone:\n" + self.screen())
        return wrong
