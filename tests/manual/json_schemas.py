#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON Schemas of schemas/ agree with what osprof prints, and with the pages.

	json_schemas.py OSPROF SOURCE

Documents are those of tests/golden, and what the commands below print. Users may meet members that
a schema does not know, because later versions add some; here such a member is an error.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

try:
    from jsonschema import Draft202012Validator as Validator
    from jsonschema.exceptions import best_match
except ImportError:
    print("skipped: python3-jsonschema is not installed, or older than 4.0")
    sys.exit(77)

osprof, source = (Path(a).resolve() for a in sys.argv[1:3])
COMMANDS = """
show runs/grep-cold/1.json runs/zeroread-2
show osprof/small.osprof layers/above-block.json
show --quantiles 75,99.9 fio/jsonplus.json
show uftrace/nested.txt
rank runs/randread-1 runs/randread-2
rank runs/randread-1/1.json runs/randread-2/1.json
rank --histograms runs/randread-1 runs/randread-2/1.json
rank rt-tests/cyclictest-live.txt rt-tests/cyclictest-live.txt
rank --by host "$T/1" "$T/2"
rank "$T/baseline" runs/randread-2/1.json
rank --exit-code mysql-slow/no-index.log mysql-slow/index.log
rank uftrace/nested.txt uftrace/nested.txt
peaks runs/zeroread-2
peaks runs/randread-1 runs/randread-2
explain runs/randread-1 runs/randread-2
explain runs/randread-1
distance runs/grep-cold runs/grep-warm
distance --pairwise runs/grep-cold
mix runs/grep-cold runs/randread-1
judge labels.csv
predict --costs runs/randread-1 --counts runs/randread-2
predict --costs runs/randread-1/1.json --counts runs/zeroread-1
history runs/nightly
aa runs/clone-1
aa runs/randread-1
check runs/grep-cold
formats
timeline runs/flusher-1s-5.json
preempt runs/preempt/two.osprof
preempt trace-cmd/report-3.4.txt
preempt --equation --tcpu 1 --tperiod 2 --yield 0 --quantum 3
calls calls/pipes.csv
calls calls/forks.csv calls/forks.csv
layers layers/above-block.json
layers uftrace/nested.txt uftrace/nested.txt
values values/biosnoop.txt.xz
values values/getdents.strace.xz
causes causes/shop.data
causes causes/shop.data --function handle
causes causes/shop.data --function handle --method maxcount
causes causes/spans.ndjson.xz --function 'frontend/POST /checkout'
watch --every 1s --lateness 0s --keep "$T/kept" - <watch/step.csv
watch --every 1s --replay "$T/kept"
watch --every 1s --replay "$T/kept" --calibrate
"""
errors = []


def error(text):
    errors.append(text)
    print(text)


