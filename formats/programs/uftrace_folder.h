/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data folder of uftrace as one input: formats/programs/uftrace_data.c reads it. */
#ifndef FORMATS_PROGRAMS_UFTRACE_FOLDER_H
#define FORMATS_PROGRAMS_UFTRACE_FOLDER_H

#include "base/attr.h"
#include "base/input.h"

struct diag;

/* It has a file `info` that begins as uftrace's do. */
bool uftrace_is_folder(const char *path);
/* The text of its file `info`; what lies beside it is read from input.folder. */
MUST_CHECK bool uftrace_folder_open(struct input *ret, const char *path, struct diag *diag);

#endif
