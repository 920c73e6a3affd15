#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles TikZ pictures, of names that LaTeX would take for commands, in a page of a paper.

usage: latex.py OSPROF TESTDATA

LaTeX has no error, and no picture is wider than the text of an A4 page. Skipped (77) without pdflatex, TikZ
or gnuplot's package.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

OSPROF, TESTDATA = (os.path.realpath(path) for path in sys.argv[1:3])
RUNS = os.path.join(TESTDATA, "runs") + "/"
PAGE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[a4paper,margin=15mm]{geometry}
\usepackage{gnuplot-lua-tikz}
\parindent0pt
\begin{document}
%s
\end{document}
"""
HOSTILE = r"50%_&#$^~{}\\end{document}\\input{x}"


def has_latex():
    # Debian keeps gnuplot's package beside the trees that TeX searches.
    os.environ["TEXINPUTS"] = ".:/usr/share/texmf/tex//:"
    return shutil.which("pdflatex") and all(
        subprocess.run(["kpsewhich", name], capture_output=True, check=False).returncode == 0
        for name in ("gnuplot-lua-tikz.sty", "tikz.sty", "geometry.sty"))


def main():
    if not has_latex():
        print("no pdflatex with TikZ and gnuplot-lua-tikz")
        sys.exit(77)
    pair = ("--unit", "ns", RUNS + "randread-1", RUNS + "randread-2")
    cases = [("histogram", *pair, "--op", "lseek"), ("percentiles", *pair), ("forest", *pair), ("history", RUNS + "nightly"),
             ("map", "--unit", "ns", RUNS + "flusher-1s-5.json", "--op", "fsync"),
             ("histogram", "hostile", "--op", "*", "--title", "50 % \\of {it} & $more$")]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("hostile", "w", encoding="ascii") as file:
            file.write(f'osprof 1\nunit ns\nop "{HOSTILE}"\n10 500\n')
        for i, words in enumerate(cases):
            subprocess.run([OSPROF, "plot", "-q", *words, "-o", f"{i}.tikz"], check=True)
        with open("page.tex", "w", encoding="ascii") as file:
            file.write(PAGE % "\n".join(rf"\input{{{i}.tikz}}\par" for i in range(len(cases))))
        done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"], capture_output=True,
                              check=False, errors="replace", text=True)
        faults = re.findall(r"^!.*\n.*\n.*|^Overfull \\hbox \([1-9]\d*\.\d+pt.*", done.stdout, re.M)
        print("\n".join(faults))
        assert done.returncode == 0 and not faults
        assert os.path.getsize("page.pdf") > 10000
    print(len(cases), "pictures")


main()
