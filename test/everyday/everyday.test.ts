/**
 * Ordinary work in four small projects goes on under their presets as it does without Handrail, and the walls hold: as root
 * and as an ordinary user. `npm test` runs a row of each cause, `npm run soak -- everyday` all.
 */
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hostProgram, USERS } from '../attacks/hosts.js';
import { REPOSITORY } from '../support/copy.js';
import { soakSize } from '../support/soak.js';
import type { EverydayRow, EverydayVerdicts, EverydayWork } from './everyday-host.js';

/** As the host says it. */
const LACKS_TOOLS = 'a tool is missing';

const CORPUS = path.join(REPOSITORY, 'test/corpus/everyday');
const ALL_TIMEOUT_MS = 1_200_000;

/** Rows that do not run as without Handrail, and why. */
const KNOWN: Readonly<Record<string, string>> = {
  'git worktree add out/wt feature/discount && ls out/wt && git worktree remove out/wt':
    'worktree remove discards: it asks',
  "ls tests/*.py | xargs -I{} sh -c 'echo {}; head -1 {}'": 'the code of a shell is completed when it runs',
  'git switch -q -c topic && git switch -q main && git branch -D topic': 'branch -D discards: it asks',
  'git branch -D feature/discount && git branch': 'branch -D discards: it asks',
};

/** As root, walls are tried where a hole would do no harm: everything but the copies is read-only. */
const NAMESPACES = `
set -e
base=$1; shift
mount --make-rprivate /
mount --bind "$base" "$base"
awk '{print $5}' /proc/self/mountinfo | while read -r place; do
  case "$place" in "$base"|"$base"/*|/dev|/dev/*|/proc|/proc/*) continue;; esac
  mount -o remount,ro,bind "$place" 2>/dev/null || true
done
mount -t tmpfs tmpfs /dev/shm
if touch /usr/bin/.written 2>/dev/null; then rm -f /usr/bin/.written; echo 'not read-only' >&2; exit 3; fi
export TMPDIR="$base"
exec "$@"
`;

const rows = JSON.parse(readFileSync(path.join(CORPUS, 'rows.json'), 'utf8')) as readonly EverydayRow[];
const chosen = soakSize(1, 0) === 1 ? rows : rows.filter(({ cause }) => cause !== undefined);
const host = await hostProgram<EverydayWork, EverydayVerdicts>('../everyday/everyday-host.ts');

describe.each(USERS)('as uid %i', (uid) => {
  // Not below /tmp, which is another folder for each run.
  const base = mkdtempSync('/var/tmp/handrail-everyday-');
  const verdicts = new Map<EverydayRow, string | null>();

  beforeAll(async () => {
    chmodSync(base, 0o755);
    chownSync(base, uid, uid === 0 ? 0 : uid);
    const isolated =
      uid === 0 ? ['unshare', '-m', '-p', '-f', '--mount-proc', 'bash', '-c', NAMESPACES, 'walls', base] : [];
    for (const [asked, before] of [
      [chosen.filter(({ harm }) => harm === undefined), []],
      [chosen.filter(({ harm }) => harm !== undefined), isolated],
    ] as const) {
      const modules = path.join(REPOSITORY, 'node_modules');
      const answers = await host(uid, { base, corpus: CORPUS, modules, rows: asked }, before);
      for (const [index, row] of asked.entries()) verdicts.set(row, answers[index] ?? null);
    }
  }, ALL_TIMEOUT_MS);

  afterAll(() => rmSync(base, { recursive: true, force: true }));

  test.for(chosen.map((row) => [row.harm === undefined ? 'goes on' : 'is held', row.script, row] as const))(
    '%s: %s',
    ([, script, row], context) => {
      const verdict = verdicts.get(row);
      context.skip(verdict === LACKS_TOOLS, LACKS_TOOLS);
      const known = KNOWN[script];
      if (known === undefined) expect(verdict).toBeNull();
      else expect({ known, verdict }).not.toMatchObject({ verdict: null });
    },
  );
});
