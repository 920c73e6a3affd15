#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the macros of the pages say what they are to say where groff and mandoc do not tell.

usage: references.py PAGE...

 - .Xr has a name and a section, and one of our own pages exists. `.Xr find 1 , sort 1` makes
   one reference and leaves the text "sort 1".
 - .Sx names a heading of the page.
 - No macro gets a lone point or comma as its text and joins something to it: in `.Pa . Ns Ar x`
   the point ends the sentence.
 - A list of literals has each in quotes: `.Ql a , b` makes one quote of both.
 - Lines of a literal block fit a terminal of 80 columns, but for files that examples make.
"""

import pathlib
import re
import sys

PUNCTUATION = {",", ".", ";", ":", ")", "(", "?", "!"}


def references(line):
    """Of the .Xr of a line, name and section; what is wrong has no section."""
    words = line[1:].split()
    found = []
    for i, word in enumerate(words):
        if word != "Xr":
            continue
        section = words[i + 2] if len(words) > i + 2 else ""
        found.append((words[i + 1], section if re.fullmatch(r"[1-9]", section) else ""))
        rest = [w for w in words[i + 3:] if w not in PUNCTUATION]
        if rest and not re.fullmatch(r"[A-Z][a-z]|No", rest[0]):
            found.append((rest[0], ""))
    return found


def check_width(path):
    """Literal lines that are longer than what groff leaves of 78 columns."""
    wrong = []
    room, is_file = 0, False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith(r".\" file:"):
            is_file = True
        elif line.startswith(".Bd") and "-literal" in line:
            room = 10000 if is_file else 67 if "-offset" in line else 73
            is_file = False
        elif line.startswith(".Ed"):
            room = 0
        elif room > 0 and not line.startswith(r".\""):
            shown = line.replace(r"\e", "\\").replace(r"\&", "").replace(r"\-", "-")
            if len(shown.expandtabs()) > room:
                wrong.append(f"{path}:{number}: {len(shown)} columns, there are {room}: {line}")
    return wrong


def check(path, pages):
    text = path.read_text()
    headings = [re.sub(r'"|\\&', "", h) for h in re.findall(r"^\.S[hs] (.*)$", text, re.M)]
    wrong = check_width(path)
    literal = False
    for number, line in enumerate(text.splitlines(), 1):
        literal = line.startswith(".Bd") or literal and not line.startswith(".Ed")
        if literal or not line.startswith(".") or line.startswith(r".\""):
            continue
        where = f"{path}:{number}: "
        for name, section in references(line):
            if section == "":
                wrong.append(f"{where}{name} is no reference with a section")
            elif name.startswith("osprof") and f"{name}.{section}" not in pages:
                wrong.append(f"{where}there is no {name}({section})")
        heading = re.match(r"\.Sx (.*?)(?: [.,;:)]| Ns.*)*$", line)
        if heading and heading[1].replace('"', "") not in headings:
            wrong.append(f"{where}no heading {heading[1]}")
        if re.search(r"\bQl [^,]* , (?!([A-Z][a-z]|No)\b)", line):
            wrong.append(f"{where}one quote of a list: {line}")
        if re.search(r"\b(Pa|Ar|Cm|Ql|Fl|Li) [.,;:] Ns\b", line):
            wrong.append(f"{where}a lone point or comma is joined to something: {line}")
    return wrong


def main():
    paths = [pathlib.Path(page) for page in sys.argv[1:]]
    pages = {path.name for path in paths}
    wrong = [line for path in paths for line in check(path, pages)]
    print("\n".join(wrong))
    return len(wrong) > 0 or not paths


if __name__ == "__main__":
    sys.exit(main())
