# an existing file stays as it is
echo precious >out.osprof; osprof convert -q data/runs/randread-1/1.json -o out.osprof; echo status $?; cat out.osprof; osprof convert -q --force data/runs/clone-1/2.txt -o out.osprof && head -3 out.osprof
