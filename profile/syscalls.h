/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of Linux system calls by number and architecture. */
#ifndef PROFILE_SYSCALLS_H
#define PROFILE_SYSCALLS_H

#include "base/str.h"

struct names;

/* The known architectures, as printed by `uname -m`; NULL-terminated. */
extern const char *const syscall_architectures[];

/* Returns the names for one of these or a usual synonym (amd64, arm64, i686 ...); NULL if it is
 * not known.  names_free() frees them. */
struct names *syscall_names(struct str architecture);
/* Whether it is a name of a system call of any architecture. */
bool syscall_is_name(struct str name);
/* Whether syscall_names() knows the architecture. */
bool syscall_architecture_is_known(struct str architecture);

#endif
