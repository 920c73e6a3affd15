#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the pages of the commands and `osprof help` agree.

usage: options_described.py OSPROF OSPROF-TUI DOC [--write]

Every command has a page osprof-COMMAND.1 in DOC.  Each option of `osprof help COMMAND` is in
it, with the same letter and argument, and no other is.  So is it with osprof-tui.

What a command shares with others is between two comments in OPTIONS,

	.\" options: common
	.\" options: end

and has there the line of `osprof help`; osprof(1) or one of the pages below has the full
description.  --write makes these lines anew.  NAME of a page, the list in osprof(1) and
`osprof help` have the same words for what a command does.
"""

import pathlib
import re
import subprocess
import sys

BEGIN = r'.\" options: common'
END = r'.\" options: end'
# Pages that describe options for other commands, too, and what they say of these.
SHARED = {"osprof.1": "osprof", "osprof-rank.1": "osprof-rank",
          "osprof-explain.1": "osprof-explain", "osprof-causes.1": "osprof-causes"}


def help_of(command):
    """Options that a command line tells: name -> (letter, argument, help)."""
    text = subprocess.run(command, check=True, text=True, capture_output=True).stdout
    options = {}
    for line in text.splitlines():
        m = re.match(r"  (?:-(.), |    )--([a-z0-9-]+)(\[\S+\]| \S+)? +(\S.*)$", line)
        if m:
            letter, name, argument, words = m.groups()
            options[name] = (letter, argument or "", words)
    return options


def commands_of(osprof):
    """Commands and what they do."""
    text = subprocess.run([osprof, "help"], check=True, text=True, capture_output=True).stdout
    return {name: summary for name, summary in
            re.findall(r"^  ([a-z]+) .*  +([A-Z][a-z].*)$", text, re.M)}


def plain(item):
    """An .It line as it is printed: -r, --resolution R."""
    words, text, close, glue = item.split()[1:], "", "", True
    for word in words:
        if word == "Ns":
            glue = True
        elif word == "Op":
            glue, close = glue, "]"
            text += "" if glue else " "
            text, glue = text + "[", True
        elif word == "Fl":
            text, glue = text + ("" if glue else " ") + "-", True
        elif word in ("Ar", "Cm"):
            pass
        elif word == ",":
            text, glue = text + ",", False
        else:
            text, glue = text + ("" if glue else " ") + word.replace(r"\&", ""), False
    return text + close


def described(page):
    """Options that a page has items of: name -> (letter, argument)."""
    options = {}
    for line in page.splitlines():
        if not line.startswith(".It Fl "):
            continue
        m = re.match(r"(?:-(\w), )?--([a-z0-9-]+)(.*)$", plain(line))
        options[m[2] if m else plain(line)] = (m[1], m[3]) if m else (None, "")
    return options


def item(name, letter, argument):
    short = f"{letter} , Fl " if letter else ""
    if argument.startswith("["):
        argument = " Ns Op " + argument[1:-1]
    elif argument:
        argument = " Ar" + argument
    return f".It Fl {short}-{name}{argument}"


def block(options, owners):
    """The lines between the two comments."""
    lines = []
    for page in SHARED:
        chosen = [name for name in options if owners.get(name) == page]
        if not chosen:
            continue
        where = SHARED[page]
        lines += [".Pp"] if lines else []
        lines += [f".Xr {where} 1", "describes these in full:", ".Bl -tag -width indent -compact"]
        for name in chosen:
            letter, argument, words = options[name]
            words = words.replace("\\", r"\e")
            lines += [item(name, letter, argument),
                      words[0].upper() + words[1:].removesuffix(".") + "."]
        lines.append(".El")
    return "\n".join(lines)


def split(page):
    """A page as three: what is before, between and after the two comments."""
    if BEGIN not in page:
        return page, None, ""
    head, rest = page.split(BEGIN + "\n")
    middle, tail = rest.split(END)
    return head, middle.strip("\n"), tail


def owners_of(doc):
    """Which page describes a shared option."""
    owners = {}
    for page in reversed(SHARED):
        own, _, _ = split((doc / page).read_text())
        owners.update({name: page for name in described(own)})
    return owners


def check_summary(command, summary, doc):
    """Whether the pages say in one line what `osprof help` says."""
    wrong = []
    for page, words in ((f"osprof-{command}.1", f".Nd {summary[0].lower()}{summary[1:]}"),
                        ("osprof.1", f".It Xr osprof-{command} 1\n{summary}.")):
        if f"\n{words}\n" not in (doc / page).read_text():
            wrong.append(f"{doc / page}: not there, from osprof help: {words!r}")
    return wrong


def check_options(command, options, doc, owners, write):
    """What is wrong with the options in the page of one command."""
    path = doc / f"osprof-{command}.1"
    head, middle, tail = split(path.read_text())
    own = described(head)
    wrong = []
    for name in sorted(own):
        if name not in options:
            wrong.append(f"{path}: --{name} is not an option of {command}")
        elif own[name] != options[name][:2]:
            wrong.append(f"{path}: --{name} is {own[name]}, its help has {options[name][:2]}")
    rest = {name: options[name] for name in options if name not in own}
    for name in [name for name in rest if name not in owners]:
        wrong.append(f"{path}: --{name} of {command} is not described")
        del rest[name]
    wanted = block(rest, owners)
    if middle is None:
        if wanted:
            wrong.append(f"{path}: no lines {BEGIN} and {END} for the common options")
    elif middle != wanted and write:
        path.write_text(head + BEGIN + "\n" + wanted + "\n" + END + tail)
    elif middle != wanted:
        wrong.append(f"{path}: the common options are not those of its help; "
                     "options_described.py OSPROF OSPROF-TUI DOC --write makes them anew")
    return wrong


def main():
    osprof, browser, doc = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    owners = owners_of(doc)
    commands = commands_of(osprof)
    wrong = []
    for command in commands:
        if not (doc / f"osprof-{command}.1").exists():
            wrong.append(f"{doc}/osprof-{command}.1: missing: every command has a page")
            continue
        wrong += check_summary(command, commands[command], doc)
        wrong += check_options(command, help_of([osprof, "help", command]), doc, owners,
                               "--write" in sys.argv)
    wrong += check_options("tui", help_of([browser, "--help"]), doc, owners, "--write" in sys.argv)
    print("\n".join(wrong))
    return len(wrong) > 0 or not commands


if __name__ == "__main__":
    sys.exit(main())