def closed(schema):
    """The schema without members that it does not know."""
    if isinstance(schema, list):
        return [closed(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {k: closed(v) for k, v in schema.items()}
    if "properties" in schema:
        schema.setdefault("additionalProperties", False)
    return schema


def members(schema, found):
    """The names of all members, in found."""
    if isinstance(schema, list):
        for s in schema:
            members(s, found)
    elif isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            found.update(schema["properties"])
        for s in schema.values():
            members(s, found)
    return found


def flaw(validator, document):
    """What is wrong in a document, or None; of alternatives, the one that fits best."""
    why = next(iter(validator.iter_errors(document)), None)
    while why is not None and why.context:
        branches = {}
        for e in why.context:
            branches.setdefault(e.schema_path[0], []).append(e)
        fits = [b for b in branches.values() if not any(e.validator in ("const", "enum", "type") and len(e.path) == 1 for e in b)]
        why = best_match((fits or list(branches.values()))[0])
    return why and f"{why.json_path}: {why.message[:300]}"


def documents(text):
    """The JSON objects of text, and how many only begin there."""
    decoder, at, cut, found = json.JSONDecoder(), 0, 0, []
    for brace in re.finditer(r'(?m)^\{(?=\s*"schema")', text):
        if brace.start() < at:
            continue
        try:
            document, at = decoder.raw_decode(text, brace.start())
            found.append(document)
        except ValueError:
            cut += 1
    return found, cut


def golden():
    """Pairs of the name of a case and a document."""
    for path in sorted((source / "tests/golden").glob("*.cases")):
        for case in re.split(r"(?m)^==== ", path.read_text(errors="replace"))[1:]:
            name, rest = case.split("\n", 1)
            commands, *parts = re.split(r"(?m)^---- (?=std|status)", rest)
            for part in parts:
                found, cut = documents(part)
                if cut and not re.search(r"\b(head|sed|grep)\b", commands):
                    error(f"{name}: a document that is not JSON")
                yield from ((name, d) for d in found)


def printed():
    """Pairs of a command and a document that it prints."""
    with tempfile.TemporaryDirectory() as made:
        def run(command):
            return subprocess.run(command, shell=True, text=True, cwd=source / "testdata", timeout=120,
                                  env=os.environ | {"O": str(osprof), "T": made},
                                  stdin=subprocess.DEVNULL, capture_output=True)

        run('for i in 1 2; do "$O" merge -q --by host runs/randread-$i/* -o "$T/$i"; done')
        run('"$O" baseline -q runs/randread-1 -o "$T/baseline"')
        for line in COMMANDS.strip().split("\n"):
            command, _, rest = line.partition(" ")
            done = run(f'"$O" {command} -q --format json {rest}')
            found, cut = documents(done.stdout)
            if cut or not found:
                error(f"osprof {line}: {len(found)} documents, and {cut} that are not JSON: {done.stderr}")
            yield from ((f"osprof {line}", d) for d in found)
        yield "osprof watch --keep", json.loads(Path(made, "kept/.osprof-status").read_text())


def names_in_program():
    """The schemas that the source of the program names."""
    for folder in "report", "watch", "cli":
        for path in (source / folder).rglob("*.c"):
            yield from re.findall(r'"(osprof\.[a-z-]+/[0-9]+)"', path.read_text())


def described():
    """For each section of osprof-json(5) its schemas, and the members that it lists."""
    for section in re.split(r"(?m)^\.Sh ", (source / "doc/osprof-json.5").read_text()):
        # A part of a section that names another schema is about that.
        parts = re.split(r"(?m)^\.Ql (osprof\.[a-z-]+/[0-9]+)", section)
        for schema, text in zip(parts[1::2], parts[2::2]):
            listed = re.findall(r"(?m)^\.It Cm (.*)$", text)
            listed = [m for line in listed for m in re.findall(r"[a-z_0-9]+", line)]
            block = "".join(re.findall(r"(?ms)^\.Bd -literal$(.*?)^\.Ed", text))
            yield schema, listed + re.findall(r'"([a-z_0-9]+)"(?=[:,}]| and)', block)


schemas = {}
for path in sorted((source / "schemas").iterdir()):
    schema = json.loads(path.read_text())
    name = "osprof.%s/%s" % re.fullmatch(r"osprof\.([a-z-]+)\.([0-9]+)\.json", path.name).groups()
    Validator.check_schema(schema)
    if schema["title"] != name:
        error(f"{path.name}: its title is {schema['title']}")
    schemas[name] = schema
for name in sorted(set(names_in_program()) ^ set(schemas)):
    error(f"{name}: only the program has it" if name not in schemas else f"{name}: the program does not print it")

validators = {name: (Validator(schema), Validator(closed(schema))) for name, schema in schemas.items()}
seen = Counter()
for documents_of in golden, printed:
    for where, document in documents_of():
        name = document["schema"]
        if name not in schemas:
            error(f"{where}: {name} has no schema")
            continue
        seen[name] += 1
        for validator in validators[name]:
            why = flaw(validator, document)
            if why:
                error(f"{where}: {name}: {why}")
                break
for name in sorted(set(schemas) - set(seen)):
    error(f"{name}: there is no document to try it with")

for name, listed in described():
    words = set(re.findall(r'"([a-z_0-9-]+)"', json.dumps(schemas.get(name, {}))))  # values, too
    for member in sorted(set(listed) - words):
        error(f"osprof-json(5) describes {member}, which the schema {name} does not know")
pages = "".join((source / "doc" / page).read_text() for page in
                ("osprof-json.5", "osprof-causes.1", "osprof-method.7", "osprof-watch.1"))
words = set(re.findall(r"[a-z_0-9]+", pages))
for name, schema in schemas.items():
    for member in sorted(members(schema, set()) - words):
        error(f"no page describes {member} of the schema {name}")
print(", ".join(f"{name}: {n}" for name, n in sorted(seen.items())))
sys.exit(bool(errors))
