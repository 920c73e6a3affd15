# OSprof figure 9: writes stall where the file is flushed; fsync in every second interval
osprof timeline -q --unit ns -f json --op 'p*' data/runs/flusher-1s-5.json | grep '"with"'
osprof timeline -q --unit ns --op '*sync*' data/runs/flusher-sampled.txt | head -9
