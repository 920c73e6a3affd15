osprof explain --elapsed 1,0 a b
osprof explain --elapsed 1,2,3 a b
osprof explain -f csv a b
osprof explain
