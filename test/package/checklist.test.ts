/** What "works" means, line by line, on the packed package in an empty folder and on every release of Node. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_MAJORS, nodeProgram } from '../../scripts/lib/nodes.mjs';
import { REPOSITORY } from '../support/copy.js';
import { HAS_REDIS } from '../support/redis.js';
import { Release, runBare } from './release.js';

const INSTALL_TIMEOUT_MS = 600_000;
/** Longer than the programs grant themselves: they say which line does not end. */
const PROGRAMS_TIMEOUT_MS = 360_000;

/** The optional peers, and zod, which hosts have. */
const BESIDE = ['@openai/agents', '@modelcontextprotocol/client', 'ioredis', 'zod'];

/** Each program with its lines; `withoutRedis`: those that need none. */
const PROGRAMS: Readonly<Record<string, { readonly lines: number; readonly withoutRedis?: number }>> = {
  terminal: { lines: 17 },
  chat: { lines: 33, withoutRedis: 17 },
  sandbox: { lines: 21 },
  agterm: { lines: 28 },
  executor: { lines: 24 },
  'executor-mcp': { lines: 8 },
};

/** Lines of the list that are not met: nothing else may be missing, and a line that is met leaves this list. */
const GAPS: Readonly<Record<string, readonly string[]>> = {
  terminal: ['built-in: letters of both cases are one, as in toKen= and passWord='],
};

const release = new Release();
let app: string;

beforeAll(async () => {
  await release.make();
  app = await release.install();
  cpSync(path.join(REPOSITORY, 'test/package/checklist'), app, { recursive: true });
  cpSync(path.join(REPOSITORY, 'examples/two-agents/notes-server.mjs'), path.join(app, 'notes-server.mjs'));
  for (const name of BESIDE) {
    const link = path.join(app, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    // Their own dependencies are found where they really lie.
    symlinkSync(path.join(REPOSITORY, 'node_modules', name), link);
  }
}, INSTALL_TIMEOUT_MS);

afterAll(() => release.remove());

describe.concurrent.each(NODE_MAJORS)('the checklist on Node %i', (major) => {
  const node = nodeProgram(major);
  // A machine without a network cannot have it; CI has to.
  const isSkipped = node === undefined && process.env['CI'] === undefined;
  const title = (text: string) => (isSkipped ? `skipped: no Node ${major}` : text);

  describe.concurrent('each program', () => {
    it.skipIf(isSkipped).each(Object.entries(PROGRAMS))(
      title('%s is true from the first line to the last'),
      async (program, { lines, withoutRedis = lines }) => {
        const env = {
          // The programs drive what the machine has.
          PATH: '/usr/bin:/bin',
          TMPDIR: process.env['TMPDIR'] ?? '/tmp',
          HANDRAIL_REQUIRE_REDIS: process.env['HANDRAIL_REQUIRE_REDIS'] ?? '',
        };
        // The programs look at warnings themselves.
        const args = ['--no-warnings', `${program}.mjs`];
        const { code, stdout, stderr } = await runBare(node ?? 'missing', args, { cwd: app, env });
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const said = stdout.split('\n').slice(0, -1);
        const found = (kind: RegExp) => said.filter((text) => kind.test(text)).map((text) => text.replace(kind, ''));
        expect(found(/^gap: /)).toEqual(GAPS[program] ?? []);
        const skips = found(/^skipped: /);
        for (const skip of skips) process.stderr.write(`checklist ${program}, Node ${major}: skipped: ${skip}\n`);
        // A program of the machine that is missing costs its line; without Redis, its half.
        const repls = program === 'agterm' ? skips.length : 0;
        expect(found(/^ok \d+ /)).toHaveLength((HAS_REDIS ? lines : withoutRedis) - repls);
      },
      PROGRAMS_TIMEOUT_MS,
    );
  });
});
