# what other tools call their commands
for c in compare diff cmp regress benchstat stat report rnak; do osprof $c a b; done
osprof help diff; echo "status $?"
