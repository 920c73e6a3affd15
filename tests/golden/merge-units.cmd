# units that differ are refused
printf 'osprof 1\nunit ns\nop a\n3 1\n' >a; printf 'osprof 1\nunit us\nop a\n3 1\n' >b; osprof merge a b -o c; echo status $?; ls
