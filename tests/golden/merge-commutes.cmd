# any order gives the same file
osprof merge -q data/runs/clone-1/1.json data/runs/clone-1/2.txt data/runs/clone-1/3.json -o a.osprof && osprof merge -q data/runs/clone-1/3.json data/runs/clone-1/1.json data/runs/clone-1/2.txt -o b.osprof && sed -i '/^#/d' a.osprof && cmp a.osprof b.osprof && cat a.osprof
