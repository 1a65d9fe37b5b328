import { afterAll, expect, test } from 'vitest';
import {
  AGTerm,
  createToolkit,
  Files,
  FilesystemTool,
  isHandrailError,
  MemoryBus,
  Redactor,
  RedisBus,
  sendMessage,
  Terminal,
  TerminalTool,
  ToolExecutor,
} from '../../ts/index.js';

/** The keys that options take, of what is said about a key that they do not take. */
async function knownKeys(give: (options: object) => unknown): Promise<string[]> {
  try {
    await give({ nosuch: undefined });
  } catch (error) {
    if (isHandrailError(error) && error.code === 'ERR_INVALID_ARGUMENT') {
      return / are (.*)$/.exec(error.message)?.[1]?.split(', ') ?? [];
    }
    throw error;
  }
  throw new Error('an unknown key was taken');
}

const bus = new MemoryBus();
const files = new Files({ roots: ['.'] });
const terminal = new Terminal({ allow: ['true'] });

afterAll(async () => {
  await Promise.all([bus.close(), files.close(), terminal.close()]);
});

type Taker = readonly [name: string, give: (options: object) => unknown, required: object];

const TAKERS: readonly Taker[] = [
  ['Terminal', (options) => new Terminal(options), {}],
  ['Terminal, output', (output) => new Terminal({ output }), {}],
  ['Terminal, env', (env) => new Terminal({ env }), {}],
  ['Terminal, confine', (confine) => new Terminal({ confine }), {}],
  ['Terminal, a rule', (rule) => new Terminal({ allow: [rule as { program: string }] }), { program: 'true' }],
  ['Terminal, a root', (root) => new Terminal({ roots: [root as { path: string }] }), { path: '.' }],
  ['run()', (options) => terminal.run(['true'], options), {}],
  ['Redactor', (options) => new Redactor(options), {}],
  ['Files', (options) => new Files(options as { roots: string[] }), { roots: ['.'] }],
  ['read()', (options) => files.read('package.json', options), {}],
  ['list()', (options) => files.list('.', options), {}],
  ['glob()', (options) => files.glob('*.json', options), {}],
  ['grep()', (options) => files.grep('nosuch', { ...options, glob: '*.toml' }), {}],
  ['MemoryBus', (options) => new MemoryBus(options), {}],
  ['RedisBus', (options) => new RedisBus(options as { url: string }), { url: 'redis://127.0.0.1:1' }],
  ['read() of a bus', (options) => bus.read('t', options), {}],
  ['sendMessage()', (options) => sendMessage('chat:a', 'b', { ...options, bus }), {}],
  ['TerminalTool', (options) => new TerminalTool(options), {}],
  ['FilesystemTool', (options) => new FilesystemTool(options), {}],
  ['ToolExecutor', (options) => new ToolExecutor('.', options), {}],
  ['AGTerm', (options) => new AGTerm('cat', options), {}],
  ['createToolkit', (options) => createToolkit(options as { workspace: string }), { workspace: '.' }],
];

test.each<Taker>(TAKERS)('%s takes `undefined` for whatever may be left out', async (_name, give, required) => {
  const keys = await knownKeys((options) => give({ ...required, ...options }));
  expect(keys.length).toBeGreaterThan(0);
  const options = { ...Object.fromEntries(keys.map((key) => [key, undefined])), ...required };
  const made = (await give(options)) as Partial<AsyncDisposable> | undefined;
  await made?.[Symbol.asyncDispose]?.();
});
