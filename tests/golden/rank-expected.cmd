mkdir runs && cp -r data/runs/randread-1 runs/before && cp -r data/runs/randread-2 runs/after
printf '# osprof annotations 1\nexpect "lseek" regressed\n' >runs/after/.osprof-annotations
echo "one of two"; osprof rank -q --unit ns --exit-code runs/before runs/after | grep -o '^Gate.*\|expected.*\|FAILS.*'; echo "status ${PIPESTATUS[0]}"
printf 'expect "read" regressed\n' >>runs/after/.osprof-annotations
echo "both"; osprof rank -q --unit ns --exit-code runs/before runs/after | grep -o '^Gate.*\|expected.*\|FAILS.*'; echo "status ${PIPESTATUS[0]}"
osprof rank -q --unit ns --exit-code --format csv runs/before runs/after | head -3 | sed 's/,.*\(,[^,]*,[^,]*\)$/\1/'
osprof rank -q --unit ns --exit-code --format junit runs/before runs/after | grep -c 'skipped message="expected'
echo "without annotations"; osprof rank -q --unit ns --exit-code --ignore-annotations runs/before runs/after >/dev/null; echo "status $?"
echo "another verdict"; printf '# osprof annotations 1\nexpect "lseek" improved\n' >runs/after/.osprof-annotations
osprof rank -q --unit ns --exit-code runs/before runs/after >/dev/null; echo "status $?"
echo "damaged"; printf 'expect\n' >>runs/after/.osprof-annotations
osprof rank -q --unit ns runs/before runs/after; echo "status $?"
