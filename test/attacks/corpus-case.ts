/** Cases of the corpus of commands that name kernel plans which stop them. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../support/copy.js';
import type { Confine } from './kernel-attack.js';

/** The corpus' own names of the plans. */
export const PROFILES = {
  'no-remove': { writes: 'roots', exec: 'any', network: 'any', remove: 'no' },
  'no-truncate': { writes: 'roots', exec: 'any', network: 'any', remove: 'no-truncate' },
  'read-only': { writes: 'none', exec: 'any', network: 'any' },
  'exec-allowlist': { writes: 'roots', exec: 'listed', network: 'any' },
} as const satisfies Record<string, Confine>;

export type ProfileName = keyof typeof PROFILES;

export interface CorpusCase {
  readonly id: string;
  readonly command: string;
  readonly policy: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  readonly effect: 'canary' | 'none' | 'maybe' | 'skip';
  readonly kernel_stops?: readonly ProfileName[];
}

/** The corpus of this repository, and the larger one where that lies beside it. */
const FILES = [
  path.join(REPOSITORY, 'test/corpus/commands.json'),
  path.resolve(REPOSITORY, '../shared/corpus/commands.json'),
];

/** Every case that some plan stops, each once; none that must never be executed. */
export function stoppedCases(): CorpusCase[] {
  const cases = new Map<string, CorpusCase>();
  for (const file of FILES.filter((name) => existsSync(name))) {
    const corpus = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly CorpusCase[] };
    for (const one of corpus.cases) {
      if (one.effect === 'canary' && (one.kernel_stops?.length ?? 0) > 0) cases.set(one.id, one);
    }
  }
  return [...cases.values()];
}
