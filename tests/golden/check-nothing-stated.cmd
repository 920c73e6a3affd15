# without a total or a count there is little that could disagree
printf 'operation,low_us,high_us,count\nread,0,1,5\n' >few.csv; osprof check -q few.csv
