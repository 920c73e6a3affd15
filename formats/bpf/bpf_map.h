/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BPF maps as raw bytes, whose keys end with a bucket number and whose values are counts.
 * For formats/bpf/bpftool.c and formats/bpf/bpftool_json.c.
 *
 * Two conventions are known, distinguished by the size of the key:
 *
 *	8 bytes or more	bpftrace's hist(): the script's key, then 64 bits:
 *			0 is below zero, 1 is zero, i >= 2 is [2^(i-2), 2^(i-1))
 *	4 bytes		BPF_HISTOGRAM of bcc: 0 and 1 are [0, 2), i is [2^(i-1), 2^i)
 *
 * Numbers are little-endian, as on every machine that bpftrace is packaged for, except
 * s390x.
 */
#ifndef FORMATS_BPF_BPF_MAP_H
#define FORMATS_BPF_BPF_MAP_H

#include "base/attr.h"
#include "base/str.h"

struct arena;
struct builder;
struct diag;
struct input;

struct bpf_map;

/* Returns an empty map; its strings are allocated in the arena. */
struct bpf_map *bpf_map_new(struct input *in, struct arena *arena, struct diag *diag);
void bpf_map_free(struct bpf_map *m); /* NULL is fine */

/* Some bytes of a key or a value. */
struct bpf_bytes {
	unsigned char *p;
	size_t n, cap;
};

/* Appends the byte given by two hexadecimal digits; false when they are not. */
MUST_CHECK bool bpf_bytes_add(struct bpf_bytes *b, struct str digits);
void bpf_bytes_release(struct bpf_bytes *b);

/* Adds an element; its value is one count of 8 bytes, or one for each processor.  False when an
 * error was reported. */
MUST_CHECK bool bpf_map_add(struct bpf_map *m, const struct bpf_bytes *key,
			    const struct bpf_bytes *values, struct str where);
MUST_CHECK bool bpf_map_push(struct bpf_map *m, struct builder *to);

#endif
