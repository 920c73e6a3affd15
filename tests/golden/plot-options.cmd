# what each option changes in the script
printf 'osprof 1\nunit ns\nop read\n8 4000\n9 3000\n20 5\n' >a
osprof plot -q a -o plain.gp
change() { osprof plot -q a "$@" -o changed.gp --force && diff plain.gp changed.gp | grep '^[<>]' | grep -v changed.png; echo; }
change --title "A title"
change --size 1000x300
change --font Helvetica,14
change --palette grey
change --x-range 100ns:10us
change --y-range 1:1e6
change --axis-unit us
change --terminal svg
change --terminal pdf
change --terminal tikz
change --terminal dumb
