# improvements pass; changes before the last runs pass
osprof history -q --unit ns --exit-code data/runs/nightly >/dev/null; echo $?; osprof history -q --unit ns --exit-code=any --recent 9 data/runs/nightly >/dev/null; echo $?; osprof history -q --unit ns --exit-code=any --recent 10 data/runs/nightly >/dev/null; echo $?
