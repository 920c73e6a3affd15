# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures that are kept in archives, many small ones in one file."""
import contextlib
import pathlib
import shutil
import tarfile
import tempfile


@contextlib.contextmanager
def unpacked(folder):
    """A copy of `folder` that goes at the end: in the place of each archive, its files."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(shutil.copytree(folder, pathlib.Path(scratch) / "copy"))
        for archive in sorted(copy.rglob("*.tar.xz")):
            with tarfile.open(archive) as files:
                files.extractall(archive.parent)
            archive.unlink()
        yield copy
