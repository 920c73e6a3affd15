/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/terminal.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/out.h"
#include "base/xalloc.h"

enum { HANDLER_STACK = 1 << 15 };
/* How long to wait for the rest of a key that begins with an escape; tmux(1) waits as long. */
enum { ESCAPE_MS = 10 };

/* --- restoring the terminal -------------------------------------------------------------- */

static struct {
	SCREEN *screen; /* NULL: not open */
	FILE *out;
	int in_fd, out_fd;
	struct termios before;
	/* Sequences that restore the terminal, for a signal handler to write. */
	char farewell[256], mouse_off[64];
	volatile sig_atomic_t taken, has_mouse;
	struct screen_position clicked;
	attr_t attribute[N_FACES];
	short pair[N_FACES];
} terminal;

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
			     SIGTERM, SIGHUP, SIGINT, SIGQUIT };

/* Async-signal-safe. */
static void write_in_haste(const char *text)
{
	size_t n = strlen(text);

	for (size_t at = 0; at < n;) {
		ssize_t written = write(terminal.out_fd, text + at, n - at);

		if (written <= 0)
			break;
		at += (size_t)written;
	}
}

static void restore_in_haste(void)
{
	if (!terminal.taken)
		return;
	terminal.taken = 0;
	if (terminal.has_mouse)
		write_in_haste(terminal.mouse_off);
	write_in_haste(terminal.farewell);
	(void)tcsetattr(terminal.in_fd, TCSANOW, &terminal.before);
}

static void on_fatal(int signal_number)
{
	restore_in_haste();
	(void)signal(signal_number, SIG_DFL);
	(void)raise(signal_number);
}

static const char *capability_text(const char *name)
{
	const char *text = tigetstr(name);

	return text != (const char *)-1 ? text : NULL;
}

/* Appends a capability without its delays ("$<5>"), which must not be written to the screen. */
static void add_farewell(const char *name)
{
	const char *text = capability_text(name);
	size_t n = strlen(terminal.farewell);

	if (text == NULL || n + strlen(text) >= sizeof(terminal.farewell))
		return;
	while (*text != '\0') {
		const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;

		if (end != NULL)
			text = end + 1;
		else
			terminal.farewell[n++] = *text++;
	}
	terminal.farewell[n] = '\0';
}

/* Builds the sequence that ncurses sends when mousemask() is called with 0. */
static void prepare_mouse_off(void)
{
	const char *with_mode = capability_text("XM"), *off = "\033[?1000l";

	if (capability_text("kmous") == NULL)
		off = "";
	else if (with_mode != NULL)
		off = tiparm(with_mode, 0);
	if (off != NULL && strlen(off) < sizeof(terminal.mouse_off))
		memcpy(terminal.mouse_off, off, strlen(off) + 1);
}

/* Handles the signal on an alternate stack, in case the normal one has overflowed. */
static void restore_on_signal(int signal_number)
{
	static char room[HANDLER_STACK];
	const stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction how = { .sa_handler = on_fatal, .sa_flags = SA_ONSTACK };

	(void)sigaltstack(&stack, NULL);
	(void)sigemptyset(&how.sa_mask);
	(void)sigaction(signal_number, &how, NULL);
}

static void watch_signals(void)
{
	terminal.farewell[0] = '\0';
	add_farewell("sgr0");
	add_farewell("cnorm");
	add_farewell("rmcup");
	add_farewell("rmkx");
	prepare_mouse_off();
	for (size_t i = 0; i < COUNT_OF(fatal); i++)
		restore_on_signal(fatal[i]);
	xalloc_set_hook(restore_in_haste);
	terminal.taken = 1;
}

/* --- colours ------------------------------------------------------------------------------- */

struct paint {
	short of_256, of_8; /* -1: the terminal's own */
	attr_t with_colors, without;
};

