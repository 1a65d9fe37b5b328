import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { until } from '../support/processes.js';
import { describeWithRedis } from '../support/redis.js';

const DEMO = ['examples/demo/main.mjs'];
/** The demonstration waits for a deadline and counts to three million. */
const DEMO_TIMEOUT_MS = 240_000;

const README = readFileSync(path.join(REPOSITORY, 'README.md'), 'utf8');

let temporary: string;

beforeEach(() => {
  temporary = mkdtempSync(path.join(tmpdir(), 'handrail-examples-'));
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

/** The demonstration with a temporary folder of its own and the scripted model. */
function startDemo(env: Record<string, string> = {}) {
  return startNode(DEMO, { env: { OPENAI_API_KEY: undefined, TMPDIR: temporary, ...env } });
}

test('the dev server is started, waited for, tested and stopped', async () => {
  const { code, stdout, stderr } = await startNode([path.join(REPOSITORY, 'examples/dev-server/main.mjs')], {
    cwd: temporary,
  }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /\[j1 runs on: [\s\S]*\[j1 listens on port 48398[\s\S]*\nhello from the server\n[\s\S]*\[j1 has ended\]/,
  );
});

describe('the ten lines', () => {
  const example = readFileSync(path.join(REPOSITORY, 'examples/hands.mjs'), 'utf8');

  it('print what the README says, but for the time', async () => {
    const { code, stdout, stderr } = await startNode([path.join(REPOSITORY, 'examples/hands.mjs')], { cwd: temporary })
      .ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const said = /```text\n([\s\S]*?)```/.exec(README)?.[1];
    const timeless = (text = '') => text.replaceAll(/ in \d+ ms$/gm, '');
    expect(timeless(stdout)).toBe(timeless(said));
    expect(readdirSync(temporary)).toEqual(['demo.env']);
  });

  it('are ten, and the ones the README quotes', () => {
    expect(README).toContain(`\`\`\`js\n${example}\`\`\``);
    expect(example.split('\n').slice(0, -1)).toHaveLength(10);
  });
});

describe('the example for the SDK', () => {
  it('runs with the real runner, and is refused what is not allowed', async () => {
    const files = ['test/support/scripted-provider.mjs', 'examples/agent.mjs'];
    const args = ['--import', ...files.map((file) => path.join(REPOSITORY, file))];
    writeFileSync(path.join(temporary, 'package.json'), '{}');
    const env = { XDG_CACHE_HOME: path.join(temporary, 'cache') };
    const { code, stdout, stderr } = await startNode(args, { cwd: temporary, env }).ended;
    expect(stderr).toMatch(/^exit 0 in \d+ ms\ngit version .*\ndenied: /);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The example ran.\n' });
  });

  it('is the one the README quotes', () => {
    const example = readFileSync(path.join(REPOSITORY, 'examples/agent.mjs'), 'utf8');
    expect(README).toContain(`\`\`\`js\n${example}\`\`\``);
  });
});

describe('the five surfaces', () => {
  it('each say what they did, and leave nothing behind', async () => {
    const { code, stdout, stderr } = await startNode(['examples/five-surfaces.mjs'], { env: { TMPDIR: temporary } })
      .ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n').slice(0, -1);
    expect(lines.map((line) => [line.split(' ')[0], JSON.parse(line.slice(15))])).toEqual([
      ['terminalRun', 'ok=true exit=0 timeout=false truncated=false\noutput:\npassword=[REDACTED]\n'],
      ['TerminalTool', { exitCode: 0, words: '3' }],
      ['TerminalTool', "Command 'rm' is blocked by sandbox policy"],
      ['AGTerm', { hello: 'hello world', reason: 'marker' }],
      ['sendMessage', { published_to: ['chat:c1', 'chat:Builder'], content: 'please build' }],
      [
        'ToolExecutor',
        {
          tools: ['bash', 'read', 'write', 'edit', 'mcp__notes__add', 'mcp__notes__list'],
          noted: 'note 1: one two three',
        },
      ],
    ]);
    // `terminalRun` has nothing to close: what it worked in goes with its host, a moment later.
    expect(await until(() => readdirSync(temporary).length === 0)).toBeDefined();
  });
});

/** What two agents say to each other, whatever carries it. */
const TALK = [
  'agent:Planner -> agent:Builder: Count the lines of todo.txt and note the number. The deploy key is password=[REDACTED].',
  'agent:Builder -> agent:Planner: todo.txt has 3 lines; noted.',
  'todo.txt has 3 lines',
  '',
].join('\n');

/** The two agents with scripted models, on the bus of their process or on a Redis. */
function startTwoAgents(redisUrl: string | undefined) {
  const env = { OPENAI_API_KEY: undefined, REDIS_URL: redisUrl, TMPDIR: temporary };
  const { child, ended } = startNode(['examples/two-agents/main.mjs'], { env });
  talking.add(child);
  return ended.finally(() => talking.delete(child));
}

/** Runs that go on. An answer that never comes is waited for longer than a test takes. */
const talking = new Set<ChildProcess>();
afterEach(() => {
  for (const child of talking) child.kill('SIGKILL');
});

describe('the two agents', () => {
  it('do their work over the bus of their process, and leave nothing behind', async () => {
    expect(await startTwoAgents(undefined)).toEqual({ code: 0, signal: null, stdout: TALK, stderr: '' });
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describeWithRedis('the two agents over Redis', (server) => {
  it('say the same, and twice at a time on one server', async () => {
    const ended = await Promise.all([startTwoAgents(server.url), startTwoAgents(server.url)]);
    for (const one of ended) expect(one).toEqual({ code: 0, signal: null, stdout: TALK, stderr: '' });
    const client = server.client();
    try {
      // Each run has a conversation of its own; its messages are kept, masked.
      const conversations = await client.keys('chat:demo-*');
      expect(conversations).toHaveLength(2);
      for (const key of conversations) expect(await client.xlen(key)).toBe(2);
      const kept = JSON.stringify(await client.xrange('chat:Builder', '-', '+'));
      expect(kept).toContain('password=[REDACTED]');
      expect(kept).not.toContain('hunter2');
    } finally {
      client.disconnect();
    }
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('the example of a patch', () => {
  it('changes nothing at first, then all of its files', async () => {
    const { code, stdout, stderr } = await startNode([path.join(REPOSITORY, 'examples/patch.mjs')], { cwd: temporary })
      .ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [refused, patched, ran] = stdout.split('\n\n');
    expect(refused).toMatch(/^Patch not applied \(0 of 2 files\)\. price\.js hunk 1: .*file line 2:\n/);
    expect(refused).toContain('  file:  →return·net·*·1.2;');
    expect(patched).toMatch(
      /^Patched 3 files\.\nupdate shop\.js \(\+1 -1\)\nmove price\.js -> tax\.js \(\+1 -1\)\nadd /,
    );
    expect(ran).toContain('return net * 1.25;');
    expect(readdirSync(temporary).sort()).toEqual(['package.json', 'shop.js', 'tax.js']);
  });
});

describe('npm start', () => {
  it(
    'shows each step with its decision and its cost, and leaves nothing behind',
    async () => {
      const { code, stdout, stderr } = await startDemo().ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const steps = stdout.split(/\n(?= {0,1}\d{1,2} {2}\S)/).slice(1);
      expect(steps.map((step) => step.split('\n')[0]?.trim())).toEqual([
        '1  git status --short --branch',
        '2  git log --oneline | head -2',
        '3  file_edit price.js',
        '4  file_edit price.js',
        '5  git diff --stat; rm -rf .git',
        '6  cat .env',
        '7  setsid --wait sleep 300',
        '8  seq 1 3000000',
        '9  session_start bash',
        '10  session_send cd . && vat=19',
        '11  session_send echo "vat is $vat"; rm price.js',
        '12  session_send echo "vat is $vat"',
        '13  mcp__notes__add',
        '14  chat_send agent:Reviewer',
      ]);
      expect(steps[0]).toMatch(/decided {3}allowed.*, done\n {4}received {2}\| exit 0 in \d+ ms\n/);
      expect(steps[1]).toMatch(/\| [0-9a-f]{7} price: add tax\n.*\| [0-9a-f]{7} shop: first page\n/);
      expect(steps[2]).toMatch(/decided {3}allowed, no match\n/);
      expect(steps[2]).toContain('export const price = (net) => net * 1.07;');
      expect(steps[3]).toMatch(/decided {3}allowed, done\n {4}received {2}\| Edited price\.js: line 1 \(\+1 -1\)\.\n/);
      expect(steps[4]).toMatch(/decided {3}denied by list\.not_allowed\n/);
      expect(steps[4]).toContain('Allowed programs: bash, cat, git');
      expect(steps[5]).toContain('OPENAI_API_KEY=[REDACTED]');
      expect(steps[5]).toContain('secrets masked]');
      expect(steps[6]).toMatch(/decided {3}allowed.*, timed out\n/);
      expect(steps[6]).toContain('left      0 processes (looked up in /proc)');
      expect(steps[7]).toMatch(/\| \[16 of 3,000,000 lines shown; the first 16,777,216 bytes in /);
      expect(steps[7]).toMatch(/22,888,896 bytes -> \d{3} characters/);
      expect(steps[10]).toMatch(/decided {3}denied by list\.not_allowed\n/);
      expect(steps[11]).toMatch(/\| vat is 19\n/);
      expect(steps[12]).toMatch(/\| note 1: the tax of price\.js is 19 %\n/);
      expect(steps[13]).toMatch(/\| \{"ok":true,"envelope_id":/);
      expect(stdout).toMatch(/\n {4}processes left {2}0\n/);
      expect(stdout).toMatch(/\n {4}secrets masked {2}[3-9]\n/);
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
      expect(stdout).not.toContain('\u001b');
      expect(readdirSync(temporary)).toEqual([]);
    },
    DEMO_TIMEOUT_MS,
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'cleans up at %s',
    async (signal) => {
      const { child, ended } = startDemo();
      let seen = '';
      let sent = false;
      child.stdout?.on('data', (text: string) => {
        seen += text;
        if (sent || !/\n 6 {2}cat/.test(seen)) return;
        // Nothing is printed while the seventh step waits for its deadline: the sixth is the last one seen.
        sent = true;
        setTimeout(() => child.kill(signal), 100);
      });
      expect((await ended).code).toBe(130);
      expect(readdirSync(temporary)).toEqual([]);
    },
    DEMO_TIMEOUT_MS,
  );
});
