/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What addresses are called in a data folder of uftrace: task.txt, sid-*.map, *.sym. */
#ifndef FORMATS_PROGRAMS_UFTRACE_SYMBOLS_H
#define FORMATS_PROGRAMS_UFTRACE_SYMBOLS_H

#include <stdint.h>

#include "base/str.h"

struct arena;
struct uftrace_symbols;

/* The symbols that a folder of uftrace record holds; uftrace_symbols_free() frees them. */
struct uftrace_symbols *uftrace_symbols_read(const char *folder);
/* NULL is allowed. */
void uftrace_symbols_free(struct uftrace_symbols *s);

/* Sessions of a thread: what it executes from a time on. */
size_t uftrace_session(const struct uftrace_symbols *s, uint64_t tid, uint64_t ns,
		       uint64_t *ret_until);
/* The function that holds an address, of C++ as cxx_name() gives it; "<55f1ca2c4040>" where none
 * does, counted.  *ret_symbol is the symbol itself. */
struct str uftrace_symbol(struct uftrace_symbols *s, size_t session, uint64_t address,
			  struct str *ret_symbol);
uint64_t uftrace_unnamed(const struct uftrace_symbols *s);
/* The file that says where a program lay, of which there is nothing: "sid-5f93ac4bbd909bf3.map", or
 * "task.txt"; empty when all are there. */
struct str uftrace_lost_map(const struct uftrace_symbols *s);

#endif