/* Blue is before, orange is after: nobody has to tell red from green. */
static const struct paint paints[N_FACES] = {
	[FACE_PLAIN] = { -1, -1, A_NORMAL, A_NORMAL },
	[FACE_TITLE] = { -1, -1, A_REVERSE, A_REVERSE },
	[FACE_HEADER] = { -1, -1, A_UNDERLINE, A_UNDERLINE },
	[FACE_STRONG] = { -1, -1, A_BOLD, A_BOLD },
	[FACE_DIM] = { 245, -1, A_NORMAL, A_NORMAL },
	[FACE_KEY] = { -1, -1, A_BOLD, A_BOLD },
	[FACE_BEFORE] = { 75, COLOR_CYAN, A_NORMAL, A_NORMAL },
	[FACE_AFTER] = { 208, COLOR_YELLOW, A_NORMAL, A_BOLD },
	[FACE_BOTH] = { 250, COLOR_WHITE, A_NORMAL, A_NORMAL },
	[FACE_WORSE] = { 208, COLOR_YELLOW, A_BOLD, A_BOLD },
	[FACE_BETTER] = { 75, COLOR_CYAN, A_BOLD, A_NORMAL },
	[FACE_NOTICE] = { 179, COLOR_MAGENTA, A_NORMAL, A_UNDERLINE },
	[FACE_WARNING] = { 179, COLOR_YELLOW, A_BOLD, A_BOLD },
	[FACE_ERROR] = { 203, COLOR_RED, A_BOLD, A_REVERSE },
	[FACE_HEAT] = { 60, COLOR_BLUE, A_NORMAL, A_NORMAL },
	[FACE_HEAT + 1] = { 67, COLOR_BLUE, A_NORMAL, A_NORMAL },
	[FACE_HEAT + 2] = { 73, COLOR_CYAN, A_NORMAL, A_NORMAL },
	[FACE_HEAT + 3] = { 114, COLOR_CYAN, A_NORMAL, A_NORMAL },
	[FACE_HEAT + 4] = { 185, COLOR_YELLOW, A_NORMAL, A_NORMAL },
	[FACE_HEAT + 5] = { 226, COLOR_YELLOW, A_BOLD, A_BOLD },
	[FACE_LESS] = { 67, COLOR_CYAN, A_NORMAL, A_NORMAL },
	[FACE_LESS + 1] = { 75, COLOR_CYAN, A_NORMAL, A_NORMAL },
	[FACE_LESS + 2] = { 81, COLOR_CYAN, A_BOLD, A_NORMAL },
	[FACE_MORE] = { 137, COLOR_YELLOW, A_NORMAL, A_NORMAL },
	[FACE_MORE + 1] = { 172, COLOR_YELLOW, A_NORMAL, A_NORMAL },
	[FACE_MORE + 2] = { 208, COLOR_YELLOW, A_BOLD, A_BOLD },
};

static attr_t attributes_of(const struct face_choice *choice)
{
	return (choice->bold ? A_BOLD : A_NORMAL) | (choice->underline ? A_UNDERLINE : A_NORMAL) |
	       (choice->reverse ? A_REVERSE : A_NORMAL);
}

static void mix_colors(bool colors, const struct config *config)
{
	bool many;

	colors = colors && has_colors() && start_color() == OK;
	many = colors && COLORS >= 256;
	if (colors)
		(void)use_default_colors();
	for (int face = 0; face < N_FACES; face++) {
		const struct paint *p = &paints[face];
		const struct face_choice *choice = &config->face[face];
		bool chosen = choice->color != COLOR_UNSET;
		short color = chosen ? choice->color : many ? p->of_256 : p->of_8;

		terminal.attribute[face] = chosen   ? attributes_of(choice)
					   : colors ? p->with_colors
						    : p->without;
		terminal.pair[face] = 0;
		if (!colors || color < 0 || color >= COLORS)
			continue;
		terminal.pair[face] = (short)(face + 1);
		(void)init_pair(terminal.pair[face], color, -1);
	}
}

/* --- opening and closing --------------------------------------------------------------------- */

bool terminal_open(FILE *in, FILE *out, bool colors, const struct config *config)
{
	if (terminal.screen != NULL || tcgetattr(fileno(in), &terminal.before) != 0)
		return false;
	terminal.screen = newterm(NULL, out, in);
	if (terminal.screen == NULL)
		return false;
	terminal.out = out;
	terminal.in_fd = fileno(in);
	terminal.out_fd = fileno(out);
	(void)set_term(terminal.screen);
	(void)cbreak();
	(void)noecho();
	(void)nonl();
	(void)keypad(stdscr, TRUE);
	(void)set_escdelay(ESCAPE_MS);
	(void)curs_set(0);
	mix_colors(colors, config);
	watch_signals();
	return true;
}

void terminal_close(void)
{
	if (terminal.screen == NULL)
		return;
	for (size_t i = 0; i < COUNT_OF(fatal); i++)
		(void)signal(fatal[i], SIG_DFL);
	xalloc_set_hook(NULL);
	terminal.taken = 0;
	(void)endwin();
	delscreen(terminal.screen);
	terminal.screen = NULL;
}

void terminal_size(unsigned *ret_rows, unsigned *ret_cols)
{
	int rows = getmaxy(stdscr), cols = getmaxx(stdscr);

	*ret_rows = rows > 0 ? (unsigned)rows : 0;
	*ret_cols = cols > 0 ? (unsigned)cols : 0;
}

/* --- keys ------------------------------------------------------------------------------------- */

