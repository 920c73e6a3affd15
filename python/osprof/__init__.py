# SPDX-License-Identifier: GPL-3.0-or-later
"""Latency profiles compared from Python.

    import osprof

    result = osprof.compare("runs/old", "runs/new", min_effect="5%")
    print(result.gate, result.headline)
    for operation in result.operations:
        print(operation["name"], operation["verdict"], operation["text"])

Inputs are paths of files or folders, bytes of files, or lists of these.  Options are those of
osprof rank, with _ for -: True stands for an option without an argument.  What is returned are the
dictionaries of osprof-json(5).  The work is done by libosprof-compare, osc(3).
"""

from ._library import Error, Message, version
from .results import Comparison, Profile, compare, read

__all__ = ["Comparison", "Error", "Message", "Profile", "compare", "read", "version"]
__version__ = version()
