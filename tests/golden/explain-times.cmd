# one's own characteristic times replace those of the same name; errors say where
printf '# measured here\nNVMe read, 80, 90, us, fio on this machine\nshared\033[31m lock, 80, 100, us, a\033[0m guess\n' >mine
osprof explain -q --times mine --op lseek data/runs/randread-1 data/runs/randread-2
printf '# measured here\nNVMe read, 80, us, fio on this machine\n' >bad
osprof explain -q --times bad --op lseek data/runs/randread-1 data/runs/randread-2
