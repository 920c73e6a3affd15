#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""libosprof-compare against the program, and the package for Python over it.

usage: library.py OSPROF LIBRARY ROOT
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tarfile
import tempfile
import unittest

OSPROF, LIBRARY = sys.argv[1], os.path.abspath(sys.argv[2])
ROOT = pathlib.Path(sys.argv[3])
os.environ["OSPROF_LIBRARY"] = LIBRARY
sys.path.insert(0, str(ROOT / "python"))
import osprof  # noqa: E402  pylint: disable=wrong-import-position

RUNS = ROOT / "testdata" / "runs"
STORIES = ROOT / "testdata" / "stories"
BEFORE = (RUNS / "randread-1" / "1.json").read_bytes()
AFTER = (RUNS / "randread-2" / "1.json").read_bytes()


def program(before, after, output_format, *options):
    """What osprof rank prints."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", COLUMNS="100000", TERM="dumb")
    done = subprocess.run(
        [OSPROF, "rank", "-q", "-f", output_format, *options, before, after],
        capture_output=True, env=environment, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def pairs():
    """Folders of runs with two sides."""
    yield RUNS / "randread-1", RUNS / "randread-2"
    yield RUNS / "clone-1", RUNS / "clone-4"
    for story in sorted(STORIES.iterdir()):
        if (story / "before").is_dir() and (story / "after").is_dir():
            yield story / "before", story / "after"


class Library(unittest.TestCase):
    def test_reports_are_those_of_the_program(self):
        compared = 0
        for before, after in pairs():
            status, expected = program(before, after, "json", "--unit", "ns")
            if status != 0:
                with self.assertRaises(osprof.Error):
                    osprof.compare(before, after, unit="ns")
                continue
            result = osprof.compare(before, after, unit="ns")
            self.assertEqual(result.render("json"), expected, before)
            compared += 1
            if compared > 3:
                continue
            for output_format in ("csv", "markdown", "junit", "html", "github", "bmf",
                                  "benchmark-action"):
                expected = program(before, after, output_format, "--unit", "ns")[1]
                self.assertEqual(result.render(output_format), expected, before)
        self.assertGreater(compared, 5)

    def test_the_program_of_the_readme_gives_the_verdicts(self):
        source = (ROOT / "README.md").read_text().split("```python\n")[1].split("```")[0]
        self.assertLessEqual(source.count("\n"), 5)
        done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True,
                              check=True, env=dict(os.environ, PYTHONPATH=str(ROOT / "python")))
        ranked = json.loads(program(RUNS / "randread-1", RUNS / "randread-2", "json")[1])
        self.assertEqual(done.stdout.splitlines()[1:],
                         [f"{o['name']} {o['verdict']}" for o in ranked["operations"]])
        self.assertTrue(done.stdout.startswith("failed - SLOWER"), done.stdout)

    def test_only_its_own_names_are_visible(self):
        names = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True,
                               text=True, check=True).stdout.split("\n")
        names = [line.split()[2] for line in names if line]
        self.assertEqual([n for n in names if not n.startswith(("osc_", "OSC_"))], [])
        header = (ROOT / "library" / "compare.h").read_text()
        for name in names:
            if name.startswith("osc_"):
                self.assertIn(name.split("@")[0] + "(", header)

    def test_any_file_is_read_or_refused(self):
        """Every input of every fuzzer, in one process, which prints nothing and keeps nothing open."""
        found = []
        for file in (ROOT / "tests" / "fuzz").rglob("*"):
            if file.is_file():
                found.extend((file, file.read_bytes()))
            if file.name.endswith(".tar.xz"):
                with tarfile.open(file) as archive:
                    found.extend(archive.extractfile(m).read() for m in archive if m.isfile())
        self.assertGreater(len(found), 2000)
        open_before = os.listdir("/proc/self/fd")
        with tempfile.TemporaryFile() as output:
            saved = os.dup(1), os.dup(2)
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            try:
                for given in found:
                    try:
                        osprof.read(given)
                    except osprof.Error as error:
                        self.assertTrue(str(error))
            finally:
                os.dup2(saved[0], 1)
                os.dup2(saved[1], 2)
                os.close(saved[0])
                os.close(saved[1])
            self.assertEqual(output.seek(0, os.SEEK_END), 0)
        self.assertEqual(os.listdir("/proc/self/fd"), open_before)

    def test_comparisons_leave_nothing(self):
        def resident():
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1])

        for _ in range(50):
            osprof.compare(BEFORE, AFTER, unit="ns")
        before = resident()
        for _ in range(200):
            osprof.compare(BEFORE, AFTER, unit="ns")
        pages_of_a_comparison = 16  # less than the smallest arena
        self.assertLess(resident() - before, 200 * pages_of_a_comparison / 10)


class Package(unittest.TestCase):
    def test_bytes_and_lists_are_inputs(self):
        one = osprof.compare(BEFORE, AFTER, unit="ns")
        self.assertEqual(one.document["before"], ["before-1"])
        self.assertEqual(one.gate, "failed")
        self.assertEqual(one.verdict, one.document["run"]["verdict"])
        lists = osprof.compare([BEFORE, BEFORE], [AFTER, AFTER], unit="ns", min_effect="5%")
        self.assertTrue(lists.document["replicated"])
        self.assertEqual(osprof.read(RUNS / "randread-1", unit="ns").unit, "ns")

    def test_errors_say_what_to_do(self):
        with self.assertRaisesRegex(osprof.Error, "no format recognised"):
            osprof.read(b"garbage")
        with self.assertRaisesRegex(osprof.Error, "there is no option min-effec"):
            osprof.compare(BEFORE, AFTER, min_effec=1)
        with self.assertRaises(ValueError):
            osprof.compare(BEFORE, AFTER).render("yaml")

    def test_a_notebook_shows_the_page(self):
        markup = osprof.compare(BEFORE, AFTER, unit="ns")._repr_html_()
        self.assertTrue(markup.startswith("<iframe srcdoc="))
        self.assertNotIn("<html", markup)

    def test_no_memory_is_an_exception(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))

        script = ("import osprof\n"
                  "data = b'operation,latency_ns\\n' + b''.join(\n"
                  "    b'op%d,%d\\n' % (i, i % 1000) for i in range(400000))\n"
                  "try:\n    osprof.compare(data, data)\n"
                  "except MemoryError:\n    print('MemoryError')\n")
        done = subprocess.run([sys.executable, "-c", script], preexec_fn=limit, text=True,
                              capture_output=True, check=False,
                              env=dict(os.environ, PYTHONPATH=str(ROOT / "python")))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "MemoryError\n", ""))

    def test_pip_installs_it_without_an_index(self):
        with tempfile.TemporaryDirectory() as folder:
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install",
                   "--no-index", "--quiet", "--target", folder, str(ROOT / "python")]
            if subprocess.run([sys.executable, "-m", "pip", "--version"], check=False,
                              capture_output=True).returncode != 0:
                self.skipTest("no pip")
            done = subprocess.run(pip, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue((pathlib.Path(folder) / "osprof" / "py.typed").is_file())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
