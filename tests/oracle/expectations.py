# SPDX-License-Identifier: GPL-3.0-or-later
"""What captures.expect says of the files of a folder; tests/formats/capture.h says how."""
import functools
import os
import re


@functools.lru_cache(maxsize=None)
def of_folder(folder):
    """{file name: its first entry, (["unit ns", ...], profile as text; None of a file that is refused)}"""
    found, entries, path = {}, {}, os.path.join(folder, 'captures.expect')
    if not os.path.exists(path):
        return found
    with open(path, encoding='utf-8', errors='surrogateescape', newline='\n') as f:
        for line in f:
            if not line.startswith('\t'):
                heading = re.match(r'([^:]*?)(?: \((.*?)\))?:', line)
                profile, options = None, heading[2].split(', ') if heading[2] else []
            elif not line.startswith('\t! '):
                profile = (profile or '') + line[1:]
            entries[heading[1], heading[2]] = options, profile
    for (name, _), entry in entries.items():
        found.setdefault(name, entry)
    return found


def of_file(path):
    """(options, profile) of the file at `path`; None where nothing is expected of it."""
    folder, name = os.path.split(str(path))
    return of_folder(folder).get(name)
