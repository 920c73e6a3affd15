# names that gnuplot, LaTeX or a shell would act upon are drawn, not obeyed
printf '%s\n' 'osprof 1' 'unit ns' 'op "`touch pwned`"' '9 5000' 'op "$(touch pwned) @x {\\alpha} a_b^c"' '9 5000' \
	'op "it'"''"'s \x0a plot x; \x00 !touch pwned \xff"' '9 4000' 'op "100% %s \\write18{touch pwned}"' '9 4000' 'op ""' '9 4000' >a
sed 's/^9/12/' a >b
for f in x.png x.svg x.pdf x.eps x.tikz x.txt; do
	for k in histogram ranking mix distances; do
		osprof plot -q $k a b --min-share 0 -o "$f" --force --title '`touch pwned` a_{b} %d' || echo "$k $f failed"
	done
done
ls
osprof plot -q ranking a b --min-share 0 -o x.svg --force && grep -oE '>[^<]*(touch|alpha|write)[^<]*<' x.svg
osprof plot -q ranking a b --min-share 0 -o x.tikz --force && sed -n 's,.*node.*) {,,; /touch\|alpha\|write/p' x.tikz
osprof plot -q histogram a b --title "o'clock" -o "it's \$(touch pwned).svg" && ls
