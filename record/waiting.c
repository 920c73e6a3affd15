/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for a command, and forwards signals to it. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/diag.h"
#include "record/waiting.h"

static sigset_t awaited_signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGQUIT);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	return set;
}

void signals_hold(struct held_signals *h)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t set = awaited_signals();

	(void)sigprocmask(SIG_BLOCK, &set, &h->before);
	(void)sigaction(SIGCHLD, &usual, &h->child_before);
}

void signals_release(const struct held_signals *h)
{
	(void)sigaction(SIGCHLD, &h->child_before, NULL);
	(void)sigprocmask(SIG_SETMASK, &h->before, NULL);
}

static struct timespec time_until(double when)
{
	double left = fmax(when - clock_monotonic(), 0);

	return (struct timespec){ .tv_sec = (time_t)left,
				  .tv_nsec = (long)(1e9 * (left - floor(left))) };
}

/* Forwards a signal, unless it comes from a key: the terminal sends that to the command, too. */
static void pass_signal(pid_t child, const siginfo_t *info)
{
	if (info->si_signo != SIGCHLD &&
	    (info->si_code == SI_USER || info->si_signo == SIGTERM || info->si_signo == SIGHUP))
		(void)kill(child, info->si_signo);
}

int wait_for_command(pid_t child, double seconds, void (*tick)(void *ctx), void *ctx)
{
	double next = clock_monotonic() + seconds;
	sigset_t set = awaited_signals();
	int status = 0;

	while (waitpid(child, &status, WNOHANG) == 0) {
		struct timespec timeout = time_until(next);
		siginfo_t info;

		if (sigtimedwait(&set, &info, seconds > 0 ? &timeout : NULL) >= 0) {
			pass_signal(child, &info);
		} else if (errno == EAGAIN) {
			tick(ctx);
			next += seconds * ceil(fmax((clock_monotonic() - next) / seconds, 1));
		}
	}
	return status;
}

int status_of(int status, const char *name, struct diag *diag)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	diag_plain(diag, DIAG_COMMAND_ENDED, "%s: %s; what it did until then is recorded", name,
		   strsignal(WTERMSIG(status)));
	return 128 + WTERMSIG(status);
}
