# Known, other, unknown; stated by the file, which the option does not replace.
for k in 1 2 3; do
	printf "osprof 1\nmachine A\nkernel Linux 6.1\nunit ns\nop read\ntotal %d\n7 1000\n8 5\n" $((180000 + k)) >a$k.osprof
	sed "s/ A/ B/" a$k.osprof >b$k.osprof
	sed "/machine/d; /kernel/d" a$k.osprof >c$k.osprof
	sed "s/6.1/6.2/" a$k.osprof >d$k.osprof
done
osprof baseline -q a?.osprof -o base.osprof
for new in a1 b1 c1 d1; do
	echo "$new:"; osprof rank base.osprof $new.osprof | grep Careful
done
echo named:; osprof rank --machine A base.osprof c1.osprof | grep Careful
echo unknown:; osprof baseline c?.osprof -o plain.osprof; osprof rank --machine A plain.osprof c1.osprof | grep Careful
echo mixed:; osprof rank a1.osprof b2.osprof -- a2.osprof a3.osprof | grep Careful
echo this:; osprof baseline -q --this-machine c?.osprof -o here.osprof
osprof rank --this-machine here.osprof c1.osprof | grep -c Careful || true
echo stated:; osprof baseline -q --this-machine a?.osprof -o stated.osprof; grep -E "^(machine|kernel)" stated.osprof
for k in 1 2 3; do sed -i "/machine/d" a$k.osprof; done # half of it is said: the other half is not guessed
echo half:; osprof baseline -q --this-machine a?.osprof -o half.osprof; grep -E "^(machine|kernel)" half.osprof
