#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The system calls of this machine, SYSCALL(name) a line, from the C library's headers.
#
#	syscalls.sh CC... >syscalls.inc
set -eu
names=$(echo '#include <sys/syscall.h>' | "$@" -E -dM - |
	sed -n 's/^#define SYS_\([a-z0-9_]*\) .*/SYSCALL(\1)/p' | LC_ALL=C sort)
[ -n "$names" ]
echo "$names"
