// SPDX-License-Identifier: GPL-3.0-or-later
// DuckDB where there is no duckdb(1): its package @duckdb/node-api has the library.
//
//	node duckdb.mjs STATEMENT...
//
// in a folder below which the package is installed.  The values of each answer go to
// standard output, a row a line.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const installed = createRequire(join(process.cwd(), 'package.json'));
const { DuckDBInstance } = await import(pathToFileURL(installed.resolve('@duckdb/node-api')));
const connection = await (await DuckDBInstance.create(':memory:')).connect();

for (const statement of process.argv.slice(2)) {
	const answer = await connection.runAndReadAll(statement);

	for (const row of answer.getRows())
		console.log(row.join(' '));
}
