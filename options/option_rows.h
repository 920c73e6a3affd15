/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of options/options.def: commands and values.  Before it is included, OPTION_TARGET is
 * the structure whose members the rows set: options, or settings, which begins with one.
 */
#ifndef OPTIONS_OPTION_ROWS_H
#define OPTIONS_OPTION_ROWS_H

/* Bits of commands, followed by those of groups. */
#define C(command)    ((uint64_t)1 << COMMAND_##command)
#define GROUP(i)      ((uint64_t)1 << (N_COMMANDS + (i)))
#define NONE	      0
#define READERS	      GROUP(0)
#define CHOOSERS      GROUP(1)
#define RULED	      GROUP(2)
#define PRINTERS      GROUP(3)
#define WRITERS	      GROUP(4)
#define TREES	      GROUP(5)
#define EVERY_COMMAND UINT64_MAX
#define TO(field)                                                                                  \
	.target = offsetof(struct OPTION_TARGET, field),                                           \
	.size = sizeof(((struct OPTION_TARGET *)0)->field)
#define ALSO(field)	      .also = offsetof(struct OPTION_TARGET, field)
#define FLAG(field)	      .kind = OPTION_FLAG, TO(field)
#define TEXT(field)	      .kind = OPTION_TEXT, TO(field)
#define FILE_NAME(field)      TEXT(field), .file = true
#define CHOICE(field, list)   .kind = OPTION_CHOICE, TO(field), .words = list
#define SECTIONS(field, list) .kind = OPTION_SECTIONS, TO(field), .words = list
#define COUNT(field, from, to, what)                                                               \
	.kind = OPTION_COUNT, TO(field), .min = from, .max = (double)(to), .expected = what
#define NUMBER(field, from) .kind = OPTION_NUMBER, TO(field), .min = from
#define PERCENT(field)	    .kind = OPTION_PERCENT, TO(field)
#define OCTAVES(field)	    .kind = OPTION_OCTAVES, TO(field)
#define SECONDS(field)	    .kind = OPTION_SECONDS, TO(field)
#define CHOSEN(by, list)    .kind = OPTION_CHOSEN, .choose = by, .words = list
#define TAKEN(by)	    .kind = OPTION_TAKEN, .take = by
#define REPORTED(by)	    .kind = OPTION_REPORTED, .report = by

#endif
