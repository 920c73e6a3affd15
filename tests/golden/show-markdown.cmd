# for a comment in a review
osprof show -q -f markdown data/runs/clone-4/1.json
