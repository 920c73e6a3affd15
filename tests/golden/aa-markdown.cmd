osprof aa -q --format markdown data/runs/clone-1
