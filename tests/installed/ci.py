#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the files for CI services as these would: the steps of the GitHub action and of the GitLab
template, by bash -e, with a release on a local server and a stand-in for gh.

	ci.py SOURCE BUILD

Prints TAP.
"""
import functools
import hashlib
import http.server
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

source, build = (Path(a).resolve() for a in sys.argv[1:3])
ci = source / "packaging/ci"
version = re.search(r"version: '(.*)'", (source / "meson.build").read_text())[1]
GH = """#!/bin/sh
# comments are files; --jq has found those that begin as ours do
state=$GH_STATE
case "$*" in
*--paginate*) ls "$state" ;;
*"--method POST"*) [ -z "${FORK:-}" ] || exit 1; cp "${7#body=@}" "$state/$(ls "$state" | wc -l)" ;;
*"--method PATCH"*) cp "${7#body=@}" "$state/${5##*/}" ;;
esac
"""
OLD = "#!/bin/sh\ndd if=/dev/zero of=answer bs=64k count=160 status=none\n"
NEW = OLD.replace("bs=64k count=160", "bs=1k count=10240")
results = []


def check(name, ok, why=""):
    results.append(ok)
    print(("ok" if ok else "not ok"), len(results), "-", name, flush=True)
    if not ok:
        print("\n".join("# " + line for line in str(why).split("\n")))


def steps(text):
    """The name and the commands of each step of an action that has commands."""
    for part in re.split(r"\n    - name: ", text)[1:]:
        run = re.search(r"\n( *)run: \|\n((?:\1  .*\n|\n)+)", part + "\n")
        if run:
            yield part.split("\n")[0], re.sub(r"(?m)^" + run[1] + "  ", "", run[2])


def serve(folder):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    handler.log_message = lambda *_: None
    http.server.SimpleHTTPRequestHandler.log_message = lambda *_: None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def make_release(scratch):
    """What is installed, as the archive of a static program."""
    arch = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    name = f"osprof-{version}-linux-{arch}"
    log = build / "meson-logs/install-log.txt"
    before = log.read_bytes() if log.exists() else None
    subprocess.run(["meson", "install", "--no-rebuild", "--quiet", "--destdir", scratch / "dest"],
                   cwd=build, check=True, stdout=subprocess.DEVNULL)
    if before is None:
        log.unlink()
    else:
        log.write_bytes(before)
    prefix = next((scratch / "dest").rglob("bin/osprof")).parent.parent
    prefix.rename(scratch / name)
    release = scratch / "release"
    release.mkdir()
    archive = release / (name + ".tar.xz")
    subprocess.run(["tar", "-C", scratch, "-I", "xz -0", "-cf", archive, name], check=True)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    (release / (archive.name + ".sha256")).write_text(f"{digest}  {archive.name}\n")
    shutil.copy(ci / "install.sh", release)
    return archive


class Runner:
    """A runner of GitHub: a place, its environment, and what the steps have written."""

    def __init__(self, scratch, url, name):
        self.place = scratch / name
        self.place.mkdir()
        tools = self.place / "tools"
        tools.mkdir()
        self.state = self.place / "comments"
        self.state.mkdir()
        (tools / "gh").write_text(GH)
        (tools / "gh").chmod(0o755)
        shutil.copytree(ci, self.place / "action")
        for side, text in ("base", OLD), ("head", NEW):
            (self.place / side).mkdir()
            (self.place / side / "benchmark").write_text(text)
            (self.place / side / "benchmark").chmod(0o755)
        self.env = {
            "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(self.place), "LC_ALL": "C.UTF-8",
            "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(self.place / "action"),
            "GITHUB_REPOSITORY": "some/where", "RUNNER_TEMP": str(self.place / "temp"),
            "GH_STATE": str(self.state), "GH_TOKEN": "x", "PULL_REQUEST": "7", "OSPROF_URL": url,
            "BASE": "cd base && exec ./benchmark", "HEAD": "cd head && exec ./benchmark",
            "REPEAT": "3", "POLICY": "", "STRICT": "false",
        }
        for file in "OUTPUT", "PATH", "STEP_SUMMARY":
            self.env["GITHUB_" + file] = str(self.place / file)
            (self.place / file).write_text("")
        (self.place / "temp").mkdir()

    def text(self, file):
        return (self.place / file).read_text()

    def step(self, commands):
        env = dict(self.env)
        env["PATH"] = ":".join(self.text("PATH").split() + [env["PATH"]])
        env["STATUS"] = self.text("OUTPUT").strip()[-1:]
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", commands],
                              cwd=self.place, env=env, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def try_action(scratch, url):
    action = dict(steps((ci / "action.yml").read_text()))
    runner = Runner(scratch, url, "runner")
    done = runner.step(action["install osprof"])
    check("the action installs osprof", done.returncode == 0, done.stdout)
    done = runner.step(action["record and compare"])
    check("it records and compares at the first run",
          done.returncode == 0 and "status=1" in runner.text("OUTPUT"), done.stdout)
    check("it annotates", re.search(r"(?m)^::error title=write%3A regressed::", done.stdout), done.stdout)
    check("the report is on the page of the job",
          runner.text("STEP_SUMMARY").startswith("**Gate FAILED. SLOWER"), runner.text("STEP_SUMMARY"))
    kept = sorted(p.name for p in (runner.place / "osprof-results").iterdir())
    check("runs and reports are kept",
          kept == ["base", "comment.md", "head", "junit.xml", "report.html"], kept)
    for _ in range(2):
        done = runner.step(action["comment"])
    comments = list(runner.state.iterdir())
    check("two pushes have one comment",
          len(comments) == 1 and comments[0].read_text().startswith("<!-- osprof: latency -->\n**Gate FAILED"),
          done.stdout)
    done = runner.step(action["verdict"])
    check("the job fails", done.returncode == 1, done.stdout)
    comments[0].unlink()
    runner.env["FORK"] = "yes"
    done = runner.step(action["comment"])
    check("a fork without permission is a notice", done.returncode == 0 and "::notice " in done.stdout, done.stdout)
    shutil.copy(runner.place / "base/benchmark", runner.place / "head/benchmark")
    done = runner.step(action["record and compare"])
    check("the same program passes", runner.text("OUTPUT").endswith("status=0\n"), done.stdout)
    runner.env["HEAD"] = "exec ./no-such-benchmark"
    done = runner.step(action["record and compare"])
    check("a benchmark that cannot be run is an error", runner.text("OUTPUT").endswith("status=2\n"), done.stdout)


def try_gitlab(scratch, url):
    """The lines of the template, with two folders for what git would check out."""
    runner = Runner(scratch, url, "gitlab")
    del runner.env["GITHUB_ACTIONS"]
    lines = re.findall(r"(?m)^    - (?!if:)(.*)$", (ci / "gitlab.yml").read_text())
    (runner.place / "tools/git").write_text("#!/bin/sh\n")
    (runner.place / "tools/git").chmod(0o755)
    shutil.copy(runner.place / "head/benchmark", runner.place)
    runner.env |= {"CI_PROJECT_DIR": str(runner.place), "CI_MERGE_REQUEST_DIFF_BASE_SHA": "0",
                   "BUILD": "chmod +x benchmark", "BENCHMARK": "./benchmark"}
    done = runner.step("\n".join(lines))
    check("GitLab's job fails on the regression", done.returncode == 1 and "Gate: FAILED" in done.stdout, done.stdout)
    check("it has JUnit", "<failure" in runner.text("osprof-results/junit.xml"))


def try_install(scratch, url, archive):
    home = scratch / "home"
    home.mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "OSPROF_URL": url}
    install = ["sh", str(ci / "install.sh")]
    done = subprocess.run(install, env=env, text=True, capture_output=True)
    ran = subprocess.run([home / ".local/bin/osprof", "rank", "-q", "example:randread-1", "example:randread-2"],
                         text=True, capture_output=True)
    check("install.sh installs below ~/.local", done.returncode == 0 and "SLOWER" in ran.stdout, done.stderr + ran.stderr)
    (home / ".local/share/others").mkdir()
    installed = home / ".local/share/osprof/ci/install.sh"
    done = subprocess.run(["sh", installed, "--remove"], env=env, text=True, capture_output=True)
    left = [str(p.relative_to(home)) for p in home.rglob("*")]
    check("install.sh --remove leaves nothing of its own", done.returncode == 0 and sorted(left) == [".local", ".local/share", ".local/share/others"], left)
    done = subprocess.run(install, env=env | {"OSPROF_VERSION": "9.9"}, text=True, capture_output=True)
    check("a version that does not exist is said to be none",
          done.returncode == 1 and "there is no osprof 9.9" in done.stderr, done.stderr)
    bare = scratch / "bare"
    bare.mkdir()
    for tool in "sh", "uname", "mktemp", "rm":
        (bare / tool).symlink_to(shutil.which(tool))
    done = subprocess.run(install, env=env | {"PATH": str(bare)}, text=True, capture_output=True)
    check("without a program that fetches files, one is asked for",
          done.returncode == 1 and done.stderr == "install.sh: needs curl or wget\n", done.stderr)
    (scratch / "file").write_text("")
    done = subprocess.run([*install, str(scratch / "file/below")], env=env, text=True, capture_output=True)
    check("a place that takes no files is one line",
          done.returncode == 1 and done.stderr == f"install.sh: cannot write to {scratch}/file\n", done.stderr)
    archive.write_bytes(archive.read_bytes()[:-1] + b"x")
    done = subprocess.run(install, env=env, text=True, capture_output=True)
    check("a file with another checksum is not installed",
          done.returncode == 1 and "checksum" in done.stderr and not (home / ".local/bin").exists(), done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        archive = make_release(scratch)
        url = serve(scratch / "release")
        check("install.sh is of this version",
              f"OSPROF_VERSION:-{version}" in (ci / "install.sh").read_text())
        try_action(scratch, url)
        try_gitlab(scratch, url)
        try_install(scratch, url, archive)
    print(f"1..{len(results)}")
    return 0 if all(results) else 1


sys.exit(main())
