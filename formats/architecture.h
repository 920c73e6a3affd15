/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The architecture that a capture names: by it system calls are numbered. */
#ifndef FORMATS_ARCHITECTURE_H
#define FORMATS_ARCHITECTURE_H

#include "base/str.h"

/* As it stands in the text, or "x86_64" and so on by the names of the kernel's functions; of no
 * bytes where nothing says so. */
struct str architecture_stated(struct str text);

#endif
