/** A host that is killed while it patches: no file is torn, lost or a mixture, and the next patch works. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Files } from '../../ts/files/files.js';
import { startNode } from '../support/cli.js';

const ROUNDS = 8;
const NAMES = Array.from({ length: 40 }, (_, index) => `f${index}`);
const ONE = `${'one\n'.repeat(500)}end\n`;
const TWO = `${'one\n'.repeat(500)}END\n`;

/** Patches all files there and back until it is killed; says so after the first time. */
const HOST = `
  import { Files } from 'handrail';
  const files = new Files({ roots: [process.argv[1]] });
  for (let round = 0; ; round += 1) {
    const [old, next] = round % 2 === 0 ? ['end', 'END'] : ['END', 'end'];
    const sections = ${JSON.stringify(NAMES)}.map((name) => '*** Update File: ' + name + '\\n@@\\n-' + old + '\\n+' + next);
    const { ok, refusal } = await files.patch('*** Begin Patch\\n' + sections.join('\\n') + '\\n*** End Patch');
    if (!ok) throw new Error(refusal.message);
    if (round === 0) console.log('patched');
  }`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-patch-kill-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('leaves each file as it was or as it should be', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of NAMES) writeFileSync(path.join(folder, name), ONE);
    const { child, ended } = startNode(['--input-type=module', '--eval', HOST, folder]);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    // Somewhere in a later patch.
    await new Promise((resolve) => setTimeout(resolve, 7 * round));
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    const texts = NAMES.map((name) => readFileSync(path.join(folder, name), 'utf8'));
    for (const text of texts) expect([ONE, TWO]).toContain(text);
    await using files = new Files({ roots: [folder] });
    const sections = NAMES.map((name, index) => {
      const [old, next] = texts[index] === ONE ? ['end', 'END'] : ['END', 'end'];
      return `*** Update File: ${name}\n@@\n-${old}\n+${next}\n`;
    });
    expect(await files.patch(`*** Begin Patch\n${sections.join('')}*** End Patch`)).toMatchObject({ ok: true });
    const others = readdirSync(folder).filter((name) => !NAMES.includes(name));
    expect(others.filter((name) => !/^\.handrail-[0-9a-f]{16}\.tmp$/.test(name))).toEqual([]);
  }
});
