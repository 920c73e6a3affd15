# nothing is left when reading fails
head -c 900 data/runs/randread-2/2.txt >cut.txt; osprof convert cut.txt -o out.osprof; echo status $?; ls
