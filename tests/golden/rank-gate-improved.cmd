# improvements pass
osprof rank -q --exit-code data/runs/grep-cold/1.json data/runs/grep-warm/2.txt >/dev/null
