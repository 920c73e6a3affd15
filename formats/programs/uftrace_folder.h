/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a data folder of uftrace as one input; formats/programs/uftrace_data.c reads it. */
#ifndef FORMATS_PROGRAMS_UFTRACE_FOLDER_H
#define FORMATS_PROGRAMS_UFTRACE_FOLDER_H

#include "base/attr.h"
#include "base/input/input.h"

struct diag;

/* Whether the folder has a file `info` that begins like uftrace's. */
bool uftrace_is_folder(const char *path);
/* Opens the text of its file `info`; the reader finds the other files by input.folder. */
MUST_CHECK bool uftrace_folder_open(struct input *ret, const char *path, struct diag *diag);

#endif
