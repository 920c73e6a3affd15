/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Renames without replacing anything. */
#ifndef WATCH_RENAME_NEW_H
#define WATCH_RENAME_NEW_H

/* As renameat() within a folder, but fails with EEXIST if there is a file of the new name. */
int rename_new(int folder, const char *name, const char *new_name);

#endif
