run=data/runs/preempt/two.osprof
try() { osprof preempt "$@"; echo "status $?"; }
try
try "$run" "$run"
try --quantum 0 "$run"
try --quantum -4ms "$run"
try --quantum 4parsecs "$run"
try --quantum inf "$run"
try --quantum 4ms --yield 1.5 "$run"
try --quantum 4ms --yield x "$run"
try --quantum 4ms --tperiod 0 "$run"
try --tcpu 3 --quantum 4ms "$run"
try missing
# cycles without a rate, no unit, nothing that looks like a quantum
printf 'osprof 1\nunit cycles\nop read\n8 100000\n22 3\n' >cycles
try --quantum 4ms cycles
try cycles
printf 'osprof 1\nop read\n8 100000\n22 3\n' >unknown
try -q --quantum 4ms unknown
try -q --quantum 100 --tperiod 4ms unknown
try --quantum 4ms --op none "$run"
try -f html --quantum 4ms "$run"
# equation 3
try --equation
try --equation --tcpu 1024 --tperiod 2048 --yield 0.01 --quantum kernel
try --equation --tcpu 4096 --tperiod 2048 --yield 0.01 --quantum 67108864
try --equation --tcpu 1024 --tperiod 2048 --yield 0.01 --quantum 4ms
try --equation --tcpu 1024 --tperiod 2048 --yield 2 --quantum 4
try --equation --tcpu 1024 --tperiod 2048 --yield 0.5 --quantum 4 "$run"
