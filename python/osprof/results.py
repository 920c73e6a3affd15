# SPDX-License-Identifier: GPL-3.0-or-later
"""What compare() and read() return."""

import ctypes
import json
import os
import threading
import weakref
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from . import _library
from ._library import AFTER, BEFORE, Error, Message, check, library, rendered, text_of

Input = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]
Inputs = Union[Input, Iterable[Input]]
Option = Union[str, int, float, bool, None]

_RANKED = ("text", "json", "csv", "markdown", "junit", "html", "github", "bmf", "benchmark-action")
_SHOWN = ("text", "json", "csv", "markdown")


class _Context:
    """A context of the library with its options and inputs."""

    def __init__(self, options: Dict[str, Option]) -> None:
        self.messages: List[Message] = []
        self._kept: List[bytes] = []
        self._emit = _library.MESSAGE_FN(self._take_message)
        self.handle = ctypes.c_void_p()
        check(library.osc_new(ctypes.byref(self.handle)))
        check(library.osc_on_message(self.handle, self._emit, None))
        for name, value in options.items():
            self._set(name.replace("_", "-"), value)

    def __enter__(self) -> "_Context":
        return self

    def __exit__(self, *_: Any) -> None:
        library.osc_free(self.handle)

    def _take_message(self, _: Any, message: Any) -> None:
        m = message.contents
        self.messages.append(
            Message(_library.SEVERITIES[m.severity], text_of(m.name), text_of(m.text), m.line)
        )

    def _set(self, name: str, value: Option) -> None:
        if value is None or value is False:
            return
        text = None if value is True else str(value).encode()
        check(library.osc_set(self.handle, name.encode(), text), self.messages)

    def _add_one(self, side: int, number: int, given: Input) -> None:
        if isinstance(given, (bytes, bytearray, memoryview)):
            data = bytes(given)
            self._kept.append(data)
            name = f"{'before' if side == BEFORE else 'after'}-{number + 1}".encode()
            status = library.osc_add_memory(self.handle, side, name, data, len(data))
        else:
            path = os.fsencode(os.fspath(given))
            if b"\0" in path:
                raise ValueError("a path has no NUL")
            status = library.osc_add_path(self.handle, side, path)
        check(status, self.messages)

    def add(self, side: int, given: Inputs) -> None:
        single = isinstance(given, (str, bytes, bytearray, memoryview, os.PathLike))
        inputs: List[Any] = [given] if single else list(given)  # type: ignore[arg-type]
        for number, one in enumerate(inputs):
            self._add_one(side, number, one)


class _Result:
    """What both kinds of results have: an object of the library, and its report as a document."""

    def __init__(
        self, handle: Any, render: Any, free: Any, formats: Tuple[str, ...], messages: List[Message]
    ) -> None:
        self._handle, self._render, self._formats = handle, render, formats
        self._lock = threading.Lock()  # an object of the library is for one thread at a time
        weakref.finalize(self, free, handle)
        self.messages = messages
        self.document: Dict[str, Any] = json.loads(self.render("json"))

    def render(self, output_format: str = "text") -> str:
        """Returns the report in a format of the command: "text", "json", "csv", "markdown" ..."""
        if output_format not in self._formats:
            raise ValueError(f"there is no output format {output_format}")
        with self._lock:
            return text_of(rendered(self._render, self._handle, output_format))

    def to_json(self) -> str:
        """Returns the document as text."""
        return json.dumps(self.document)

    @property
    def operations(self) -> List[Dict[str, Any]]:
        """The operations, as in the document."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """Returns a DataFrame with a row for each operation; needs pandas."""
        import pandas  # pylint: disable=import-outside-toplevel

        return pandas.json_normalize(self.operations)


class Comparison(_Result):
    """A comparison: document is that of osprof rank --format json."""

    def __init__(self, handle: Any, messages: List[Message]) -> None:
        super().__init__(
            handle, library.osc_comparison_render, library.osc_comparison_free, _RANKED, messages
        )

    @property
    def operations(self) -> List[Dict[str, Any]]:
        return list(self.document["operations"])

    @property
    def gate(self) -> str:
        """"passed", "failed" or "inconclusive"."""
        return str(self.document["gate"]["status"])

    @property
    def verdict(self) -> str:
        """The verdict on the run as a whole."""
        return str(self.document["run"]["verdict"])

    @property
    def headline(self) -> str:
        """The result in a sentence."""
        return str(self.document["headline"])

    def _repr_html_(self) -> str:
        import html  # pylint: disable=import-outside-toplevel

        page = html.escape(self.render("html"), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="600" frameborder="0"></iframe>'

    def __repr__(self) -> str:
        return f"<osprof.Comparison {self.headline}>"


class Profile(_Result):
    """A profile: document is that of osprof show --format json, for one run."""

    def __init__(self, handle: Any, messages: List[Message]) -> None:
        super().__init__(
            handle, library.osc_profile_render, library.osc_profile_free, _SHOWN, messages
        )

    @property
    def operations(self) -> List[Dict[str, Any]]:
        return list(self.document["runs"][0]["operations"])

    @property
    def unit(self) -> Optional[str]:
        """The unit of latencies; None: not known."""
        unit = self.document["runs"][0]["unit"]
        return None if unit is None else str(unit)

    def __repr__(self) -> str:
        return f"<osprof.Profile of {len(self.operations)} operations>"


def compare(before: Inputs, after: Inputs, **options: Option) -> Comparison:
    """Compares two sides; raises Error if they cannot be read or compared."""
    with _Context(options) as context:
        context.add(BEFORE, before)
        context.add(AFTER, after)
        handle = ctypes.c_void_p()
        check(library.osc_compare(context.handle, ctypes.byref(handle)), context.messages)
        return Comparison(handle, context.messages)


def read(run: Inputs, **options: Option) -> Profile:
    """Reads a run, and adds up what it consists of; raises Error if it cannot be read."""
    with _Context(options) as context:
        context.add(BEFORE, run)
        handle = ctypes.c_void_p()
        check(library.osc_read(context.handle, ctypes.byref(handle)), context.messages)
        return Profile(handle, context.messages)


__all__ = ["Comparison", "Error", "Profile", "compare", "read"]
