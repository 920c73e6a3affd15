# all runs of one side written before those of the other
mkdir a b; for i in 1 2 3; do cp data/runs/clone-1/1.json a/$i.json; cp data/runs/clone-4/1.json b/$i.json; touch -d @$((1000 + i)) a/$i.json; touch -d @$((2000 + i)) b/$i.json; done; osprof rank --unit ns a b >/dev/null; touch -d @1500 b/1.json; touch -d @1600 a/1.json; osprof rank --unit ns a b >/dev/null
