/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Partners share a processor, for then what else runs there takes the same part from both.  On two
 * processors the difference between these would be measured, too.
 */
#include "record/duet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/platform.h"

static bool report_failure(const char *what, struct diag *diag)
{
	diag_plain(diag, DIAG_NOT_RECORDABLE, "%s: %s", what, strerror(errno));
	return false;
}

static void name_duet(struct duet *d, unsigned number)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)snprintf(d->id, sizeof(d->id), "%lld.%09ld-%ld-%u", (long long)now.tv_sec,
		       now.tv_nsec, (long)getpid(), number);
}

bool duet_split(struct duet *d, unsigned number, struct diag *diag)
{
	*d = (struct duet){ .partner = -1 };
	name_duet(d, number);
	if (pipe2(d->to_partner, O_CLOEXEC) != 0 || pipe2(d->from_partner, O_CLOEXEC) != 0)
		return report_failure("pipe", diag);
	if (!platform_use_one_processor(number, &d->before))
		return report_failure("processors", diag);
	d->partner = fork();
	if (d->partner < 0)
		return report_failure("fork", diag);
	d->is_partner = d->partner == 0;
	/* The one writes when it runs, and the other waits for that. */
	if (d->is_partner) {
		char go;

		(void)close(d->to_partner[1]);
		(void)close(d->from_partner[0]);
		return read(d->to_partner[0], &go, 1) == 1 || report_failure("pipe", diag);
	}
	(void)close(d->to_partner[0]);
	(void)close(d->from_partner[1]);
	return write(d->to_partner[1], "", 1) == 1 || report_failure("pipe", diag);
}

struct duet_end duet_join(struct duet *d, struct duet_end own)
{
	struct duet_end partner = { 2, 0 }; /* if it is killed */
	ssize_t n;

	if (d->is_partner)
		_exit(write(d->from_partner[1], &own, sizeof(own)) == (ssize_t)sizeof(own) ? 0 : 1);
	do
		n = read(d->from_partner[0], &partner, sizeof(partner));
	while (n < 0 && errno == EINTR);
	while (waitpid(d->partner, NULL, 0) < 0 && errno == EINTR)
		;
	(void)close(d->to_partner[1]);
	(void)close(d->from_partner[0]);
	platform_use_processors(&d->before);
	return partner;
}
