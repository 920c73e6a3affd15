/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of addresses in a data folder of uftrace, from task.txt, sid-*.map and *.sym. */
#ifndef FORMATS_PROGRAMS_UFTRACE_SYMBOLS_H
#define FORMATS_PROGRAMS_UFTRACE_SYMBOLS_H

#include <stdint.h>

#include "base/str.h"

struct arena;
struct uftrace_symbols;

/* Reads the symbols of a folder; uftrace_symbols_free() frees them. */
struct uftrace_symbols *uftrace_symbols_read(const char *folder);
/* NULL is allowed. */
void uftrace_symbols_free(struct uftrace_symbols *s);

/* Returns the session of a thread at a time, the program that it executes; *ret_until is when the
 * next one begins. */
size_t uftrace_session(const struct uftrace_symbols *s, uint64_t tid, uint64_t ns,
		       uint64_t *ret_until);
/* Returns the function at an address, demangled by cxx_name(); *ret_symbol is the symbol itself.
 * Without a symbol, returns "<55f1ca2c4040>" and counts it. */
struct str uftrace_symbol(struct uftrace_symbols *s, size_t session, uint64_t address,
			  struct str *ret_symbol);
uint64_t uftrace_unnamed(const struct uftrace_symbols *s);
/* Returns a missing file that is needed to find names: "sid-5f93ac4bbd909bf3.map" or "task.txt";
 * empty when none is missing. */
struct str uftrace_lost_map(const struct uftrace_symbols *s);

#endif
