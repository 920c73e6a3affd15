/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that name an architecture:
 *
 * 	# arch : x86_64                                     perf script --header
 * 	Linux mail 6.1.0-13-amd64 #1 SMP ... x86_64 GNU/Linux   uname -a
 * 	Architecture:            aarch64                    lscpu
 *
 * and kernel functions named after one, __x64_sys_read.
 */
#include "formats/architecture.h"

#include "base/attr.h"
#include "base/scan.h"
#include "formats/text.h"
#include "profile/syscalls.h"

enum { HEAD_BYTES = 64 * 1024 };

/* Returns the last word of the line that is a known architecture, followed by a blank or the
 * end. */
static struct str last_known(struct str line)
{
	struct str found = STR(""), word = STR("");

	for (size_t i = 0; i <= line.n; i++) {
		char c = i < line.n ? line.p[i] : ' ';

		if (is_letter(c) || is_digit(c) || c == '_') {
			word = word.n > 0 ? (struct str){ word.p, word.n + 1 }
					  : (struct str){ line.p + i, 1 };
			continue;
		}
		if (is_gap(c) && syscall_architecture_is_known(word))
			found = word;
		word.n = 0;
	}
	return found;
}

static struct str stated_by_line(struct str line)
{
	static const struct str uname = STR_INIT("Linux "), lscpu = STR_INIT("Architecture:");
	struct str key, value;

	while (line.n > 0 && (line.p[0] == '#' || is_gap(line.p[0])))
		line = str_skip(line, 1);
	if (str_has_prefix(line, uname) || str_has_prefix(line, lscpu))
		return last_known(line);
	if (str_cut(line, ':', &key, &value) && str_eq(str_trim(key), STR("arch")))
		return last_known(str_trim(value));
	return STR("");
}

static struct str stated_by_functions(struct str text)
{
	static const struct {
		struct str prefix;
		const char *architecture;
	} prefixes[] = {
		{ STR_INIT("__x64_sys_"), "x86_64" },
		{ STR_INIT("__arm64_sys_"), "aarch64" },
		{ STR_INIT("__riscv_sys_"), "riscv64" },
		{ STR_INIT("__s390x_sys_"), "s390x" },
	};

	for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
		if (str_contains(text, prefixes[i].prefix))
			return str_from(prefixes[i].architecture);
	}
	return STR("");
}

struct str architecture_stated(struct str text)
{
	struct str head = { text.p, text.n < HEAD_BYTES ? text.n : HEAD_BYTES };
	struct str line, rest = head, found;

	while (text_line(&rest, &line)) {
		found = stated_by_line(line);
		if (found.n > 0)
			return found;
	}
	return stated_by_functions(head);
}
