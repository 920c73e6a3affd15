# ... unless any change counts
osprof rank -q --exit-code=any data/runs/grep-cold/1.json data/runs/grep-warm/2.txt >/dev/null
