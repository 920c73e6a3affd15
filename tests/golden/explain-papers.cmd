# FSprof 5.1.1: lookup is called once less than read_inode; OSprof 6.2: readdir's peaks 3 and 4 are readpage
osprof explain -q --op lookup data/papers/fsprof-table1.osprof data/papers/fsprof-table1.osprof
printf 'osprof 1\nunit cycles\nop readdir\n6 900\n7 700\n9 40\n10 500\n11 300\n12 60\n13 20\n14 8\n16 300\n17 30\n18 90\n19 120\n20 200\n21 160\n22 60\n23 10\nop readpage\n11 500\n12 400\n13 70\n' >grep
osprof explain -q --op readdir grep grep
osprof explain -q --hz 1.7e9 --op readdir grep grep | grep -A 3 'peak 3'
