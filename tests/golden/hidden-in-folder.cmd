# hidden files are ours
mkdir runs; cp data/runs/clone-1/1.json runs/1.json; echo notes >runs/.osprof-notes; osprof show -q runs | head -1
