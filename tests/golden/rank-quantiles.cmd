# read before: 29949 of 30000 calls lie below 1.05 ms, which is less than 99.9 %; after 59960 of 60000
osprof rank -q --unit ns --op read --quantiles 99.9,50 data/runs/randread-1/1.json data/runs/randread-2/2.txt
osprof rank -q --unit ns --op read --quantiles 50,99.9 -f csv data/runs/randread-1/1.json data/runs/randread-2/2.txt | cut -d, -f1,46-
osprof rank -q --unit ns --op read --quantiles 50,99.9 -f json data/runs/randread-1/1.json data/runs/randread-2/2.txt | grep quantiles
osprof rank -q --unit ns --op read -f markdown data/runs/randread-1/1.json data/runs/randread-2/2.txt | grep p90
osprof rank -q --unit ns --op read -f html data/runs/randread-1/1.json data/runs/randread-2/2.txt | grep p90
