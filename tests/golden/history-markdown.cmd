# also with operations that did not change, and a gate that fails on any change
osprof history -q --unit ns --format markdown --all --exit-code=any --recent 10 data/runs/nightly