static keycode from_mouse(void)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return KEYCODE_NONE;
	if ((event.bstate & BUTTON4_PRESSED) != 0)
		return KEYCODE_UP;
	if ((event.bstate & BUTTON5_PRESSED) != 0)
		return KEYCODE_DOWN;
	terminal.clicked = (struct screen_position){ (unsigned)event.y, (unsigned)event.x, true };
	return KEYCODE_CLICK;
}

static keycode from_function_key(wint_t key)
{
	switch (key) {
	case KEY_UP:
		return KEYCODE_UP;
	case KEY_DOWN:
		return KEYCODE_DOWN;
	case KEY_LEFT:
		return KEYCODE_LEFT;
	case KEY_RIGHT:
		return KEYCODE_RIGHT;
	case KEY_PPAGE:
		return KEYCODE_PAGE_UP;
	case KEY_NPAGE:
		return KEYCODE_PAGE_DOWN;
	case KEY_HOME:
		return KEYCODE_HOME;
	case KEY_END:
		return KEYCODE_END;
	case KEY_DC:
		return KEYCODE_DELETE;
	case KEY_F(1):
		return KEYCODE_F1;
	case KEY_ENTER:
		return KEYCODE_ENTER;
	case KEY_BACKSPACE:
		return KEYCODE_BACKSPACE;
	case KEY_MOUSE:
		return from_mouse();
	default:
		return KEYCODE_NONE;
	}
}

keycode terminal_key(int timeout_ms)
{
	wint_t key;
	int got;

	timeout(timeout_ms);
	errno = 0;
	got = get_wch(&key);
	if (got == KEY_CODE_YES)
		return from_function_key(key);
	if (got == ERR)
		return isatty(terminal.in_fd) ? KEYCODE_NONE : KEYCODE_GONE;
	if (key == '\n')
		return KEYCODE_ENTER;
	if (key == '\b')
		return KEYCODE_BACKSPACE;
	return (keycode)key;
}

struct screen_position terminal_clicked(void)
{
	return terminal.clicked;
}

/* --- the screen ------------------------------------------------------------------------------- */

static void show_cell(unsigned row, unsigned col, const struct cell *at)
{
	wchar_t text[CELL_CODES + 1] = { 0 };
	attr_t attribute = terminal.attribute[at->face];
	cchar_t shown;

	for (unsigned i = 0; i < CELL_CODES; i++)
		text[i] = (wchar_t)at->code[i];
	if (at->selected)
		attribute ^= A_REVERSE;
	if (setcchar(&shown, text, attribute, terminal.pair[at->face], NULL) == OK)
		(void)mvadd_wch((int)row, (int)col, &shown);
}

void terminal_show(const struct canvas *c, struct screen_position cursor)
{
	for (unsigned row = 0; row < c->rows; row++) {
		for (unsigned col = 0; col < c->cols; col++) {
			const struct cell *at = &c->cell[(size_t)row * c->stride + col];

			if (at->code[0] != 0)
				show_cell(row, col, at);
		}
	}
	(void)curs_set(cursor.shown);
	if (cursor.shown)
		(void)move((int)cursor.row, (int)cursor.col);
	(void)refresh();
}

void terminal_redraw(void)
{
	(void)clearok(stdscr, TRUE);
}

void terminal_suspend(void)
{
	(void)raise(SIGTSTP); /* ncurses restores the terminal, and takes it over again later */
}

void terminal_mouse(bool on)
{
	terminal.has_mouse = on;
	(void)mousemask(on ? BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED
			   : 0,
			NULL);
	(void)mouseinterval(0);
}

/* --- the clipboard ----------------------------------------------------------------------- */

enum { MAX_COPIED = 74000 }; /* terminals accept 100,000 bytes of base64 */

static void base64(struct out *o, struct str s)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < s.n; i += 3) {
		size_t left = s.n - i;
		unsigned b = (unsigned)(unsigned char)s.p[i] << 16;

		b |= left > 1 ? (unsigned)(unsigned char)s.p[i + 1] << 8 : 0;
		b |= left > 2 ? (unsigned)(unsigned char)s.p[i + 2] : 0;
		out_char(o, digits[b >> 18]);
		out_char(o, digits[b >> 12 & 63]);
		out_char(o, left > 1 ? digits[b >> 6 & 63] : '=');
		out_char(o, left > 2 ? digits[b & 63] : '=');
	}
}

bool terminal_copy(struct str text, bool through_tmux)
{
	struct out *o;

	if (text.n > MAX_COPIED)
		return false;
	o = out_to_file(terminal.out);
	out_text(o, through_tmux ? "\033Ptmux;\033\033]52;c;" : "\033]52;c;");
	base64(o, text);
	out_text(o, through_tmux ? "\a\033\\" : "\a");
	return out_close(o);
}
