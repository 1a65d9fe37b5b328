import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isHandrailError } from '../errors.js';
import type { ServeMcpHttpOptions, ServeTlsOptions } from '../mcp-server/http-options.js';
import { MAX_GRACE_MS } from '../mcp-server/limits.js';
import { serveMcpHttp } from '../mcp-server/serve-http.js';
import { createToolkit } from '../toolkit.js';
import { type CommandLine, lastValue, listEntries } from './arguments.js';
import { EndSignals } from './end-signals.js';
import { EXIT, signalCode } from './exit-code.js';
import { openAudit, rootsOf, toolkitOptions } from './mcp.js';
import type { Outputs } from './outputs.js';
import { projectText } from './project-options.js';
import { DEFAULT_ADDRESS, DEFAULT_DRAIN_MS, SERVE } from './serve-options.js';
import { readLineWithSettings } from './settings.js';
import { readablePath } from './shown-path.js';
import { tokensIn, usualTokenFile } from './token-file.js';
import { UsageError } from './usage-error.js';

/** Runs `handrail serve` until a signal comes and everything that it started has ended. Returns the exit code. */
export async function serve(args: readonly string[], outputs: Outputs): Promise<number> {
  const line = readLineWithSettings(args, SERVE);
  if (line.words.length > 0)
    throw new UsageError('serve takes options only; programs are named with --project and --allow');
  const roots = rootsOf(line);
  const drainMs = drainOf(line);
  const { tokenFile, ...options } = httpOptions(line, roots);
  using audit = openAudit(line, roots);
  const { terminal, ...others } = toolkitOptions(line, roots, outputs);
  if (tokenFile !== undefined && terminal.confine?.writes === 'any')
    throw new UsageError('--writes any lets commands write the tokens too: it needs --no-auth');
  // Commands could show the tokens to a model.
  const unreadable = [...(terminal.confine?.unreadable ?? []), ...(tokenFile === undefined ? [] : [tokenFile])];
  using signals = new EndSignals();
  await using toolkit = await createToolkit({
    ...{ ...others, ...(audit === undefined ? {} : { audit: audit.add }) },
    terminal: { ...terminal, confine: { ...terminal.confine, unreadable } },
  });
  const server = await serveMcpHttp(toolkit, options).catch((error: unknown) => {
    if (isHandrailError(error) && error.code === 'ERR_INVALID_ARGUMENT') throw new UsageError(error.message);
    throw error;
  });
  const { project } = toolkit;
  if (project !== undefined) void outputs.remark(`handrail: project ${projectText(project)}\n`);
  const how = tokenFile === undefined ? 'without a token' : `for those with a token of ${readablePath(tokenFile)}`;
  void outputs.remark(`handrail: serving at ${server.url}, ${how}\n`);
  await fired(signals.signal);
  using again = new EndSignals();
  await Promise.race([server.close({ graceMs: drainMs }), fired(again.signal)]);
  if (again.first !== null) return signalCode(again.first);
  return EXIT.ok;
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function drainOf(line: CommandLine): number {
  const given = lastValue(line, 'drain');
  if (given === undefined) return DEFAULT_DRAIN_MS;
  const drainMs = Number(given);
  if (/^\d+$/.test(given) && drainMs <= MAX_GRACE_MS) return drainMs;
  throw new UsageError(`--drain takes a whole number of milliseconds from 0 to ${MAX_GRACE_MS}`);
}

function httpOptions(
  line: CommandLine,
  roots: readonly string[],
): ServeMcpHttpOptions & { readonly tokenFile?: string | undefined } {
  const socket = lastValue(line, 'socket');
  const address = lastValue(line, 'http');
  if (socket !== undefined && address !== undefined) throw new UsageError('--socket takes the place of --http');
  const place = socket === undefined ? addressOf(address ?? DEFAULT_ADDRESS) : { socket: path.resolve(socket) };
  const tls = tlsOptions(line);
  const shared = {
    ...{ ...place, ...(tls === undefined ? {} : { tls }) },
    ...{ hosts: listEntries(line, 'server-name'), origins: listEntries(line, 'origin') },
  };
  const named = lastValue(line, 'token-file');
  if (line.flags.has('no-auth')) {
    if (named !== undefined) throw new UsageError('--no-auth and --token-file do not go together');
    return { ...shared, auth: 'none' };
  }
  const tokenFile = path.resolve(named ?? usualTokenFile());
  return { ...shared, tokens: tokensIn(tokenFile, roots).tokens, tokenFile };
}

/** Reads `HOST:PORT`; an IPv6 address stands in brackets. */
function addressOf(address: string): { host: string; port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new UsageError(`--http takes HOST:PORT, such as ${DEFAULT_ADDRESS}`);
  return { host, port: Number(port) };
}

function tlsOptions(line: CommandLine): ServeTlsOptions | undefined {
  const read = (name: string): Buffer | undefined => {
    const file = lastValue(line, name);
    if (file === undefined) return;
    try {
      return readFileSync(file);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
      throw new UsageError(`--${name} ${readablePath(file)} cannot be read (${code})`);
    }
  };
  const [cert, key, clientCa] = [read('tls-cert'), read('tls-key'), read('tls-client-ca')];
  if (cert === undefined && key === undefined && clientCa === undefined) return;
  if (cert === undefined || key === undefined) throw new UsageError('--tls-cert and --tls-key go together');
  return { cert, key, clientCa };
}
