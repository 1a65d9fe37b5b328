/**
 * Calls as data, from all the test data of redaction, texts and judgement: what one engine answers to them, every other
 * has to answer too.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generateLog } from '../../bench/redact/generator/log.mjs';
import type { BoundOptions, ExplainOptions, RedactorOptions } from '../../ts/index.js';
import { plantedDocument } from '../redaction/documents/tree.js';
import { YamlWriter } from '../redaction/documents/write-yaml.js';
import { TABLES, table } from '../redaction/tables.js';
import { REPOSITORY } from '../support/copy.js';
import { Random } from '../support/random.js';

export type Case =
  | { readonly call: 'redact' | 'scan'; readonly text: string; readonly options?: RedactorOptions }
  | { readonly call: 'redactBytes'; readonly base64: string; readonly options?: RedactorOptions }
  | {
      readonly call: 'stream';
      readonly base64: string;
      readonly cuts: readonly number[];
      readonly options?: RedactorOptions;
    }
  | { readonly call: 'notes'; readonly options: RedactorOptions }
  | { readonly call: 'sanitize'; readonly base64: string }
  | { readonly call: 'stripAnsi'; readonly text: string }
  | { readonly call: 'truncateOutput'; readonly text: string; readonly maxChars: number }
  | { readonly call: 'boundOutput'; readonly text: string; readonly options: BoundOptions }
  | { readonly call: 'excerptOutput'; readonly text: string; readonly tokens: number }
  | { readonly call: 'explain'; readonly command: string | readonly string[]; readonly options: ExplainOptions };

const DOCUMENTS = 100;
const SCREENS = 200;
const LOG_BYTES = 1 << 18;
const LOG_CHARS = 20_000;

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');

/** What is done with a text and a redactor: every way there is. */
function redactions(text: string, options: RedactorOptions, random: Random): Case[] {
  const bytes = Buffer.from(text);
  const cut = random.below(bytes.length + 1);
  return [
    { call: 'redact', text, options },
    { call: 'scan', text, options },
    { call: 'redactBytes', base64: base64(text), options },
    { call: 'stream', base64: base64(text), cuts: [cut], options },
  ];
}

/** What is done with a text alone. */
function texts(text: string, random: Random): Case[] {
  const size = 1 + random.below(text.length + 10);
  const bounds: BoundOptions = random.pick([
    { maxChars: size },
    { maxBytes: size },
    { headLines: random.below(5), tailLines: random.below(5) },
    { headChars: size, tailChars: 7, maxLineChars: 1 + random.below(40) },
  ]);
  return [
    { call: 'sanitize', base64: base64(text) },
    { call: 'stripAnsi', text },
    { call: 'truncateOutput', text, maxChars: size },
    { call: 'boundOutput', text, options: bounds },
    { call: 'excerptOutput', text, tokens: 1 + random.below(200) },
  ];
}

/** What a program may write to a terminal: words, colours, moves, erasures, titles, half of characters. */
function screen(random: Random): string {
  const parts = ['a', 'word ', '\n', '\r', '\b', '\t', '10%', 'é', '\u{1f600}', '\ud83d', '世'];
  const codes = [
    '[31m',
    '[0m',
    '[2K',
    '[A',
    '[3B',
    '[10G',
    '[H',
    '[2J',
    '[?1049h',
    '[?1049l',
    ']0;title\u0007',
    'M',
    '[',
  ];
  const one = (): string => (random.below(3) === 0 ? `\u001b${random.pick(codes)}` : random.pick(parts));
  return Array.from({ length: random.below(120) }, one).join('');
}

const RULE_FILE = {
  name: 'team.toml',
  toml: `[extend]\nuseDefault = true\ndisabledRules = ["jwt"]\n[[rules]]\nid = "acme-key"\nregex = '''acme_([a-z0-9]{4,})'''\nkeywords = ["acme_"]\n[[rules]]\nid = "of-paths"\npath = '''x'''\n`,
};

