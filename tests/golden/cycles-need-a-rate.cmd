# 
printf 'osprof 1\nunit cycles\nop a\n30 5\n' >a; printf 'osprof 1\nunit ns\nop a\n20 5\n' >b; osprof rank a b; echo status $?; osprof rank -q --hz 1e9 a b | head -3
