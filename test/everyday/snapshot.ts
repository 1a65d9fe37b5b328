/** What a row changed, and how two runs of it differ. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { ProjectCopy } from './project.js';

/** Folders of tools, whose content differs from run to run. */
const SKIPPED = new Set(['.git', 'target', '.cache', '__pycache__', '.npm', '.config', '.local', '.cargo']);
const DEPENDENCIES = new Set(['node_modules', '.venv']);
const LOG = /\.(log|out|patch)$/;

export type Snapshot = ReadonlyMap<string, string>;

export interface RowRun {
  readonly exit: number | string | null;
  readonly output: string;
  readonly changes: readonly string[];
}

export function snapshotOf(copy: ProjectCopy): Snapshot {
  const seen = new Map<string, string>();
  for (const [folder, prefix] of [
    [copy.work, ''],
    [copy.home, '~/'],
  ] as const) {
    if (existsSync(folder)) walk(folder, prefix, seen, false);
    else seen.set(prefix, 'gone');
  }
  seen.set('git', copy.state());
  return seen;
}

function walk(folder: string, prefix: string, seen: Map<string, string>, light: boolean): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name) || (prefix === '~/' && entry.name === 'go')) continue;
    const file = path.join(folder, entry.name);
    const name = prefix + entry.name;
    if (entry.isDirectory()) {
      seen.set(`${name}/`, '');
      walk(file, `${name}/`, seen, light || DEPENDENCIES.has(entry.name));
    } else if (entry.isSymbolicLink()) seen.set(name, readlinkSync(file));
    else seen.set(name, light ? String(lstatSync(file).size) : contentOf(file));
  }
}

function contentOf(file: string): string {
  const stat = lstatSync(file);
  if (!stat.isFile()) return 'special';
  const bytes = readFileSync(file);
  // Times and process numbers are in logs.
  const text = LOG.test(file)
    ? bytes
        .toString()
        .replace(/\/tmp\/[^\s'"]*/g, 'T')
        .replace(/[\d.]+/g, '0')
    : bytes;
  return `${stat.mode & 0o111 ? 'x' : '-'}${createHash('sha256').update(text).digest('hex')}`;
}

export function changesOf(before: Snapshot, after: Snapshot): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).map((name) => `${name} ${after.get(name)}`);
}

const TROUBLE =
  /error|denied|cannot|can't|not permitted|read-only|not found|no such file|unable|panicked|failed|refused|fatal/i;

/** Lines that tell of trouble, without what differs from run to run. */
function troubles(output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => TROUBLE.test(line));
  return lines.map((line) =>
    line
      .replace(/\/[\w./@+-]+/g, 'P')
      .replace(/[0-9a-f]{7,40}/g, 'H')
      .replace(/\d+([.,]\d+)*/g, '0')
      .trim(),
  );
}

/** In what the second run differs from the first. Undefined when it does not. */
export function differenceOf(plain: RowRun, guarded: RowRun): string | undefined {
  if (plain.exit !== guarded.exit)
    return `exit ${plain.exit}, with the preset ${guarded.exit}: ${guarded.output.slice(0, 300)}`;
  const [left, right] = [new Set(plain.changes), new Set(guarded.changes)];
  const changes = [
    ...plain.changes.filter((one) => !right.has(one)),
    ...guarded.changes.filter((one) => !left.has(one)),
  ];
  if (changes.length > 0) return `other changes: ${changes.slice(0, 4).join('; ')}`;
  const known = new Set(troubles(plain.output));
  const fresh = troubles(guarded.output).find((line) => !known.has(line));
  return fresh === undefined ? undefined : `other output: ${fresh}`;
}
