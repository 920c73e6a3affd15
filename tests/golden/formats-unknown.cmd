# a name that is none, and one that is near another
osprof formats hgrm bpftrce || echo $?
osprof formats nothing || echo $?