function special(): Case[] {
  const mixed = 'acme_x1y2z3 \u{1f600} password=hunter2 \ud800 päss ﻿';
  const wrong = [
    { patterns: ['('] },
    { secrets: { A: 'ab' } },
    { rules: ['no-such-rule'] },
    { ruleFiles: [{ name: 'a', toml: '[' }] },
  ];
  const right = [
    { label: true },
    { rules: 'none', substrings: ['\u{1f600}'] },
    { ruleFiles: [RULE_FILE], label: true },
    { secrets: ['p\ud800ss-\u{1f600}-word'] },
  ] as const;
  return [
    ...wrong.map((options) => ({ call: 'redact', text: mixed, options }) as const),
    ...right.flatMap((options) => [...redactions(mixed, options, new Random(1)), { call: 'notes', options } as const]),
    { call: 'redact', text: '\ufeffpassword=hunter2' },
    { call: 'sanitize', base64: base64(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff, 0xc3)) },
    { call: 'redactBytes', base64: base64(Uint8Array.from([...Buffer.from('password=hunter2 '), 0xff, 0xc3, 0x28])) },
  ];
}

interface Corpus {
  readonly cases: readonly { readonly command: string; readonly policy: ExplainOptions }[];
}

function judgements(): Case[] {
  const read = (...place: string[]) => readFileSync(path.join(REPOSITORY, ...place), 'utf8');
  const { cases } = JSON.parse(read('test/corpus/commands.json')) as Corpus;
  const paths = { cwd: '/srv/app', roots: ['/srv/app'], home: '/home/dev' };
  const policies: ExplainOptions[] = [
    { shell: 'bash', allow: ['echo', 'ls', 'git', 'cat', 'find', 'xargs', 'sed', 'python3'], ...paths },
    { shell: 'bash', deny: ['rm', 'curl'], trustInterpreters: ['python3'] },
    { allow: ['cmd', { program: 'git', args: ['status'] }] },
    { shell: 'bash', allow: [] },
  ];
  const lines = read('crates/policy/tests/all/lines.txt').split('\n');
  return [
    ...cases.flatMap(({ command, policy }): Case[] => [
      { call: 'explain', command, options: { ...policy, shell: 'bash', ...paths } },
      { call: 'explain', command, options: policy },
      { call: 'explain', command: command.split(' '), options: policy },
    ]),
    ...lines.flatMap((command) => policies.map((options): Case => ({ call: 'explain', command, options }))),
    { call: 'explain', command: 'echo \ud800 \u{1f600}; rm x', options: { shell: 'bash', deny: ['rm'] } },
    { call: 'explain', command: 'curl -u me:password=hunter2 x', options: { allow: ['*'] } },
    { call: 'explain', command: [], options: {} },
  ];
}

/** All of them. */
export function allCases(): Case[] {
  const random = new Random(7);
  const rows = TABLES.flatMap((name) => {
    const { options, rows: all } = table(name);
    return all.flatMap(({ input }) => [...redactions(input, options, random), ...texts(input, random)]);
  });
  const documents = Array.from({ length: DOCUMENTS }, (_, seed) => {
    const { tree } = plantedDocument(new Random(seed));
    return [JSON.stringify(tree, null, 2), new YamlWriter(new Random(seed)).document(tree)];
  });
  const screens = Array.from({ length: SCREENS }, (_, seed) => screen(new Random(seed)));
  const log = generateLog({ seed: 1, bytes: LOG_BYTES }).text.toString();
  return [
    ...rows,
    ...[...documents.flat(), ...screens, log.slice(0, LOG_CHARS)].flatMap((text) => [
      ...redactions(text, {}, random),
      ...texts(text, random),
    ]),
    { call: 'redactBytes', base64: base64(log) },
    { call: 'redact', text: log },
    { call: 'excerptOutput', text: log, tokens: 4_000 },
    ...special(),
    ...judgements(),
  ];
}
