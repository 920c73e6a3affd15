# Table 4 of DeBox, and the trend of its figure 5: 0.3 ms to 128 ms over 1,400 calls.
{
	echo '# osprof calls 1'
	sed -n 6p data/calls/good.csv
	awk 'BEGIN {
		n = split("open biord 162,read biord 3,unlink biord 1,readlink inode 84,open inode 28," \
			"read inode 9,stat inode 6,close getblk 1,sendfile sfpbsy 1", cell, ",")
		for (i = 1; i <= n; i++) {
			split(cell[i], c, " ")
			for (k = 0; k < c[3]; k++)
				printf "%d,1,1,%s,%d,,5000,1000,0,0,1,0,4000,%s,\n", t += 10000, c[1], ++number[c[1]], c[2]
		}
		for (k = 0; k < 1400; k++)
			printf "%d,1,1,fork,%d,cgi.c:3 spawn,%d,%d,0,0,0,0,0,,\n", t += 10000, k + 1, \
				300000 + k * 91214, 300000 + k * 91214
	}'
} >debox.csv
osprof calls --section blocking,trends debox.csv
osprof calls --section blocking --format csv debox.csv
