osprof baseline -q data/runs/randread-1 -o b.osprof
sed "s/^osprof 1/osprof 2/" b.osprof >newer.osprof
sed "s/^run 3 /run 9 /" b.osprof >number.osprof
sed "s/^floor/colour/" b.osprof >unknown.osprof
sed "s/^baseline 5/baseline 1000/" b.osprof >many.osprof
sed "/^baseline/d" b.osprof >headless.osprof
head -c 300 b.osprof >short.osprof
osprof rank -q newer.osprof data/runs/randread-2/1.json 2>&1; echo "status $?"
for f in number unknown many headless short; do
	osprof rank $f.osprof data/runs/randread-2/1.json 2>&1; echo "status $?"
done
