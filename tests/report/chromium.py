#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of HTML in Chromium, if it is installed.

usage: chromium.py OSPROF TESTDATA

At 400, 800 and 1280 pixels, and at 800 in the dark, nothing but what says so scrolls sideways, and scripts
have no errors; printed, no table is cut. Flame graphs zoom and are searched.  Where axe-core is installed (AXE=axe.min.js, or by npm
for all users), it finds no violation.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

OSPROF, TESTDATA = (os.path.realpath(path) for path in sys.argv[1:3])
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PAIR = ("--unit", "ns", "runs/randread-1", "runs/randread-2")
PAGES = [
    ("rank", *PAIR), ("explain", *PAIR), ("history", "--unit", "ns", "runs/nightly"),
    ("timeline", "--unit", "ns", "runs/flusher-1s-5.json"), ("calls", "calls/forks.csv"),
    ("show", "--unit", "ns", "runs/grep-cold"), ("values", "values/getdents.strace.xz"),
    ("layers", "--unit", "ns", "runs/layers.json"), ("aa", "--unit", "ns", "runs/grep-cold", "runs/grep-warm"),
    ("causes", "causes/shop.dump.txt.xz", "causes/shop2.dump.txt.xz", "--function", "handle"),
]
WIDTHS = (400, 800, 1280)
PAPER = 680  # CSS pixels between the margins of a sheet of A4
PROBE = """
const pages = JSON.parse(document.getElementById('pages').textContent), found = [];
// A click zooms to a box, the topmost zooms out; a search marks the box whose name it is.
const flame = s => {
  const all = [...s.querySelectorAll('g')], box = all[1], width = g => +g.querySelector('rect').getAttribute('width');
  const find = s.parentNode.parentNode.querySelector('input[aria-label="mark functions"]'), before = width(box);
  box.onclick();
  if (Math.abs(width(box) - 760) > .01 || !all[0].style.opacity) return 'no zoom';
  all[0].onclick();
  if (Math.abs(width(box) - before) > .01) return 'not zoomed out';
  find.value = box.dataset.n; find.oninput();
  if (!box.classList.contains('hit') || all[0].classList.contains('hit')) return 'not found';
  return '';
};
const probe = page => new Promise(done => {
  const f = document.createElement('iframe'); f.width = page.width; f.height = 900; f.srcdoc = page.html;
  f.onload = async () => {
    const d = f.contentDocument, root = d.documentElement, w = root.clientWidth;
    const r = {what: page.what, width: page.width, scrolls: root.scrollWidth > w, errors: f.contentWindow.errors};
    r.beyond = [...d.querySelectorAll('body *')].filter(e => !e.closest('.wide, svg, details:not([open])') &&
      e.getBoundingClientRect().right > w + 1).slice(0, 3).map(e => e.outerHTML.slice(0, 80));
    r.cut = page.print ? [...d.querySelectorAll('.wide')].filter(e => e.scrollWidth > w + 1).length : 0;
    r.flame = [...d.querySelectorAll('svg.flame')].map(flame).filter(x => x);
    if (f.contentWindow.axe) r.axe = (await f.contentWindow.axe.run(d)).violations.map(v => v.id + ': ' + v.nodes[0].html.slice(0, 80));
    found.push(r); f.remove(); done();
  };
  document.body.append(f);
});
(async () => { for (const page of pages) await probe(page); document.title = 'done';
  document.getElementById('found').textContent = JSON.stringify(found); })();
"""


def axe_script():
    path = os.environ.get("AXE")
    if not path and shutil.which("npm"):
        root = subprocess.run(["npm", "root", "-g"], capture_output=True, text=True, check=False).stdout.strip()
        path = os.path.join(root, "axe-core", "axe.min.js")
    if not path or not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return f"<script>{file.read()}</script>"


def page_of(words):
    done = subprocess.run([OSPROF, words[0], "-q", "--format", "html", *words[1:]], cwd=TESTDATA, capture_output=True,
                          check=False)
    assert done.returncode in (0, 1), (words, done.stderr)
    return done.stdout.decode()


def variants(words, axe):
    head = "<head><script>window.errors=[];window.onerror=m=>{window.errors.push(m)}</script>"
    page = page_of(words).replace("<head>", head, 1)
    for width in WIDTHS:
        yield {"what": words[0], "width": width, "html": page.replace("</head>", axe + "</head>", 1) if width == 800 else page}
    printed = page.replace("@media print", "@media all")
    yield {"what": f"{words[0]}, printed", "width": PAPER, "html": printed, "print": True}


def probe(pages, scheme, folder):
    path, data = os.path.join(folder, "probe.html"), json.dumps(pages).replace("</", "<\\/")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"<!DOCTYPE html><body><script type='application/json' id='pages'>{data}"
                   f"</script><pre id='found'></pre><script>{PROBE}</script></body>")
    done = subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                           f"--blink-settings=preferredColorScheme={scheme}", "--virtual-time-budget=60000", "--dump-dom",
                           f"file://{path}"], capture_output=True, text=True, timeout=250, check=False)
    found = re.search(r'<pre id="found">(.+?)</pre>', done.stdout, re.S)
    assert found, f"Chromium found nothing: {done.stderr[-400:]}"
    return json.loads(html.unescape(found.group(1)))


def kept_intervals(folder):
    """What watch judges once more, if it can follow a file here."""
    kept = os.path.join(folder, "kept")
    with open(os.path.join(TESTDATA, "watch", "step.csv"), "rb") as step:
        done = subprocess.run([OSPROF, "watch", "-q", "--every", "1s", "--lateness", "0s", "--keep", kept, "-"],
                              stdin=step, capture_output=True, check=False)
    return [("watch", "--every", "1s", "--replay", kept)] if done.returncode in (0, 1) else []


def main():
    if CHROMIUM is None:
        print("Chromium is not installed")
        sys.exit(77)
    axe, problems = axe_script(), []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        commands = PAGES + kept_intervals(folder)
        pages = [page for words in commands for page in variants(words, axe)]
        for scheme in (0, 1):  # dark, light
            for r in probe([p for p in pages if scheme or p["width"] == 800], scheme, folder):
                bad = {k: v for k, v in r.items() if k not in ("what", "width") and v}
                if bad:
                    problems.append(f"{r['what']} at {r['width']}, {'light' if scheme else 'dark'}: {bad}")
    print("\n".join(problems))
    print(len(pages) + len(commands), "pages", "with axe-core" if axe else "without axe-core,", len(problems), "with a fault")
    sys.exit(len(problems) > 0)


main()
