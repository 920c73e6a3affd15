/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the files are that go with this program: built or installed with it. */
#ifndef RECORD_INSTALL_PATHS_H
#define RECORD_INSTALL_PATHS_H

/* The path of collect/NAME of a build folder, or of NAME in an installation's folder of
 * libraries; on the heap. NULL when neither is there. */
char *path_of_library(const char *name);
/* The same of workloads and scripts. */
char *path_of_helper(const char *name);

/* The program that handlers of plug-ins run in; the same. */
char *place_of_plugin_host(void);

#endif
