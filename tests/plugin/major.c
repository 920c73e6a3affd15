/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in of the next major version. */
const void *osprof_plugin_2(const void *host);

const void *osprof_plugin_2(const void *host)
{
	return host;
}
