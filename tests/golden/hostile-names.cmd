# escape sequences never get out
printf 'osprof 1\nunit ns\nop "a\\x1b[31mred\\n|<&>\\""\n9 5000\nop "\\xff\\xfe=1+1"\n9 4000\nop ""\n9 10\n' >a; for f in text csv json markdown junit; do osprof rank -q -a -f $f a a; done | tee all | LC_ALL=C tr -cd '\001-\010\013-\037\177' | wc -c; osprof rank -q -a a a; osprof rank -q -a -f csv a a | cut -c1-60; osprof rank -q -a -f markdown a a | tail -5
