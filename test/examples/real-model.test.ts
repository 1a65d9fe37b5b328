import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startNode } from '../support/cli.js';
import { OWN_TOOLS } from '../support/toolkits.js';

const DEMO = 'examples/demo/main.mjs';

/** A request as the service gets it. */
interface Sent {
  readonly model: string;
  readonly tools: readonly Record<string, unknown>[];
  readonly input: readonly { readonly type?: string; readonly output?: unknown }[];
}

let server: Server;
let sent: Sent[];
let temporary: string;

/** A service of the kind the SDK talks to: it asks for one command, then is done. */
function answer(turn: number): object {
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'terminal_run',
    arguments: '{"command":"cat .env","cwd":null,"timeout_ms":null}',
    status: 'completed',
  };
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'I saw no secret.', annotations: [] }],
  };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return { id: `resp_${turn}`, object: 'response', status: 'completed', output: [turn === 1 ? call : message], usage };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
  return body;
}

beforeEach(async () => {
  temporary = mkdtempSync(path.join(tmpdir(), 'handrail-real-'));
  sent = [];
  server = createServer(async (request, response) => {
    sent.push(JSON.parse(await bodyOf(request)) as Sent);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(sent.length)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(temporary, { recursive: true, force: true });
});

/** In the order a model is told about them; the last is a server's, which says nothing of what it requires. */
const TOOLS = [...OWN_TOOLS, 'chat_send', 'mcp__notes__add', 'mcp__notes__list'];

function startDemo(port: number) {
  const env = {
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_MODEL: 'some-model',
    TMPDIR: temporary,
  };
  return startNode([DEMO], { env }).ended;
}

it('npm start with a key asks a real service, which sees a strict schema and no secret', async () => {
  const { code, stdout, stderr } = await startDemo((server.address() as AddressInfo).port);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/model {5}some-model\n/);
  expect(stdout).toContain('1  cat .env');
  expect(stdout).toContain('I saw no secret.');
  expect(sent.map(({ model }) => model)).toEqual(['some-model', 'some-model']);
  expect(sent[0]?.tools.map(({ name, strict }) => [name, strict])).toEqual(TOOLS.map((name) => [name, true]));
  expect(sent[0]?.tools.slice(0, 1)).toMatchObject([
    {
      type: 'function',
      name: 'terminal_run',
      strict: true,
      parameters: {
        required: ['command', 'cwd', 'timeout_ms', 'wait_ms', 'background'],
        additionalProperties: false,
      },
    },
  ]);
  const received = JSON.stringify(sent[1]?.input.find(({ type }) => type === 'function_call_output')?.output);
  expect(received).toContain('OPENAI_API_KEY=[REDACTED]');
  expect(received).toContain('SESSION_PASSWORD=[REDACTED]');
  expect(readdirSync(temporary)).toEqual([]);
});

it('npm start says so when the service cannot be reached, and cleans up', async () => {
  const { code, stderr } = await startDemo(1);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\nthe demonstration failed: .*\n$/);
  expect(readdirSync(temporary)).toEqual([]);
});
