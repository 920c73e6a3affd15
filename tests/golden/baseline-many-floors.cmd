osprof baseline -q --unit ns data/runs/grep-cold -o b.osprof
osprof rank --unit ns --min-effect 0.001 b.osprof data/runs/grep-warm/1.json 2>&1 | grep -c "6 operations vary .*read: .*getdents64: .*openat: .*close: .*newfstatat: [^;]*; \.\.\.)"
