printf "osprof 1\nunit us\nop read\n3 100\n" >us.osprof
osprof aa -q us.osprof data/runs/randread-1; echo "status $?"
osprof baseline -q us.osprof data/runs/randread-1 -o b.osprof; echo "status $?"
ls
