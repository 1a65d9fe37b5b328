import path from 'node:path';
import { MAX_READY_MS } from '../mcp/limits.js';
import { LockFile } from '../mcp/lock-file.js';
import { MCP_PREFIX } from '../mcp/names.js';
import { pinnedServer } from '../mcp/pinned-server.js';
import type { McpServerInfo } from '../mcp/server-info.js';
import type { McpServerOptions } from '../mcp/server-options.js';
import type { McpToolsChange } from '../mcp/tool-set.js';
import { Redactor } from '../redaction/redactor.js';
import { renderForApproval } from '../terminal/approval.js';
import { rootsOption } from '../terminal/options.js';
import { writableRoots } from '../terminal/roots.js';
import { createToolkit, type Toolkit } from '../toolkit.js';
import { type CommandLine, lastValue } from './arguments.js';
import { askYes, whyUnasked } from './ask-person.js';
import { EndSignals } from './end-signals.js';
import { EXIT, signalCode } from './exit-code.js';
import type { MCP_ACTIONS } from './mcp-options.js';
import type { Outputs } from './outputs.js';
import { checkedServers, readServersFile } from './servers-file.js';
import { styleFor } from './style.js';
import { changeText } from './tools-change.js';
import { UsageError } from './usage-error.js';

/** An action on the approved tools of servers. */
export type McpAction = (typeof MCP_ACTIONS)[number];

/** The options that the actions take. */
const ACTION_OPTIONS: Readonly<Record<McpAction, readonly string[]>> = {
  approve: ['servers', 'lock', 'root', 'yes'],
  list: ['lock', 'root'],
  remove: ['lock', 'root'],
};

/** Runs `handrail mcp approve`, `list` or `remove`. Returns the exit code. */
export async function manageTools(
  action: McpAction,
  line: CommandLine,
  roots: readonly string[],
  outputs: Outputs,
): Promise<number> {
  const [server, ...more] = line.words.slice(1);
  const wrongOption = [...line.flags, ...line.values.keys()].find(
    (name) => !ACTION_OPTIONS[action].includes(name) && !line.sources.has(name),
  );
  if (wrongOption !== undefined) throw new UsageError(`--${wrongOption} is not for ${action}`);
  if (more.length > 0) throw new UsageError(`${action} takes one SERVER`);
  const lock = lockOf(line, roots);
  if (action === 'approve') return await approve(line, server, roots, outputs);
  if (action === 'list') {
    if (server !== undefined) throw new UsageError('list takes no SERVER');
    const lines = lock.list().map(({ name, source, tools }) => `${name}: ${countText(tools)}, of ${source}\n`);
    await outputs.write('stdout', lines.join(''));
    return EXIT.ok;
  }
  if (server === undefined) throw new UsageError('remove takes the SERVER that is to be forgotten');
  if (lock.remove(server) === 0) throw new UsageError('no server of this name is approved');
  await outputs.write('stdout', `${server} is forgotten\n`);
  return EXIT.ok;
}

/** The servers of `--servers` that a client is offered. */
export interface ApprovedServers {
  readonly options: { readonly mcpServers: readonly McpServerOptions[]; readonly mcpLock: string | true };
  /** Whether this is a tool of a server that nobody has approved. */
  isLeftOut(tool: string): boolean;
}

/** The servers that are approved. The others are not even started, and named on standard error. */
export function approvedServers(line: CommandLine, roots: readonly string[], outputs: Outputs): ApprovedServers {
  const lock = lockOf(line, roots);
  const servers = serversOf(line);
  const leftOut = servers.filter((server) => !isKnown(lock, server, roots));
  for (const { name } of leftOut) {
    void outputs.remark(`handrail: the MCP server ${name} is not started: handrail mcp approve shows what it offers\n`);
  }
  return {
    options: { mcpServers: servers.filter((server) => !leftOut.includes(server)), mcpLock: lockFile(line) ?? true },
    isLeftOut: (tool) => leftOut.some(({ name }) => tool.startsWith(`${MCP_PREFIX}${name}__`)),
  };
}

async function approve(
  line: CommandLine,
  only: string | undefined,
  roots: readonly string[],
  outputs: Outputs,
): Promise<number> {
  const servers = serversOf(line).filter(({ name }) => only === undefined || name === only);
  if (only !== undefined && servers.length === 0)
    throw new UsageError('there is no server of this name in the file of --servers');
  using signals = new EndSignals();
  const approval = new ToolApproval(line, roots, outputs, signals.signal);
  let isWhole = true;
  for (const server of servers) {
    if (signals.first !== null) return signalCode(signals.first);
    isWhole = (await approval.of(server)) && isWhole;
  }
  return isWhole ? EXIT.ok : EXIT.open;
}

/** Shows a person what servers offer, and asks. */
class ToolApproval {
  readonly #line: CommandLine;
  readonly #roots: readonly string[];
  readonly #outputs: Outputs;
  readonly #signal: AbortSignal;

  constructor(line: CommandLine, roots: readonly string[], outputs: Outputs, signal: AbortSignal) {
    this.#line = line;
    this.#roots = roots;
    this.#outputs = outputs;
    this.#signal = signal;
  }

  /** Whether the tools of a server are approved in the end. */
  async of(server: McpServerOptions): Promise<boolean> {
    const lock = lockOf(this.#line, this.#roots);
    const { name } = server;
    const { source } = pinOf(lock, server, this.#roots);
    await this.#say(`${name}: ${source}`);
    if (!isKnown(lock, server, this.#roots)) {
      for (const other of lock.sourcesOf(name)) await this.#say(`  approved before under this name: ${other}`);
      const question = `${server.url === undefined ? 'Start' : 'Call'} it, to see its tools?`;
      if (!(await this.#agrees(question))) return false;
    }
    await using toolkit = await quietToolkit({
      roots: this.#roots,
      mcpServers: [server],
      mcpLock: lockFile(this.#line) ?? true,
      mcpReadyMs: MAX_READY_MS,
    });
    const info = toolkit.mcp?.servers[0];
    return info !== undefined && (await this.#decide(toolkit, info));
  }

  async #decide(
    toolkit: Toolkit,
    { name, state, reason, problems, unapproved, tools }: McpServerInfo,
  ): Promise<boolean> {
    // Names of a server are in them: none may look like a line of ours.
    for (const problem of problems) await this.#say(`  ${renderForApproval(problem)}`);
    if (state !== 'ready') {
      await this.#say(`  ${reason === '' ? 'it is not ready' : renderForApproval(reason)}`);
      return false;
    }
    if (unapproved === undefined) {
      await this.#say(`  ${countText(tools.length)}, as approved`);
      return true;
    }
    await this.#outputs.write('stdout', changeText(unapproved, styleFor(process.stdout)));
    if (!(await this.#agrees('Offer these tools to models?', unapproved))) return false;
    toolkit.mcp?.approve(name, unapproved.digest);
    await this.#say(`${name} is approved`);
    return true;
  }

  /** @param change What it is about. It is shown with the question where the standard output is not the terminal. */
  async #agrees(question: string, change?: McpToolsChange): Promise<boolean> {
    if (this.#line.flags.has('yes')) return true;
    const unasked = whyUnasked(false);
    if (unasked === undefined) {
      const isSeen = change === undefined || process.stdout.isTTY;
      return await askYes(isSeen ? '' : changeText(change, styleFor({ isTTY: true })), question, this.#signal);
    }
    await this.#outputs.remark(`handrail: ${unasked} --yes agrees\n`);
    return false;
  }

  #say(text: string): Promise<void> {
    return this.#outputs.write('stdout', `${text}\n`);
  }
}

/** A toolkit whose warnings about servers are not printed: what they say is shown as a part of the answer. */
async function quietToolkit(options: Parameters<typeof createToolkit>[0]): Promise<Toolkit> {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if ((warning as { code?: unknown }).code === 'HANDRAIL_MCP') return;
    for (const listener of listeners) listener(warning);
  });
  return await createToolkit(options);
}

function serversOf(line: CommandLine): readonly McpServerOptions[] {
  const files = line.values.get('servers') ?? [];
  if (files.length === 0) throw new UsageError('approve takes the servers from a file: --servers FILE');
  const servers = files.flatMap((file) => readServersFile(path.resolve(file)));
  checkedServers(servers, '--servers');
  return servers;
}

function isKnown(lock: LockFile, server: McpServerOptions, roots: readonly string[]): boolean {
  return lock.approved(pinOf(lock, server, roots)) !== undefined;
}

function pinOf(lock: LockFile, server: McpServerOptions, [root = '.']: readonly string[]) {
  const [checked] = checkedServers([server], '--servers');
  if (checked === undefined) throw new TypeError('a server was lost');
  return pinnedServer(checked, { redactor: new Redactor(), pins: lock, cwd: root });
}

function lockFile(line: CommandLine): string | undefined {
  const file = lastValue(line, 'lock');
  return file === undefined ? undefined : path.resolve(file);
}

function lockOf(line: CommandLine, roots: readonly string[]): LockFile {
  return new LockFile({ file: lockFile(line), writable: writableRoots(rootsOption(roots)), shownOption: '--lock' });
}

function countText(count: number): string {
  return count === 1 ? '1 tool' : `${count} tools`;
}
