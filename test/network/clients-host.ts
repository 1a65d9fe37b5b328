// Runs as a host of its own, perhaps as another user: what real clients say. Prints a JSON object.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type CommandResult, Terminal, type TerminalOptions } from '../../ts/index.js';
import type { Client } from './clients.js';

/** A run of a client with a host, and the port of a server of its kind. */
export interface ClientRun {
  readonly client: Pick<Client, 'id' | 'files' | 'command'>;
  readonly host: string;
  readonly port: number;
}

export interface ClientsRequest {
  /** The hosts that are allowed, or `any`. */
  readonly network: readonly string[] | 'any';
  /** The proxy of the machine. */
  readonly proxy: string;
  readonly runs: readonly ClientRun[];
  /** The authority of the servers, the key of the user of `ssh`, and the server's key. */
  readonly texts: Readonly<Record<'CERTIFICATE' | 'KEY' | 'KNOWN', string>>;
  /** What further placeholders stand for. */
  readonly places: Readonly<Record<string, string>>;
  /** Programs beside bash that alone may start, where nothing but roots is read. */
  readonly listed?: readonly string[];
}

export interface ClientAnswer {
  readonly id: string;
  readonly ok: boolean;
  readonly output: string;
  readonly blocked: readonly string[];
}

const LIVENESS_MS = 120_000;
const PROXY_VARIABLES = ['http_proxy', 'https_proxy'];

const { network, proxy, runs, texts, places, listed } = JSON.parse(readFileSync(0, 'utf8')) as ClientsRequest;
const folder = mkdtempSync(path.join(tmpdir(), 'handrail-clients-'));
for (const name of PROXY_VARIABLES) process.env[name] = proxy;

const files = Object.fromEntries(Object.keys(texts).map((name) => [name, path.join(folder, name)]));
for (const [name, text] of Object.entries(texts)) writeFileSync(files[name] ?? '', text, { mode: 0o600 });
const authority = files['CERTIFICATE'] ?? '';
const set = {
  npm_config_cafile: authority,
  PIP_CERT: authority,
  CARGO_HTTP_CAINFO: authority,
  GIT_SSL_CAINFO: authority,
};
const options: TerminalOptions = {
  shell: 'bash',
  roots: [folder],
  ...(listed === undefined
    ? { deny: [], approve: () => ({ approved: true }) }
    : { allow: [...listed], trustInterpreters: ['python3'] }),
  confine: {
    network: network === 'any' ? 'any' : { allow: network },
    ...(listed === undefined ? {} : { exec: 'listed', reads: 'roots' }),
  },
  env: { set, ...(network === 'any' ? { inherit: PROXY_VARIABLES } : {}) },
};
const terminal = new Terminal(options);
const answers: ClientAnswer[] = [];
for (const run of runs) answers.push(answerOf(run, await start(run)));
await terminal.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify(answers));

function start({ client, host, port }: ClientRun): Promise<CommandResult> {
  const cwd = mkdtempSync(path.join(folder, 'work-'));
  const values: Record<string, string> = {
    HOST: host,
    PORT: String(port),
    TO: path.join(cwd, 'to'),
    ...files,
    ...places,
  };
  const filled = (text: string): string => text.replace(/\{([A-Z]+)\}/g, (all, name: string) => values[name] ?? all);
  for (const [name, text] of Object.entries(client.files ?? {})) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), filled(text));
  }
  return terminal.run(filled(client.command), { cwd, timeoutMs: LIVENESS_MS });
}

function answerOf({ client }: ClientRun, { ok, output, blocked = [] }: CommandResult): ClientAnswer {
  return { id: client.id, ok, output, blocked: blocked.map(({ guarantee, message }) => `${guarantee}: ${message}`) };
}
