# rules by operation; status 1: what the policy says fails
cat >gate.policy <<'END'
# clone is a handful of calls
operation clone
  ignore
operation lse*
  min-effect 9
  min-calls 9
  min-shape 9   # allowed
operation nothing-like-it
  fail any
operation read
  min-calls 0.5
min-share 0.5
fail regressed changed-shape
END
osprof rank --exit-code --policy gate.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt
