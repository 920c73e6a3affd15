/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of system calls: as this machine's headers have them, and a few of other machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "base/attr.h"
#include "profile/names.h"
#include "profile/syscalls.h"

enum { NEWEST = 469 }; /* that the table has */

static const struct {
	long number;
	const char *name;
} here[] = {
#define SYSCALL(name) { SYS_##name, #name },
#include "collect/syscalls.inc"
#undef SYSCALL
};

static void assert_named(const struct names *n, long number, const char *name)
{
	char key[32];
	struct str found;

	(void)snprintf(key, sizeof(key), "%ld", number);
	found = names_find(n, str_from(key));
	if (!str_eq(found, str_from(name)))
		fail_msg("%ld is %s, not %.*s", number, name, STR_ARG(found));
}

static void numbers_are_those_of_the_headers(void **state)
{
	struct utsname u;
	struct names *n;

	(void)state;
	assert_int_equal(uname(&u), 0);
	n = syscall_names(str_from(u.machine));
	if (n == NULL)
		skip();
	for (size_t i = 0; i < COUNT_OF(here); i++) {
		if (here[i].number >= 0 && here[i].number <= NEWEST)
			assert_named(n, here[i].number, here[i].name);
	}
	names_free(n);
}

static void architectures_number_their_own_way(void **state)
{
	static const struct {
		const char *architecture;
		long number;
		const char *name;
	} known[] = {
		{ "x86_64", 0, "read" },      { "amd64", 257, "openat" },
		{ "i386", 3, "read" },	      { "i686", 295, "openat" },
		{ "arm", 322, "openat" },     { "armv7l", 4, "write" },
		{ "aarch64", 63, "read" },    { "arm64", 56, "openat" },
		{ "riscv64", 221, "execve" }, { "loongarch64", 93, "exit" },
		{ "ppc64le", 286, "openat" }, { "s390x", 288, "openat" },
		{ "s390x", 435, "clone3" },   { "aarch64", 435, "clone3" },
		{ "riscv64", 462, "mseal" },  { "x86_64", 999, "999" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		struct names *n = syscall_names(str_from(known[i].architecture));

		assert_non_null(n);
		assert_named(n, known[i].number, known[i].name);
		names_free(n);
	}
	assert_null(syscall_names(STR("pdp11")));
	assert_null(syscall_names(STR("")));
	for (size_t i = 0; syscall_architectures[i] != NULL; i++)
		assert_true(syscall_architecture_is_known(str_from(syscall_architectures[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_those_of_the_headers),
		cmocka_unit_test(architectures_number_their_own_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
