# repeated runs in two units cannot be added up, nor compared with an unknown one
mkdir mixed
osprof convert -q --unit ns data/runs/zeroread-1/1.json -o mixed/1.osprof
osprof convert -q --unit us data/runs/zeroread-1/3.json -o mixed/2.osprof
for i in 1 2 3 4 5 6 7 8; do printf 'osprof 1\nop read\n10 100\n' >unknown-$i.osprof; done
printf 'osprof 1\nunit ns\nop read\n10 100\n' >known.osprof
for c in rank distance explain; do osprof $c mixed known.osprof; echo "$c: $?"; done
for c in rank distance explain; do osprof $c unknown-1.osprof known.osprof; echo "$c: $?"; done
for c in show peaks check merge; do osprof $c mixed; echo "$c: $?"; done
osprof history mixed mixed mixed mixed mixed mixed mixed mixed; echo "history: $?"
osprof history unknown-* known.osprof; echo "history: $?"
