#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether osprof-tui(1) has the keys that the browser has.

usage: keys_described.py ROOT [--print]

The table in KEYS is made of tui/actions.def and tui/keys.def; --print prints
its rows, to be put there.
"""

import difflib
import pathlib
import re
import sys


def expected(root):
    keys = {}
    for where, key, action in re.findall(r'^KEY\("(.*?)", "(.*?)", (\w+)\)',
                                         (root / "tui/keys.def").read_text(), re.M):
        if where == "all":
            keys.setdefault(action, []).append(key)
    rows = []
    for action, name, help_ in re.findall(r'^ACTION\((\w+), "(.*?)",\s*"(.*?)"\)',
                                          (root / "tui/actions.def").read_text(), re.M):
        if action != "NONE":
            pressed = " ".join(r"\&" + key for key in keys.get(action, ["none"]))
            rows.append(f".It {pressed} Ta {name} Ta {help_}")
    return rows


def main():
    root = pathlib.Path(sys.argv[1])
    rows = expected(root)
    if "--print" in sys.argv:
        print("\n".join(rows))
        return 0
    page = (root / "doc/osprof-tui.1").read_text().split(".Sh KEYS\n")[1].split("\n.Sh ")[0]
    described = [line for line in page.splitlines() if line.startswith(r".It \&")]
    wrong = list(difflib.unified_diff(described, rows, "doc/osprof-tui.1",
                                      "tui/actions.def, tui/keys.def", lineterm=""))
    print("\n".join(wrong))
    return len(wrong) > 0 or not rows


if __name__ == "__main__":
    sys.exit(main())
