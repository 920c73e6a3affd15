/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Within tui/: commands that are typed after `:`.
 *
 *	histogram, reload ...	an action by its name, or the beginning of it that no other has
 *	12			go to line 12 of the list
 *	sort mean		sort by a column
 *	filter TEXT		show only operations that match; without text all
 *	search TEXT		go to the next operation whose name contains it
 *	write FILE		write the listed operations, or a figure, by the suffix of the file
 *	q			leave
 */
#ifndef TUI_COMMANDS_H
#define TUI_COMMANDS_H

#include "tui/state.h"

void command_run(struct tui *t, struct str text);

#endif
