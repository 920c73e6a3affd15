/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of osprof causes that are not taken as text. */
#ifndef CLI_CAUSING_OPTIONS_H
#define CLI_CAUSING_OPTIONS_H

struct causing;

/* Values of --method, in the order of enum cause_method, then NULL. */
extern const char *const cause_methods[];
/* Values of --section, in the order of enum causes_section, then NULL. */
extern const char *const causes_sections[];

/* What is no choice among words; NULL when the argument was taken, else what was expected.
 * `id`: an enum option_id. */
const char *take_causing(struct causing *c, int id, const char *arg);

#endif
