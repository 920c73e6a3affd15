# --strict and the verdict inconclusive, under a policy
run() { osprof rank -q --exit-code "$@" --policy gate.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt; }
printf 'fail none\n' >gate.policy; run >/dev/null; echo $?; run --strict >/dev/null; echo $?
printf 'fail none\noperation clone\n ignore\noperation set_*\n ignore\n' >gate.policy; run --strict >/dev/null; echo $?
printf 'fail inconclusive\n' >gate.policy; run | grep -i fail
