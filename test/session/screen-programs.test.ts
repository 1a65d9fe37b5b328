/** What full-screen programs show is what tmux makes of the same bytes. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderPerTest } from '../support/folder.js';
import { live } from '../support/live.js';
import { isInstalled, isRequired } from '../support/programs.js';
import { byTmux, PAINTERS, type Painter, paint } from '../support/screen-corpus.js';
import { soakSize } from '../support/soak.js';

const { host } = live();
const folder = folderPerTest();

const NEEDED = ['python3', 'tmux'];
/** Sequences of keys for each program. `npm run soak -- screens` takes more. */
const SEQUENCES = Number(process.env['HANDRAIL_SCREEN_SEQUENCES'] ?? soakSize(50, 4));
const SEED = Number(process.env['HANDRAIL_SCREEN_SEED'] ?? 20_261);

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function missing({ name }: Painter): string | undefined {
  return [name, ...NEEDED].find((program) => !(isInstalled(program) || isRequired(program)));
}

describe('the screen of a full-screen program, beside tmux', () => {
  for (const painter of PAINTERS) {
    const absent = missing(painter);
    it.skipIf(absent !== undefined)(
      `${painter.name}${absent === undefined ? '' : ` (skipped: no ${absent})`}`,
      { timeout: 120_000 },
      async () => {
        const random = numbers(SEED);
        const session = await paint(host().sessions, painter, path.join(folder(), painter.name));
        await session.read({ until: { quietMs: 400 }, timeoutMs: 10_000 });
        for (let count = 0; count < SEQUENCES; count += 1) {
          await session.press(painter.keys[random(painter.keys.length)] ?? 'esc');
          await session.read({ until: { quietMs: 30 }, timeoutMs: 5_000 });
        }
        await session.read({ until: { quietMs: 400 }, timeoutMs: 10_000 });
        const { text, cursor, fullScreen } = session.screen();
        expect(fullScreen, text).toBe(true);
        const { row, column, text: other } = byTmux(path.join(folder(), painter.name));
        expect(text).toBe(other);
        expect({ row: cursor.row, column: cursor.column }).toEqual({ row, column });
      },
    );
  }
});
