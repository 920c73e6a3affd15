# never wrapped
printf 'osprof 1\nop a\n3 18446744073709551615\n' >a; osprof merge -q a a -o -; echo status $?
