# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the wheel and the source archive by the standard library alone (PEP 517), so that pip
installs the package without an index."""

import base64
import hashlib
import os
import re
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def project(key):
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return re.search(rf'(?m)^{key} = "(.*)"$', file.read()).group(1)


def stem():
    return f"{project('name')}-{project('version')}"


def metadata():
    return (
        f"Metadata-Version: 2.1\nName: {project('name')}\nVersion: {project('version')}\n"
        f"Summary: {project('description')}\nLicense: GPL-3.0-or-later\n"
        f"Requires-Python: {project('requires-python')}\n"
    )


def wheel_files():
    folder = os.path.join(HERE, project("name"))
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py") or name == "py.typed":
            with open(os.path.join(folder, name), "rb") as file:
                yield f"{project('name')}/{name}", file.read()
    yield f"{stem()}.dist-info/METADATA", metadata().encode()
    yield (
        f"{stem()}.dist-info/WHEEL",
        b"Wheel-Version: 1.0\nGenerator: osprof\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    )


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    del config_settings, metadata_directory
    name = f"{stem()}-py3-none-any.whl"
    record = ""
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in wheel_files():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
            wheel.writestr(zipfile.ZipInfo(path), data)
        path = f"{stem()}.dist-info/RECORD"
        wheel.writestr(zipfile.ZipInfo(path), record + f"{path},,\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    del config_settings
    name = f"{stem()}.tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as archive:
        for path in ("pyproject.toml", "backend.py", project("name")):
            archive.add(os.path.join(HERE, path), f"{stem()}/{path}")
    return name
