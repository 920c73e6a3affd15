/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the files that were built or installed with this program. */
#ifndef RECORD_INSTALL_PATHS_H
#define RECORD_INSTALL_PATHS_H

/* Returns the path of collect/NAME in the build folder, or of NAME in the installed library folder;
 * on the heap. NULL: there is neither. */
char *path_of_library(const char *name);
/* The same for workloads. */
char *path_of_helper(const char *name);
/* The same for scripts of bpftrace. */
char *path_of_script(const char *name);
/* The same for captures of testdata/. */
char *path_of_example(const char *name);

/* The same for osprof-plugin-host, which runs handlers of plug-ins. */
char *path_of_plugin_host(void);

#endif
