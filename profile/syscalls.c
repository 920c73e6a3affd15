/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/syscalls.h"

#include <stdio.h>

#include "base/attr.h"
#include "profile/names.h"

enum { X86_64, I386, ARM, GENERIC, PPC64, S390X, N_NUMBERINGS };

static const struct {
	const char *name;
	int number[N_NUMBERINGS];
} syscalls[] = {
#define SYSCALL(name, x86_64, i386, arm, generic, ppc64, s390x)                                    \
	{ #name, { x86_64, i386, arm, generic, ppc64, s390x } },
#include "profile/syscalls.def"
#undef SYSCALL
};

const char *const syscall_architectures[] = { "x86_64",	     "i386",  "arm",   "aarch64", "riscv64",
					      "loongarch64", "ppc64", "s390x", NULL };

static const struct {
	const char *name;
	int numbering;
} known[] = {
	{ "x86_64", X86_64 },	{ "amd64", X86_64 },	{ "x86-64", X86_64 },
	{ "i386", I386 },	{ "i486", I386 },	{ "i586", I386 },
	{ "i686", I386 },	{ "x86", I386 },	{ "ia32", I386 },
	{ "arm", ARM },		{ "armhf", ARM },	{ "armel", ARM },
	{ "armv5tel", ARM },	{ "armv6l", ARM },	{ "armv7l", ARM },
	{ "armv8l", ARM },	{ "aarch64", GENERIC }, { "arm64", GENERIC },
	{ "riscv64", GENERIC }, { "riscv", GENERIC },	{ "loongarch64", GENERIC },
	{ "ppc64", PPC64 },	{ "ppc64le", PPC64 },	{ "ppc64el", PPC64 },
	{ "powerpc64", PPC64 }, { "s390x", S390X },
};

/* -1: none */
static int numbering_of(struct str architecture)
{
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		if (str_eq(architecture, str_from(known[i].name)))
			return known[i].numbering;
	}
	return -1;
}

bool syscall_is_name(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(syscalls); i++) {
		if (str_eq(name, str_from(syscalls[i].name)))
			return true;
	}
	return false;
}

bool syscall_architecture_is_known(struct str architecture)
{
	return numbering_of(architecture) >= 0;
}

struct names *syscall_names(struct str architecture)
{
	int numbering = numbering_of(architecture);
	struct names *n;

	if (numbering < 0)
		return NULL;
	n = names_new();
	for (size_t i = 0; i < COUNT_OF(syscalls); i++) {
		int number = syscalls[i].number[numbering];
		char key[16];

		if (number < 0)
			continue;
		(void)snprintf(key, sizeof(key), "%d", number);
		names_add(n, str_from(key), str_from(syscalls[i].name));
	}
	return n;
}
