# FSprof, table 1: 12.7 s of operations for 11.0 s, as lookup calls read_inode; read calls readpage, too
osprof show -q data/papers/fsprof-table1.osprof | head -1
osprof show -q --nest 'lookup>read_inode' data/papers/fsprof-table1.osprof | head -1
osprof show -q --nest 'lookup>read_inode' --nest 'read>readpage' data/papers/fsprof-table1.osprof | head -6
# a chain: read 1000, of it fs_read 700, of it R 400; what leads there by the chain is not taken off twice
cat >chain.osprof <<EOF
osprof 1
unit ns
nest syscall > fs
nest "fs" > block
nest syscall > block
layer syscall
op read
count 10
total 1000
layer fs
op fs_read
count 10
total 700
layer block
op R
count 4
total 400
EOF
osprof show -q -f csv chain.osprof | cut -d, -f2,5,8,16-18
osprof convert -q chain.osprof | grep nest
# 300 ns below two calls that are as long: in proportion to their time, 600 to 300
cat >shared.osprof <<EOF
osprof 1
unit ns
nest syscall > block
layer syscall
op read
total 600
6 6
op write
total 300
6 3
op close
total 30
1 10
layer block
op X
total 300
6 3
EOF
osprof show -q -f csv shared.osprof | cut -d, -f2,5,8,16-18
# several lower operations that are together as many as one upper one's slow calls
cat >several.osprof <<EOF
osprof 1
unit ns
nest syscall > block
layer syscall
op read
7 500
14 100
op write
7 1000
14 300
layer block
op R
13 60
op RA
13 40
EOF
osprof layers -q -f csv several.osprof | cut -d, -f2,4,10,13,15
# more below than above, a layer as it is, an operation by a statement
printf 'osprof 1\nunit ns\nlayer u\nop a\ncount 1\ntotal 5\nlayer l\nop b\ncount 1\ntotal 6\n' >more.osprof
osprof show --nest 'u > l' more.osprof | head -1
osprof layers --nest 'a > b' more.osprof; echo $?
# both ways: both are counted; a circle; self time beyond the total
osprof show --nest 'block>syscall' shared.osprof | head -1
printf 'osprof 1\nunit ns\nnest a > b\nnest b > a\nop a\ntotal 5\ncount 1\nop b\ntotal 4\ncount 1\n' >circle.osprof
osprof show circle.osprof | head -1
osprof layers circle.osprof; echo $?
printf 'osprof 1\nunit ns\nop a\ncount 1\ntotal 5\nself 6\n' >beyond.osprof
osprof show beyond.osprof | head -1
# what is no statement
for bad in 'a' 'a >' '> b' 'a > b > c' '"a > b'; do
	printf 'osprof 1\nnest %s\nop a\n7 1\n' "$bad" >bad.osprof
	osprof show bad.osprof; echo $?
done
printf 'osprof 1\nnested 1 2 3\nop a\n7 1\n' >bad.osprof
osprof show bad.osprof; echo $?
# one says it, the other does not: it holds for both; self times are kept where all have them
printf 'osprof 1\nunit ns\nnest u > l\nnested 2 3 30\nop u\ncount 2\ntotal 50\nself 20\nop l\ncount 3\ntotal 30\nself 30\n' >exact.osprof
printf 'osprof 1\nunit ns\nop u\ncount 1\ntotal 7\n' >plain.osprof
osprof merge -q exact.osprof plain.osprof -o sum.osprof && sed '1,2d' sum.osprof
osprof merge -q plain.osprof exact.osprof -o other.osprof && cmp sum.osprof other.osprof
osprof show -q -f csv exact.osprof sum.osprof | cut -d, -f1,2,5,16-18
