#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the browser for README.md and doc/guide.md, taken in a real terminal (tmux).

usage: scripts/picture.py OSPROF-TUI [--check]

Runs the browser on two of the bundled captures, writes its screen as
doc/osprof-tui.svg, colours and all, and as text between the marks
"screen: begin" and "screen: end" of doc/guide.md.  --check writes nothing; its
status is 1 where either shows something else than the browser does, and 77
without tmux or pseudo-terminals.
"""

import copy
import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/tui"))
from pane import Terminal, missing, wait_for  # noqa: E402

RUNS = ("testdata/runs/randread-1", "testdata/runs/randread-2")
IMAGE_SIZE, TEXT_SIZE = (150, 36), (80, 27)
CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.4, 17, 12
BACKGROUND, FOREGROUND = "#14161b", "#d6d8dc"
FIRST_16 = ("#14161b #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #abb2bf "
            "#5c6370 #ff7b85 #b5e890 #ffd68a #7fc4ff #e090f5 #6fd6e2 #ffffff").split()


def color(number):
    """Of the 256 of xterm."""
    if number < 16:
        return FIRST_16[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])


class Look:
    """What the last escape sequences made of the text that follows."""

    def __init__(self):
        self.fore = self.back = None
        self.bold = self.underline = self.reverse = False

    def obey(self, codes):
        codes = [int(code or 0) for code in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in (1, 22):
                self.bold = code == 1
            elif code in (4, 24):
                self.underline = code == 4
            elif code in (7, 27):
                self.reverse = code == 7
            elif code in (38, 48):
                value, codes = color(codes[1]), codes[2:]
                self.fore, self.back = (value, self.back) if code == 38 else (self.fore, value)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.fore = FIRST_16[code % 10 + (8 if code >= 90 else 0)]
            elif code in (39, 49):
                self.fore, self.back = (None, self.back) if code == 39 else (self.fore, None)

    def colors(self):
        fore, back = self.fore or FOREGROUND, self.back or BACKGROUND
        return (back, fore) if self.reverse else (fore, back)


def runs_of(line):
    """The longest pieces of a line that look alike: (first column, text, look)."""
    look, pieces = Look(), []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            look.obey(part[2:-1])
        elif part and pieces and vars(pieces[-1][1]) == vars(look):
            pieces[-1][0] += part
        elif part:
            pieces.append([part, copy.copy(look)])
    col = 0
    for text, look in pieces:
        yield col, text, look
        col += len(text)


# Full cells meet without a seam only as rectangles: block -> (from the left, from the top,
# width, height), as parts of a cell.
BLOCKS = {"█": (0, 0, 1, 1)}
BLOCKS.update({chr(0x2580 + k): (0, 1 - k / 8, 1, k / 8) for k in range(1, 8)})
SHADES = {"░": 0.30, "▒": 0.55, "▓": 0.8}
BLOCKS.update({shade: (0, 0, 1, 1) for shade in SHADES})


def rectangle(col, row, width, part, fill, opacity=1.0):
    left, top, _, height = part
    return (f'<rect x="{MARGIN + (col + left) * CELL_WIDTH:.1f}" '
            f'y="{MARGIN + (row + top) * CELL_HEIGHT:.1f}" width="{width * CELL_WIDTH:.1f}" '
            f'height="{height * CELL_HEIGHT:.1f}" fill="{fill}"'
            + (f' opacity="{opacity:g}"' if opacity < 1 else "") + "/>")


def text_of(col, row, text, look, fore):
    style = (' font-weight="bold"' if look.bold else "") + (
        ' text-decoration="underline"' if look.underline and text.strip() else "")
    return (f'<text x="{MARGIN + col * CELL_WIDTH:.1f}" y="{MARGIN + (row + 0.76) * CELL_HEIGHT:.1f}" '
            f'textLength="{len(text) * CELL_WIDTH:.1f}" fill="{fore}"{style}>'
            f"{html.escape(text)}</text>")


def draw(row, col, text, look):
    fore, back = look.colors()
    if back != BACKGROUND:
        yield rectangle(col, row, len(text), (0, 0, 1, 1), back)
    for piece in re.finditer(r"([\u2581-\u2588░▒▓])\1*|[^\s\u2581-\u2588░▒▓]+(?: [^\s\u2581-\u2588░▒▓]+)*", text):
        at = col + piece.start()
        if piece.group(1):
            mark = piece.group(1)
            yield rectangle(at, row, len(piece.group()), BLOCKS[mark], fore, SHADES.get(mark, 1.0))
        else:
            yield text_of(at, row, piece.group(), look, fore)


def svg(screen):
    lines = screen.rstrip("\n").split("\n")
    width = 2 * MARGIN + IMAGE_SIZE[0] * CELL_WIDTH
    height = 2 * MARGIN + IMAGE_SIZE[1] * CELL_HEIGHT
    out = ['<svg xmlns="http://www.w3.org/2000/svg" '
           f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
           'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" '
           'xml:space="preserve">',
           "<!-- SPDX-License-Identifier: GPL-3.0-or-later; made by scripts/picture.py -->",
           f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>']
    for row, line in enumerate(lines):
        for col, text, look in runs_of(line):
            out += draw(row, col, text, look)
    return "\n".join([*out, "</svg>"]) + "\n"


def shown(program, size, styled):
    with Terminal() as terminal:
        pane = terminal.pane(f"(cd {ROOT} && {program} {' '.join(RUNS)})", size=size)
        pane.shows("4.34 s")
        last = wait_for("all of the screen", lambda: pane.screen().count("\n") >= size[1] - 1 and
                        re.search(r"^ \? help", pane.screen(), re.M) and pane.screen(styled))
        pane.type("Q")
        pane.status()
    return last


def guide_with(screen):
    page = (ROOT / "doc/guide.md").read_text()
    text = "\n".join(line.rstrip() for line in screen.rstrip("\n").split("\n"))
    return re.sub(r"(<!-- screen: begin -->\n```\n).*?(```\n<!-- screen: end -->)",
                  lambda m: m.group(1) + text + "\n" + m.group(2), page, flags=re.S)


def main():
    if missing() is not None:
        print(missing(), file=sys.stderr)
        return 77
    program = pathlib.Path(sys.argv[1]).resolve()
    made = {ROOT / "doc/osprof-tui.svg": svg(shown(program, IMAGE_SIZE, True)),
            ROOT / "doc/guide.md": guide_with(shown(program, TEXT_SIZE, False))}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if "--check" in sys.argv:
            print(f"{path.relative_to(ROOT)} shows another screen: run scripts/picture.py")
        else:
            path.write_text(made[path])
    return bool(stale) and "--check" in sys.argv


if __name__ == "__main__":
    sys.exit(main())
