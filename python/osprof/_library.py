# SPDX-License-Identifier: GPL-3.0-or-later
"""libosprof-compare by ctypes: osprof/compare.h, as far as it is needed here."""

import ctypes
import ctypes.util
import os
from typing import Any, List, NamedTuple, Optional

OK, NO_MEMORY, INVALID, OPTION, INPUT, STOPPED = range(6)
BEFORE, AFTER = 0, 1
SEVERITIES = ("note", "warning", "error")


class Message(NamedTuple):
    """A note, a warning or an error; osprof-messages(7) lists the names."""

    severity: str
    name: str
    text: str
    line: int


class Error(Exception):
    """Why there is no result; messages has all that was said."""

    def __init__(self, text: str, messages: Optional[List[Message]] = None) -> None:
        super().__init__(text)
        self.messages = messages or []


class MessageStruct(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("severity", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
        ("line", ctypes.c_uint64),
    ]


MESSAGE_FN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(MessageStruct))
WRITE_FN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)

_POINTER, _TEXT = ctypes.c_void_p, ctypes.c_char_p
_POINTER_TO = ctypes.POINTER(ctypes.c_void_p)
_SIGNATURES = {
    "osc_new": [_POINTER_TO],
    "osc_free": [_POINTER],
    "osc_on_message": [_POINTER, MESSAGE_FN, _POINTER],
    "osc_set": [_POINTER, _TEXT, _TEXT],
    "osc_add_path": [_POINTER, ctypes.c_int, _TEXT],
    "osc_add_memory": [_POINTER, ctypes.c_int, _TEXT, _TEXT, ctypes.c_size_t],
    "osc_compare": [_POINTER, _POINTER_TO],
    "osc_comparison_free": [_POINTER],
    "osc_comparison_render": [_POINTER, _TEXT, WRITE_FN, _POINTER],
    "osc_read": [_POINTER, _POINTER_TO],
    "osc_profile_free": [_POINTER],
    "osc_profile_render": [_POINTER, _TEXT, WRITE_FN, _POINTER],
    "osc_profile_write": [_POINTER, _TEXT, WRITE_FN, _POINTER],
}


def _open() -> Any:
    name = os.environ.get("OSPROF_LIBRARY") or ctypes.util.find_library("osprof-compare")
    try:
        library = ctypes.CDLL(name or "libosprof-compare.so.0")
    except OSError as error:
        raise ImportError(
            f"{error}; install libosprof-compare, or set OSPROF_LIBRARY to its path"
        ) from None
    for function, arguments in _SIGNATURES.items():
        getattr(library, function).argtypes = arguments
        getattr(library, function).restype = None if function.endswith("free") else ctypes.c_int
    library.osc_version.restype = _TEXT
    library.osc_status_text.restype = _TEXT
    return library


library = _open()


def version() -> str:
    """Returns the version of the library."""
    return str(library.osc_version().decode())


def text_of(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def check(status: int, messages: Optional[List[Message]] = None) -> None:
    """Raises what a status stands for."""
    if status == OK:
        return
    if status == NO_MEMORY:
        raise MemoryError("osprof: out of memory")
    errors = [m.text for m in messages or [] if m.severity == "error"]
    raise Error("\n".join(errors) or text_of(library.osc_status_text(status)), messages)


def rendered(function: Any, handle: Any, output_format: str) -> bytes:
    """Returns what a function writes to its callback."""
    parts: List[bytes] = []
    failed: List[BaseException] = []

    def write(_: Any, data: int, size: int) -> int:
        try:
            parts.append(ctypes.string_at(data, size))
        except MemoryError as error:
            failed.append(error)
            return 1
        return 0

    status = function(handle, output_format.encode(), WRITE_FN(write), None)
    if failed:
        raise failed[0]
    if status == OPTION:
        raise ValueError(f"there is no output format {output_format}")
    check(status)
    return b"".join(parts)
