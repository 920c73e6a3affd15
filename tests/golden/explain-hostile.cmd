# names are escaped in every sentence
printf 'osprof 1\nunit ns\nop "a\\x1b[31mred\\n"\n9 5000\n17 900\nop "\\xff\\xfe=1+1"\n9 4000\n17 900\nop ""\n9 5900\n' >a
printf 'osprof 1\nunit ns\nop "a\\x1b[31mred\\n"\n9 5000\nop "\\xff\\xfe=1+1"\n9 4000\n' >b
for f in text json; do osprof explain -q --op '*' -f $f b a; osprof explain -q --op '*' -f $f a b; done | tee all | LC_ALL=C tr -cd '\001-\010\013-\037\177' | wc -c
osprof explain -q --op '*' b a
