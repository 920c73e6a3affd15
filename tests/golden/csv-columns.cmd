# a table whose columns have names of their own, and one of them misspelt
printf 'when,endpoint,took\n1,GET,3\n' >t.csv; osprof show -q t.csv; osprof show --column operation=endpont,latency=took t.csv; osprof show -q --column operation=endpoint,latency=took t.csv
