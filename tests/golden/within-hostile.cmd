# names are escaped in groups, too
printf 'osprof 1\nunit ns\nop "a\\x1b[31mred|*\\n"\n9 5000\nop "\\xff\\xfe=1+1"\n9 4000\nop ""\n9 5\nop values\nunit plain\n9 5\n' >a
for f in text json csv markdown; do osprof distance -q --pairwise -f $f a; done | tee all | LC_ALL=C tr -cd '\001-\010\013-\037\177' | wc -c
cat all
