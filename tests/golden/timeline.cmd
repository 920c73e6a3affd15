# a bundled capture: what comes every 5 s, which operation got slower when
osprof timeline -q --unit ns data/runs/flusher-1s-5.json
osprof timeline -q --unit ns --op 'p*' data/runs/flusher-1s-1000.json | head -12
# without times; gaps; intervals of different length; nothing sampled
osprof timeline -q data/osprof/untimed.osprof
printf 'osprof 1\nunit ns\nop "a|b\\x1b"\ninterval 0 5\n8 3\ninterval 10 15\n8 1\ninterval 20 21\n8 1\nop write\ninterval 0 5\n9 2\n' >gaps
osprof timeline -q gaps
osprof timeline -q -f json gaps
osprof timeline -q -f csv gaps
osprof timeline -q --unit ns data/runs/by-number.json
osprof timeline gaps gaps; echo "status $?"
# very many intervals
{ printf 'osprof 1\nunit ns\nop read\n'; for i in $(seq 0 9999); do printf 'interval %d %d\n8 %d\n' "$i" "$((i + 1))" "$((i % 7 + 1))"; done; } >many
osprof timeline -q many | sed -n '1,8p;$p'
osprof timeline -q --all many | wc -l
