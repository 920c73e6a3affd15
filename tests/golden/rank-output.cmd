# -o: whole or not at all, nothing written over, the gate's status kept
osprof rank -q --exit-code -o report.txt data/runs/randread-1/1.json data/runs/randread-2/2.txt; echo $?
osprof rank -q data/runs/randread-1/1.json data/runs/randread-2/2.txt -o report.txt; echo $?
osprof rank -q --force --color always -f html data/runs/randread-1/1.json data/runs/randread-2/2.txt -o report.txt; echo $?; head -c 15 report.txt
osprof rank -q -o none.txt data/runs/randread-1/1.json no-such-run; echo $?; ls
