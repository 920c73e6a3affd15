/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's settings of its scheduler, from files laid out as Linux has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/attr.h"
#include "record/scheduler.h"

struct file {
	const char *path, *text;
};

static void write_below(const char *root, const struct file *f)
{
	char path[500];
	FILE *to;

	(void)snprintf(path, sizeof(path), "%s%s", root, f->path);
	for (char *slash = strchr(path + strlen(root) + 1, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	to = fopen(path, "w");
	assert_non_null(to);
	assert_true(fputs(f->text, to) >= 0 && fclose(to) == 0);
}

static void assert_settings(const struct file *file, size_t n, struct scheduler_settings expected)
{
	char root[] = "/tmp/scheduler.XXXXXX", command[100];
	struct arena *a = arena_new();
	struct scheduler_settings s;

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < n; i++)
		write_below(root, &file[i]);
	s = scheduler_read(a, root, "6.1.0-18-amd64");
	(void)snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
	assert_true(fabs(s.slice - expected.slice) < 1e-12);
	assert_true(fabs(s.latency - expected.latency) < 1e-12);
	assert_true(fabs(s.granularity - expected.granularity) < 1e-12);
	assert_true(fabs(s.tick - expected.tick) < 1e-12);
	arena_free(a);
}

#define DEBUG_FILE                                                                                 \
	"Sched Debug Version: v0.11, 6.18.44 #1\n"                                                 \
	"ktime                                   : 15578689.426541\n\n"                            \
	"sysctl_sched\n"                                                                           \
	"  .sysctl_sched_base_slice                 : 1.400000\n"                                  \
	"  .sysctl_sched_features                   : 99674079\n"

static void a_kernel_with_slices(void **state)
{
	static const struct file open[] = {
		{ "/sys/kernel/debug/sched/base_slice_ns", "2800000\n" },
		{ "/sys/kernel/debug/sched/debug", DEBUG_FILE },
		{ "/boot/config-6.1.0-18-amd64",
		  "# CONFIG_HZ_250 is not set\nCONFIG_HZ_1000=y\nCONFIG_HZ=1000\n" },
		{ "/boot/config-5.0", "CONFIG_HZ=100\n" },
	};
	static const struct file unprivileged[] = {
		{ "/proc/self/sched", "cat (22798, #threads: 1)\n---------\n"
				      "policy                       :             0\n"
				      "se.slice                     :       3000000\n" },
		{ "/sys/kernel/debug/sched/base_slice_ns", "2800000\n" },
	};
	static const struct file locked[] = {
		{ "/sys/kernel/debug/sched/debug", DEBUG_FILE },
		{ "/proc/config.gz", "CONFIG_HZ_250=y\nCONFIG_HZ=250\n" },
	};

	(void)state;
	assert_settings(open, COUNT_OF(open),
			(struct scheduler_settings){ .slice = 2.8e-3, .tick = 1e-3 });
	assert_settings(unprivileged, COUNT_OF(unprivileged),
			(struct scheduler_settings){ .slice = 3e-3 });
	assert_settings(locked, COUNT_OF(locked),
			(struct scheduler_settings){ .slice = 1.4e-3, .tick = 4e-3 });
}

static void kernels_before(void **state)
{
	static const struct file in_debug[] = {
		{ "/sys/kernel/debug/sched/latency_ns", "12000000\n" },
		{ "/sys/kernel/debug/sched/min_granularity_ns", "1500000\n" },
	};
	static const struct file in_proc[] = {
		{ "/proc/sys/kernel/sched_latency_ns", "24000000\n" },
		{ "/proc/sys/kernel/sched_min_granularity_ns", "3000000\n" },
	};

	(void)state;
	assert_settings(in_debug, COUNT_OF(in_debug),
			(struct scheduler_settings){ .latency = 12e-3, .granularity = 1.5e-3 });
	assert_settings(in_proc, COUNT_OF(in_proc),
			(struct scheduler_settings){ .latency = 24e-3, .granularity = 3e-3 });
}

static void nothing_and_nonsense(void **state)
{
	static const struct file odd[] = {
		{ "/sys/kernel/debug/sched/base_slice_ns", "none\n" },
		{ "/proc/config.gz", "CONFIG_HZ=-5\nCONFIG_HZ=inf\nCONFIG_HZ\n" },
	};

	(void)state;
	assert_settings(NULL, 0, (struct scheduler_settings){ .slice = 0 });
	assert_settings(odd, COUNT_OF(odd), (struct scheduler_settings){ .slice = 0 });
}

static void in_words(void **state)
{
	struct scheduler_settings s = { .slice = 1.4e-3, .tick = 4e-3 };
	struct arena *a = arena_new();

	(void)state;
	assert_string_equal(scheduler_words(a, &s).p, "slice 1.40 ms, tick 4 ms");
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_with_slices),
		cmocka_unit_test(kernels_before),
		cmocka_unit_test(nothing_and_nonsense),
		cmocka_unit_test(in_words),
	};

	return cmocka_run_group_tests_name("scheduler", tests, NULL, NULL);
}
