import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Reason } from '../report/decision.js';
import { isBeneath } from '../terminal/beneath.js';
import type { Terminal } from '../terminal/terminal.js';
import { MAX_ECHOED_NAME_CHARS } from './limits.js';

/** Where programs of a call are looked for. */
export interface ProgramPlaces {
  readonly terminal: Pick<Terminal, 'searchPath'>;
  /** The roots; relative paths begin in the first. */
  readonly roots: readonly string[];
  readonly cwd: string | undefined;
}

/** A line for each program that the lists refuse and that is not there: no lift of the lists makes it run. */
export function missingPrograms(reasons: readonly Reason[], command: string, places: ProgramPlaces): string[] {
  const bare = reasons.flatMap(({ rule, program }) => (rule.startsWith('list.') && program ? [program] : []));
  const paths = reasons.flatMap(({ rule, span }) =>
    rule === 'program.untrusted_path' ? [command.slice(...span)] : [],
  );
  const absent = bare.filter((name) => !name.includes('/') && !isInstalled(name, places.terminal));
  const [first = ''] = places.roots;
  const gone = paths.filter((word) => {
    const file = path.resolve(first, places.cwd ?? '', word);
    return word.includes('/') && places.roots.some((root) => isBeneath(root, file)) && !existsSync(file);
  });
  const isShown = (name: string): boolean => name.length <= MAX_ECHOED_NAME_CHARS;
  const lines = [
    ...absent.filter(isShown).map((name) => `'${name}' is not installed here.`),
    ...gone.filter(isShown).map((word) => `'${word}' does not exist.`),
  ];
  return [...new Set(lines)];
}

function isInstalled(name: string, terminal: ProgramPlaces['terminal']): boolean {
  const folders = terminal.searchPath().filter(({ leftOut }) => leftOut === undefined);
  return folders.some(({ path: folder }) => existsSync(path.join(folder, name)));
}
