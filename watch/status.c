/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/status.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/input/input.h"
#include "base/json.h"
#include "base/out.h"
#include "report/jout.h"

static const char schema[] = "osprof.watch-status/1";

enum { MAX_BYTES = 4096 };

void watch_status_print(struct out *o, const struct watch_status *s)
{
	struct jout j = jout_on(o);

	jout_flat_object(&j, NULL);
	jout_text(&j, "schema", schema);
	jout_generator(&j);
	jout_bool(&j, "watching", s->watching);
	jout_f64(&j, "time", s->time);
	jout_f64(&j, "every", s->every);
	jout_f64(&j, "end", s->end);
	jout_u64(&j, "intervals", s->intervals);
	jout_u64(&j, "incomplete", s->incomplete);
	jout_u64(&j, "unkept", s->unkept);
	jout_u64(&j, "alarms", s->alarms);
	jout_u64(&j, "active", s->active);
	jout_u64(&j, "lost", s->lost);
	jout_u64(&j, "refused", s->refused);
	jout_u64(&j, "gaps", s->gaps);
	jout_u64(&j, "dropped", s->dropped);
	jout_u64(&j, "late", s->late);
	jout_u64(&j, "sources", s->sources);
	jout_u64(&j, "waiting", s->waiting);
	jout_u64(&j, "failed", s->failed);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- reading ----------------------------------------------------------------------------- */

/* Whether the file belongs to this user, to root, or to the owner of the folder. */
static bool may_be_believed(int folder, int fd)
{
	struct stat file, where;

	return fstat(fd, &file) == 0 && fstat(folder, &where) == 0 && S_ISREG(file.st_mode) &&
	       file.st_size <= MAX_BYTES && (file.st_mode & S_IWOTH) == 0 &&
	       (file.st_uid == geteuid() || file.st_uid == 0 || file.st_uid == where.st_uid);
}

/* Whether t has a year of four digits, as times are printed. */
static bool is_time(double t)
{
	return t >= 0 && t < 253402300800.;
}

static bool read_json(struct json *j, struct watch_status *s)
{
	struct str name = STR("");
	bool has_time = false, has_every = false;
	const struct json_member members[] = {
		JSON_STRING("schema", &name),
		JSON_FLAG("watching", &s->watching),
		JSON_F64("time", &s->time, &has_time),
		JSON_F64("every", &s->every, &has_every),
		JSON_F64_OR_NULL("end", &s->end),
		JSON_U64("intervals", &s->intervals),
		JSON_U64("incomplete", &s->incomplete),
		JSON_U64("unkept", &s->unkept),
		JSON_U64("alarms", &s->alarms),
		JSON_U64("active", &s->active),
		JSON_U64("lost", &s->lost),
		JSON_U64("refused", &s->refused),
		JSON_U64("gaps", &s->gaps),
		JSON_U64("dropped", &s->dropped),
		JSON_U64("late", &s->late),
		JSON_U64("sources", &s->sources),
		JSON_U64("waiting", &s->waiting),
		JSON_U64("failed", &s->failed),
	};

	return json_members(j, members, COUNT_OF(members)) && json_end(j) &&
	       str_eq(name, str_from(schema)) && has_time && has_every && is_time(s->time) &&
	       s->every > 0 && is_time(s->every) && (isnan(s->end) || is_time(s->end));
}

static bool read_text(const char *text, size_t n, struct watch_status *ret)
{
	struct watch_status s = { .end = NAN };
	struct arena *a = arena_new();
	struct diag silent = { .emit = NULL };
	struct input in;
	struct json j;
	bool ok;

	input_borrow(&in, WATCH_STATUS_NAME, text, n);
	json_start(&j, cursor_on(&in), a, &silent);
	ok = read_json(&j, &s);
	input_release(&in);
	arena_free(a);
	if (ok)
		*ret = s;
	return ok;
}

bool watch_status_read(const char *folder, struct watch_status *ret)
{
	int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = at < 0 ? -1
			: openat(at, WATCH_STATUS_NAME,
				 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char text[MAX_BYTES];
	ssize_t n = fd >= 0 && may_be_believed(at, fd) ? read(fd, text, sizeof(text)) : -1;

	if (fd >= 0)
		(void)close(fd);
	if (at >= 0)
		(void)close(at);
	return n > 0 && read_text(text, (size_t)n, ret);
}

/* --- words ------------------------------------------------------------------------------- */

/* "12 s", "3 min", "5 h", "2 days". */
static void say_age(struct out *o, double seconds)
{
	static const struct {
		double length, up_to;
		const char *unit;
	} step[] = { { 1, 120, "s" },
		     { 60, 7200, "min" },
		     { 3600, 172800, "h" },
		     { 86400, HUGE_VAL, "days" } };
	size_t i = 0;

	while (seconds >= step[i].up_to)
		i++;
	out_printf(o, "%.0f %s", floor(seconds / step[i].length), step[i].unit);
}

static void say_moment(struct out *o, double time)
{
	time_t seconds = (time_t)time;
	char text[32];
	struct tm tm;

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm);
	out_printf(o, "%s UTC", text);
}

static void say_time(struct out *o, const struct watch_status *s, double now)
{
	static const double too_late = 3; /* intervals without a status */

	if (!s->watching) {
		out_text(o, "ended ");
		say_moment(o, s->time);
	} else if (now - s->time > too_late * s->every) {
		out_text(o, "stale: ");
		say_age(o, now - s->time);
		out_text(o, " ago");
	} else if (isnan(s->end)) {
		out_text(o, "no interval yet");
	} else {
		say_age(o, fmax(now - s->end, 0));
		out_text(o, " ago");
	}
}

/* "1 line not read" */
static void say_count(struct out *o, const char *between, uint64_t n, const char *what,
		      const char *rest)
{
	if (n > 0)
		out_printf(o, "%s%llu %s%s%s", between, (unsigned long long)n, what,
			   n == 1 ? "" : "s", rest);
}

static void say_sources(struct out *o, const char *between, uint64_t n, uint64_t all,
			const char *what)
{
	if (n > 0)
		out_printf(o, "%s%llu of %llu source%s %s", between, (unsigned long long)n,
			   (unsigned long long)all, all == 1 ? "" : "s", what);
}

void watch_status_say(struct out *o, const struct watch_status *s, double now, const char *between)
{
	say_time(o, s, now);
	say_count(o, between, s->alarms, "alarm", "");
	if (s->active < s->alarms && s->active > 0)
		out_printf(o, " (%llu active)", (unsigned long long)s->active);
	else if (s->alarms > 0 && s->active == 0)
		out_text(o, " (over)");
	if (s->watching) {
		say_sources(o, between, s->failed, s->sources, "failed");
		say_sources(o, between, s->waiting, s->sources, "waiting");
	}
	say_count(o, between, s->lost, "event", " lost");
	say_count(o, between, s->refused, "line", " not read");
	say_count(o, between, s->gaps, "gap", "");
	say_count(o, between, s->unkept, "interval", " not kept");
	say_count(o, between, s->late, "late profile", "");
	say_count(o, between, s->incomplete, "interval", " incomplete");
}
