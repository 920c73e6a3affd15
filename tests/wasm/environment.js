// SPDX-License-Identifier: GPL-3.0-or-later
// The program's environment is that of node: otherwise emscripten invents one.
Module['preRun'] = function () { Object.assign(ENV, process.env); };
// node ignores SIGPIPE, which ends the program elsewhere.
const rawWrite = require('fs').writeSync;
require('fs').writeSync = function () {
	try {
		return rawWrite.apply(this, arguments);
	} catch (e) {
		if (e.code === 'EPIPE')
			process.exit(141);
		throw e;
	}
};
