/** A client that writes whatever it likes, for servers in this process and in one of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { serveMcp } from '../../ts/mcp-server/serve.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { REPOSITORY } from '../support/copy.js';
import { until } from '../support/processes.js';

export const MAIN = path.join(REPOSITORY, 'dist/cli/main.js');

/** A message of the server, as far as tests look at one. */
export interface Answer {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly progress?: number };
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly protocolVersion?: string;
    readonly tools?: readonly { readonly name: string }[];
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** One connection. */
export class Client {
  readonly answers: Answer[] = [];
  readonly #input: Writable;
  #rest = '';

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    input.on('error', () => undefined);
    output.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${this.#rest}${text}`.split('\n');
      this.#rest = lines.pop() ?? '';
      // What is no JSON fails the test here.
      this.answers.push(...lines.map((line) => JSON.parse(line) as Answer));
    });
  }

  /** Writes it as it is. */
  write(text: string | Uint8Array): void {
    this.#input.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  call(id: string | number, name: string, args: unknown, meta?: object): void {
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    this.send({ id, method: 'tools/call', params });
  }

  end(): void {
    this.#input.end();
  }

  /** The answer to a request, once it is there. */
  async answer(id: string | number | null): Promise<Answer> {
    const find = () => this.answers.find((answer) => answer.id === id && answer.method === undefined);
    await until(() => find() !== undefined);
    return find() ?? { id: 'no answer came' };
  }

  /** The text that answers a call. */
  async text(id: string | number): Promise<string> {
    const { result } = await this.answer(id);
    return result?.content?.[0]?.text ?? 'no text came';
  }
}

/** Serves a toolkit in this process. */
export function served(toolkit: Toolkit): { client: Client; done: Promise<void>; end: AbortController } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const end = new AbortController();
  const done = serveMcp(toolkit, { input, output, signal: end.signal });
  return { client: new Client(input, output), done, end };
}

/** Starts `handrail mcp` with these arguments. */
export function started(
  folder: string,
  ...args: readonly string[]
): {
  client: Client;
  child: ChildProcess;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
} {
  const child = spawn(process.execPath, [MAIN, 'mcp', ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
  return { client: new Client(child.stdin, child.stdout), child, ended };
}
