# a new file has the rights that any program's has
for mask in 022 027 077; do
	(umask $mask; osprof convert -q data/osprof/elapsed-and-lost.osprof -o $mask.osprof; stat -c "%a %n" $mask.osprof)
done
