/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof-plugin-host: the process that runs a plug-in's handler.
 *
 *	osprof-plugin-host PLUGIN.so	frames in, JSON lines out (plugin/events.h)
 *
 * If the handler crashes, this process does; plugin/handler.h starts it again. Whatever the handler
 * prints is discarded, since standard output carries the protocol.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/platform.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "plugin/events.h"
#include "plugin/host_event.h"
#include "plugin/load.h"

enum { MAX_ON = 64, MAX_MEMORY = 512 << 20 };

/* Global, since the host functions get no context from the plug-in; there is one per process. */
static struct {
	int out;
	struct {
		int event;
		osprof_handler *handler;
		void *context;
	} on[MAX_ON];
	size_t n_on;
	unsigned n_sent; /* messages sent during this event */
} state;

static void print_line(struct out *line)
{
	struct str s;

	out_text(line, "}\n");
	s = out_memory(line);
	while (s.n > 0) {
		ssize_t n = write(state.out, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1); /* the program is gone */
		s = str_skip(s, (size_t)n);
	}
	out_free(line);
}

static struct out *begin_line(const char *event)
{
	struct out *line = out_to_memory();

	out_printf(line, "{\"event\":\"%s\"", event);
	return line;
}

static void refuse_plugin(const char *message)
{
	struct out *line = begin_line("refused");
	struct str s = str_from(message);

	s.n = s.n < HOST_LINE / 8 ? s.n : HOST_LINE / 8;
	out_text(line, ",\"message\":");
	escape_json(line, s);
	print_line(line);
}

/* --- functions that handlers call ------------------------------------------------------- */

static int on(int event, osprof_handler *handler, void *context)
{
	if (event_name(event) == NULL || handler == NULL || state.n_on == MAX_ON)
		return 0;
	state.on[state.n_on].event = event;
	state.on[state.n_on].handler = handler;
	state.on[state.n_on++].context = context;
	return 1;
}

static int off(int event, osprof_handler *handler)
{
	for (size_t i = 0; i < state.n_on; i++) {
		if (state.on[i].event != event || state.on[i].handler != handler)
			continue;
		state.n_on--;
		memmove(&state.on[i], &state.on[i + 1], (state.n_on - i) * sizeof(state.on[0]));
		return 1;
	}
	return 0;
}

static int send_to(const char *to, const void *bytes, size_t size)
{
	struct out *line;

	if (size > MESSAGE_BYTES || strlen(to) > HOST_LINE / 8 || state.n_sent == SENDS_OF_EVENT)
		return 0;
	state.n_sent++;
	line = begin_line("send");
	out_text(line, ",\"to\":");
	escape_json(line, str_from(to));
	out_text(line, ",\"hex\":\"");
	for (size_t i = 0; i < size; i++)
		out_printf(line, "%02x", ((const unsigned char *)bytes)[i]);
	out_char(line, '"');
	print_line(line);
	return 1;
}

/* Readers run in the process that reads the input, not here. */
static int next_no_line(struct osprof_input *in, struct osprof_text *ret)
{
	(void)in, (void)ret;
	return 0;
}

static const struct osprof_host host = {
	.size = sizeof(host),
	.abi = OSPROF_PLUGIN_ABI,
	.next_line = next_no_line,
	.on = on,
	.off = off,
	.kind = host_event_kind,
	.text = host_event_text,
	.number = host_event_number,
	.n_operations = host_event_operations,
	.get_operation = host_event_operation,
	.send = send_to,
};

/* --- frames ------------------------------------------------------------------------------- */

