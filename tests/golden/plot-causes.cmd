# Causes as an icicle: names that gnuplot, LaTeX or a shell would act upon are drawn, not obeyed.
printf '%s\n' start_ns,end_ns,tid,name >calls.csv
for i in 1 2 3 4 5 6 7 8; do
	at=$((i * 10000))
	slow=$((i > 6 ? 4000 : 0))
	printf '%s\n' "$at,$((at + 1000 + slow)),1,f" "$((at + 100)),$((at + 900 + slow)),1,\"\`touch pwned\` {\\\\alpha} a_b^c\"" \
		"$((at + 200)),$((at + 300)),1,\$(touch pwned) %s" "$((at + 400)),$((at + 800 + slow)),1,it's \\\\write18{touch pwned}"
done >>calls.csv
for f in x.png x.svg x.pdf x.eps x.tikz x.txt; do
	osprof plot causes calls.csv --function f --range 2us: -o "$f" --force || echo "$f failed"
done
ls
osprof plot causes calls.csv --function f --range 2us: -o x.svg --force && grep -oE '>[^<]*(touch|alpha|write)[^<]*<' x.svg
grep -A6 -i '^\$.*icicle' x.gp; grep '^set label' x.gp
osprof plot causes calls.csv --function f --range 2us: --depth 1 --terminal dumb --size 60x12
osprof plot causes calls.csv; echo status $?
osprof plot causes calls.csv calls.csv calls.csv --function f; echo status $?
osprof plot --all causes calls.csv -o all --function f; echo status $?
osprof plot causes calls.csv --function f --y-range 1:2; echo status $?
osprof plot causes calls.csv --function f --x-range 2us:1us; echo status $?
osprof causes calls.csv --function f --range 2us: -o f.tree -q >printed && osprof plot causes f.tree --range 2us: -o kept.svg && cmp kept.svg x.svg && echo same
