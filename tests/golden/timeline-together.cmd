# OSprof figure 9: writes stall where the file is flushed; fsync in every second interval
osprof timeline -q --unit ns -f json --op 'p*' data/runs/flusher-1s-5.json | grep '"with"'
osprof timeline -q --unit ns --op '*sync*' data/runs/flusher-sampled.txt | head -9
# the same as tables
osprof timeline -q --unit ns -f csv --section coincidences data/runs/flusher-1s-5.json
osprof timeline -q --unit ns -f markdown --section coincidences data/runs/flusher-1s-5.json
osprof timeline -q --unit ns --section changes,peaks data/runs/flusher-1s-5.json
osprof timeline -q --unit ns -f csv --section peaks data/runs/flusher-1s-5.json; echo "status $?"
osprof timeline -q -f markdown data/osprof/untimed.osprof | head -9