/* Reads n bytes; false at the end of the input. */
static bool read_all(char *to, size_t n)
{
	while (n > 0) {
		ssize_t got = read(0, to, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		n -= (size_t)got;
	}
	return true;
}

/* Reads byte by byte, to leave what follows the line for read_all(). */
static bool read_line(char line[FRAME_LINE], size_t *ret_n)
{
	for (size_t n = 0; n < FRAME_LINE; n++) {
		if (!read_all(line + n, 1))
			return false;
		if (line[n] == '\n') {
			*ret_n = n;
			return true;
		}
	}
	return false;
}

struct frame {
	int kind;
	uint64_t seq, bytes;
};

/* "osprof-frame 1 KIND seq=N bytes=N" */
static bool parse_frame(struct str line, struct frame *ret)
{
	struct str word, rest = line, seq = { NULL, 0 }, bytes = { NULL, 0 };

	if (!str_cut(rest, ' ', &word, &rest) || !str_eq(word, STR("osprof-frame")) ||
	    !str_cut(rest, ' ', &word, &rest) || !str_eq(word, STR("1")) ||
	    !str_cut(rest, ' ', &word, &rest) || (ret->kind = event_by_name(word)) == 0 ||
	    !str_cut(rest, ' ', &seq, &bytes) || !str_has_prefix(seq, STR("seq=")) ||
	    !str_has_prefix(bytes, STR("bytes=")))
		return false;
	return number_u64(str_skip(seq, 4), &ret->seq) == NUMBER_OK &&
	       number_u64(str_skip(bytes, 6), &ret->bytes) == NUMBER_OK &&
	       ret->bytes <= FRAME_BYTES;
}

/* Calls the handlers of an event; a handler may remove itself or others while it runs. */
static void dispatch_event(const struct osprof_event *e)
{
	for (size_t i = 0; i < state.n_on; i++) {
		osprof_handler *handler = state.on[i].handler;

		if (state.on[i].event != e->kind)
			continue;
		handler(e, state.on[i].context);
		if (i < state.n_on && state.on[i].handler != handler)
			i--;
	}
}

static bool take_frame(const struct frame *f)
{
	char *bytes = xcalloc(f->bytes + 1, 1);
	struct osprof_event e;
	struct out *line;
	bool ok = read_all(bytes, f->bytes) &&
		  host_event_init(&e, f->kind, (struct str){ bytes, f->bytes });

	if (ok) {
		state.n_sent = 0;
		dispatch_event(&e);
		host_event_release(&e);
		line = begin_line("done");
		out_printf(line, ",\"seq\":%llu", (unsigned long long)f->seq);
		print_line(line);
	}
	free(bytes);
	return ok;
}

/* Returns 0 at the end of the input, 1 after a malformed frame. */
static int serve_events(void)
{
	char text[FRAME_LINE];
	struct frame f;
	size_t n;

	while (read_line(text, &n)) {
		if (!parse_frame((struct str){ text, n }, &f) || !take_frame(&f)) {
			refuse_plugin("a frame that cannot be read");
			return 1;
		}
	}
	return 0;
}

/* --- the process -------------------------------------------------------------------------- */

/* Discards the handler's output, limits its memory, and ends it with the program that started it.
 */
static bool set_up(void)
{
	const struct rlimit memory = { MAX_MEMORY, MAX_MEMORY }, none = { 0, 0 };
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	state.out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	if (state.out < 0 || nowhere < 0 || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0)
		return false;
	platform_end_with_parent();
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* they map terabytes */
	(void)setrlimit(RLIMIT_AS, &memory);
#endif
	(void)memory;
	(void)setrlimit(RLIMIT_CORE, &none);
	return true;
}

static void report_message(void *ctx, const struct diag_msg *msg)
{
	struct out *text = out_to_memory();

	(void)ctx;
	out_printf(text, "%s: %s", diag_text(msg->code), msg->detail != NULL ? msg->detail : "");
	out_char(text, '\0');
	refuse_plugin(out_memory(text).p);
	out_free(text);
}

static int run_plugin(const struct plugin *p)
{
	struct out *line;
	int status;

	if (p->table.enter != NULL && p->table.enter() == 0) {
		refuse_plugin("its enter() failed");
		return 2;
	}
	line = begin_line("hello");
	out_printf(line, ",\"name\":\"%s\"", p->table.name);
	print_line(line);
	status = serve_events();
	if (p->table.leave != NULL)
		p->table.leave();
	return status;
}

int main(int argc, char **argv)
{
	struct diag diag = { .emit = report_message };
	struct plugin p;
	int status;

	if (argc != 2 || !set_up())
		return 2;
	if (!plugin_load(&p, argv[1], "/", &host, &diag))
		return 2;
	status = run_plugin(&p);
	plugin_unload(&p);
	return status;
}
