/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiler attributes, spelled once. */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define MUST_CHECK	       __attribute__((warn_unused_result))
#define NORETURN	       __attribute__((noreturn))
#define NOINLINE	       __attribute__((noinline)) /* keeps registers free in the caller */
#define ALWAYS_INLINE	       inline __attribute__((always_inline))
/* For rarely called functions: moves their code out of the hot path. */
#define RARELY	    __attribute__((noinline, cold))
#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#endif
