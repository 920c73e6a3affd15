/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of Linux' system calls by their numbers, which depend on the architecture. */
#ifndef PROFILE_SYSCALLS_H
#define PROFILE_SYSCALLS_H

#include "base/str.h"

struct names;

/* The architectures that are known, as `uname -m` calls them; NULL-terminated. */
extern const char *const syscall_architectures[];

/* Those of one of these, or of what others call it (amd64, arm64, i686 ...); NULL where there
 * is none.  names_free() frees them. */
struct names *syscall_names(struct str architecture);
/* Whether there would be some. */
bool syscall_architecture_is_known(struct str architecture);

#endif
