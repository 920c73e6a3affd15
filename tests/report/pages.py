#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of HTML of the commands that print tables, against their Markdown.

usage: pages.py OSPROF TESTDATA

A page is well-formed, needs no network, has one main part and one first heading; its tables have
the rows of the Markdown; names of the input are text, whatever they contain. If node is
installed, it checks the script.
"""
import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile

OSPROF, TESTDATA = (os.path.realpath(path) for path in sys.argv[1:3])
VOID = {"meta", "br", "input"}
COMMANDS = [
    ("timeline", "--unit", "ns", "runs/flusher-1s-5.json"), ("calls", "calls/forks.csv"),
    ("show", "--unit", "ns", "runs/grep-cold"), ("values", "values/getdents.strace.xz"),
    ("layers", "--unit", "ns", "runs/layers-grep.json"), ("peaks", "--unit", "ns", "runs/randread-2"),
    ("distance", "--unit", "ns", "runs/randread-1", "runs/randread-2"), ("formats",),
    ("aa", "--unit", "ns", "runs/grep-cold", "runs/grep-warm"),
]
HOSTILE = ["<script>alert(1)</script>", "a|b **c** `d`", "&lt;&amp;", "x\\y_z", "</main>", "<img src=x onerror=y>"]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.counts, self.cells, self.problems, self.in_cell = [], {}, [], [], False
        self.feed(text)
        if self.open:
            self.problems.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        for name, value in attrs:
            if name in ("src", "href") or name.startswith("on") or "http" in (value or ""):
                self.problems.append(f"<{tag} {name}={value}>")
        if tag not in VOID:
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")
            self.in_cell = True

    def handle_startendtag(self, tag, attrs):
        if tag not in VOID:
            self.problems.append(f"<{tag}/>")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}>")
        self.in_cell = self.in_cell and tag != "td"

    def handle_data(self, data):
        if self.in_cell:
            self.cells[-1] += data


def run(*words):
    done = subprocess.run([OSPROF, *words], cwd=TESTDATA, capture_output=True, check=False)
    assert done.returncode in (0, 1), (words, done.stderr)
    return done.stdout.decode()


def check(*words):
    text, markdown = run(words[0], "-q", "--format", "html", *words[1:]), \
        run(words[0], "-q", "--format", "markdown", *words[1:])
    page = Page(text)
    rows = sum(line.startswith("| ") and not line.startswith("| --") for line in markdown.splitlines())
    assert not page.problems, (words, page.problems)
    assert page.counts.get("main") == page.counts.get("h1") == 1, (words, page.counts)
    assert page.counts.get("tr", 0) == rows, (words, page.counts, rows)
    return text, page


def main():
    for words in COMMANDS:
        text, _ = check(*words)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hostile")
        with open(path, "w", encoding="utf-8") as file:
            file.write("osprof 1\nunit ns\n")
            for name in HOSTILE:
                file.write('op "%s"\n9 5000\n' % name.replace("\\", "\\\\").replace('"', '\\"'))
        _, page = check("show", path)
        assert page.counts["script"] == 1 and "img" not in page.counts, page.counts
        missing = [name for name in HOSTILE if name not in page.cells]
        assert not missing, (missing, page.cells)
        kept = os.path.join(folder, "kept")
        with open(os.path.join(TESTDATA, "watch/step.csv"), "rb") as file:
            subprocess.run([OSPROF, "watch", "-q", "--every", "1s", "--lateness", "0s", "--keep", kept, "-"], stdin=file,
                           stdout=subprocess.DEVNULL, check=True)
        _, page = check("watch", "--every", "1s", "--replay", kept)
        # Latencies are twice as long from 130 s on; how near 2x the estimate is depends on the buckets.
        assert "read" in page.cells and any(re.fullmatch(r"latency (1\.9|2\.0)\dx higher for 11 s", cell)
                                            for cell in page.cells), page.cells
        if shutil.which("node"):
            script = os.path.join(folder, "page.js")
            with open(script, "w", encoding="utf-8") as file:
                file.write(re.search(r"<script>(.*?)</script>", text, re.S)[1])
            subprocess.run(["node", "--check", script], check=True)
    print(len(COMMANDS) + 2, "pages")


main()
