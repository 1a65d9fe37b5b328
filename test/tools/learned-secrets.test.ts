/** A value that was masked in a file that the toolkit read is masked in what commands and sessions print without its name. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../ts/index.js';
import type { Toolkit } from '../../ts/toolkit.js';
import type { ToolkitOptions } from '../../ts/tools/toolkit-options.js';
import { toolkits } from '../support/toolkits.js';

const { workspace, make } = toolkits();

/** Looks random and is none of anybody's. */
const VALUE = ['Zk3v', '8wQ9', 'xT7m', 'Lp2R'].join('');

const FILE = 'settings.ini';

writeFileSync(path.join(workspace, FILE), `host=db\npassword=${VALUE}\n`);

const terminal: ToolkitOptions['terminal'] = { allow: ['cat', 'cut', 'tail', 'printf', 'sed', 'bash'], shell: 'bash' };

const made = (options: Partial<ToolkitOptions> = {}): Promise<Toolkit> => make({ terminal, ...options });

const run = async (toolkit: Toolkit, command: string): Promise<string> =>
  (await toolkit.execute('terminal_run', { command })).content;

/** Commands that print the value, and never directly behind its name. */
const BARING = [
  `cat ${FILE} | cut -d= -f2`,
  `tail -c 17 ${FILE}`,
  `printf 'password=\\033[2C%s\\n' "$(tail -c 17 ${FILE})"`,
  `printf 'password=\\033[20G%s\\n' "$(tail -c 17 ${FILE})"`,
  `sed 's/.*=/is /' ${FILE}`,
];

const READING: readonly [string, object][] = [
  ['file_read', { path: FILE }],
  ['file_grep', { path: '.', pattern: 'host' }],
  ['file_edit', { path: FILE, edits: [{ old: 'host=db', new: 'host=db' }] }],
];

describe.each(READING)('%s', (tool, args) => {
  it('has commands and sessions mask what it masked', async () => {
    const toolkit = await made();
    const read = await toolkit.execute(tool, args as never);
    expect(read.content).not.toContain(VALUE);
    for (const command of BARING) {
      const content = await run(toolkit, command);
      expect(content, command).toContain('[REDACTED]');
      expect(content, command).not.toContain(VALUE.slice(4));
    }
    const session = await toolkit.execute('session_start', { command: `tail -c 17 ${FILE}` });
    expect(session.content).toMatch(/^\[REDACTED\]/);
  });

  it('changes nothing with `learnSecrets: false`', async () => {
    const toolkit = await made({ files: { learnSecrets: false } });
    await toolkit.execute(tool, args as never);
    expect(await run(toolkit, `tail -c 17 ${FILE}`)).toContain(VALUE);
    const session = await toolkit.execute('session_start', { command: `tail -c 17 ${FILE}` });
    expect(session.content).toContain(VALUE);
  });
});

it('is what one toolkit read, and those that share its redactor', async () => {
  const redaction = new Redactor();
  const [reader, sharing, other] = await Promise.all([made({ redaction }), made({ redaction }), made()]);
  await reader.execute('file_read', { path: FILE });
  expect(await run(sharing, `tail -c 17 ${FILE}`)).not.toContain(VALUE);
  expect(await run(other, `tail -c 17 ${FILE}`)).toContain(VALUE);
});

it('learns nothing from what a command printed', async () => {
  const toolkit = await made();
  expect(await run(toolkit, `cat ${FILE}`)).toContain('password=[REDACTED]');
  expect(await run(toolkit, `tail -c 17 ${FILE}`)).toContain(VALUE);
});

it('learns nothing from the file that an output is kept in, whatever it holds', async () => {
  writeFileSync(path.join(workspace, 'long.txt'), 'a line of the output\n'.repeat(3_000));
  const toolkit = await made();
  const [, kept = ''] = /all of them in (\S+)\]/.exec(await run(toolkit, 'cat long.txt')) ?? [];
  writeFileSync(kept, `password=${VALUE}\n`);
  expect((await toolkit.execute('file_read', { path: kept })).content).toContain('password=[REDACTED]');
  expect(await run(toolkit, `tail -c 17 ${FILE}`)).toContain(VALUE);
});

it('leaves ordinary settings alone', async () => {
  const settings = {
    PORT: '8080',
    USER: 'admin',
    DEBUG: 'true',
    DB_PASSWORD: 'postgres',
    ADMIN_PASSWORD: 'company-2024',
    REQUEST_ID: '0b9f2a4e-7c61-4d3e-9b1a-5f3c8e2d7a60',
  };
  const text = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(path.join(workspace, 'ordinary.env'), text.join(''));
  const toolkit = await made({ files: { dotenv: 'mask' } });
  expect((await toolkit.execute('file_read', { path: 'ordinary.env' })).content).toContain('REDACTED');
  for (const value of Object.values(settings)) {
    expect(await run(toolkit, `printf 'so %s is\\n' ${value}`)).toContain(`so ${value} is`);
  }
});
