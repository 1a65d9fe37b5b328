/**
 * The rows of `crates/redact/testdata/*.toml` through the redactor of this package, as strings and as bytes. What a row may
 * say is told in `crates/redact/tests/all/tables.rs`, which also tests the splits.
 */
import { expect, test } from 'vitest';
import { Redactor } from '../../ts/index.js';
import { type Row, TABLES, table } from './tables.js';

/** What is wrong with a row. */
function problem(redactor: Redactor, { input, expected }: Row): string | undefined {
  const got = redactor.redact(input);
  if (got !== expected) return `got ${JSON.stringify(got)}`;
  const bytes = Buffer.from(redactor.redactBytes(Buffer.from(input))).toString();
  if (bytes !== expected) return `of bytes ${JSON.stringify(bytes)}`;
  const { length } = redactor.scan(input);
  return length > 0 === (input !== expected) ? undefined : `${length} findings`;
}

test.each(TABLES)('%s says what is masked', (name) => {
  const { options, rows } = table(name);
  const redactor = new Redactor(options);
  expect(rows.length).toBeGreaterThan(0);
  const wrong = rows.flatMap((row) => {
    const found = problem(redactor, row);
    if ((found === undefined) !== row.waived) return [];
    return [`${row.place} ${JSON.stringify(row.input)} ${found ?? 'passes: remove `waived`'}`];
  });
  expect(wrong).toEqual([]);
});
