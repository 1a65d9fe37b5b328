import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFlagNames } from '../../ts/cli/flag-names.js';
import { handrail } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';

/** Where the library gives advice. */
const SOURCES = [
  'crates/policy/src/judge/shell.rs',
  'crates/policy/src/judge/effects.rs',
  'crates/policy/src/judge/interpreter.rs',
  'crates/process/src/program_error.rs',
  'crates/process/src/capability.rs',
  'ts/terminal/blocked.ts',
];

/** What stands in quotes or backticks on a line, and speaks of the host or of `confine`. */
const ADVICE = /["`](.*(?:[Hh]ost (?:can|lifts)|`confine).*)["`]/g;

const API = /trustInterpreters|`path`|confine[:.]|[Hh]ost (?:can|lifts)|allow: \[/;

function adviceIn(file: string): string[] {
  const source = readFileSync(path.join(REPOSITORY, file), 'utf8').replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  // A text of Rust goes on after a backslash; of `{feature}` any will do.
  const lines = source
    .replace(/\\\n\s*/g, '')
    .replaceAll('{feature}', 'writes')
    .replaceAll('\\`', '`');
  return Array.from(lines.matchAll(ADVICE), ([, text = '']) => text);
}

describe('advice in words of the command line', () => {
  it.each(SOURCES)('%s names no option of the API', (file) => {
    const texts = adviceIn(file);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(withFlagNames(text)).not.toMatch(API);
  });

  it.each([
    ["A list, see `allow: ['rm', ...]` or `confine: { exec: 'any' }`", 'A list, see --allow rm or --exec any'],
    [
      "[x. Work here. The host lifts this with `confine: { network: 'any' }`.]",
      '[x. Work here. --network any lifts this.]',
    ],
    ['no such program; the host can add its folder to `path`', 'no such program; add its folder with --path'],
    ['nothing of it', 'nothing of it'],
  ])('%s', (text, words) => {
    expect(withFlagNames(text)).toBe(words);
  });

  it('keeps dots that end no sentence', () => {
    const hint = "Do it. The host lifts this with `allow: ['x', ...]` or `confine: { exec: 'any' }`.]";
    expect(withFlagNames(hint)).toBe('Do it. --allow x or --exec any lifts this.]');
  });

  it('is what the commands print', async () => {
    expect((await handrail('run', '--allow', 'npm', 'npm', 'test')).stderr).toContain(
      "in --allow ('PROGRAM ARGUMENTS')",
    );
    expect((await handrail('run', '--allow', 'none', 'none')).stderr).toContain('add its folder with --path');
    expect((await handrail('explain', '--allow', 'npm', 'npm test')).stdout).not.toMatch(API);
    expect((await handrail('doctor')).stdout).not.toMatch(API);
    const blocked = await handrail('run', '--allow', 'touch', '--writes', 'none', 'touch', '/var/tmp/handrail-none');
    expect(blocked.stderr.replaceAll(/\s+/g, ' ')).not.toMatch(API);
  });
});
