# two and four processes on one processor, each bucket an octave, then an eighth of one
osprof preempt --quantum 4ms data/runs/preempt/two.osprof
osprof preempt --op read --quantum 10400000 data/runs/preempt/four-fine.osprof
# what is slow waits for something, too; repeated runs; calls that yield
osprof preempt -q --quantum 4ms --elapsed 1.06 data/runs/zeroread-2
osprof preempt -q --quantum 4ms --op 'read*' data/runs/grep-cold
osprof preempt -q --quantum 4ms --yield 0.001 --tperiod 50us --op read data/runs/grep-cold | sed -n 3,6p
# from the run itself
osprof preempt --op read data/runs/preempt/two.osprof | sed -n 3p
# other output formats
osprof preempt -f json --op read --quantum 4ms data/runs/preempt/two.osprof
osprof preempt -f csv --quantum 4ms data/runs/preempt/two.osprof
osprof preempt -f markdown --op read --quantum 4ms data/runs/preempt/two.osprof
printf 'osprof 1\nunit ns\nop "a|b\\x1b"\n8 100000\n14 40\n22 3\nop summary\ncount 2\ntotal 9\n' >odd
osprof preempt --quantum 4ms odd
osprof preempt --elapsed 8 --quantum 4ms -f markdown odd
# without a unit, as the run counts
printf 'osprof 1\nop read\n8 100000\n22 3\n' | osprof preempt -q --quantum 4000000 -
# equation 3 alone
osprof preempt --equation --tcpu 1024 --tperiod 2048 --yield 0.01 --quantum 67108864
osprof preempt --equation --tcpu 1024 --tperiod 2048 --yield 0.01 --quantum 67108864 -f json
osprof preempt --equation --tcpu 1us --tperiod 3400 --yield 0 --quantum 58ms --hz 1.7e9
osprof preempt --equation --tcpu 1 --tperiod 2 --yield 1 --quantum 1 -f json
