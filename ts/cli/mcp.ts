import path from 'node:path';
import { AuditFile } from '../audit/audit-file.js';
import { isHandrailError } from '../errors.js';
import { serveMcp } from '../mcp-server/serve.js';
import { createToolkit } from '../toolkit.js';
import { CHANGES_MODES } from '../tools/changes-modes.js';
import type { ToolkitOptions } from '../tools/toolkit-options.js';
import { type CommandLine, lastValue, listEntries, optionLabel } from './arguments.js';
import { confineOptions, oneOf } from './confine-options.js';
import { EndSignals } from './end-signals.js';
import { EXIT, signalCode } from './exit-code.js';
import { whatItHolds } from './implied-root.js';
import { MCP, MCP_ACTIONS } from './mcp-options.js';
import { approvedServers, manageTools } from './mcp-pins.js';
import type { Outputs } from './outputs.js';
import { policyOptions } from './policy-options.js';
import { programOptions } from './program-options.js';
import { projectKinds, projectText } from './project-options.js';
import { readLineWithSettings } from './settings.js';
import { readablePath } from './shown-path.js';
import { assertListOutside } from './trust-store.js';
import { UsageError } from './usage-error.js';

/**
 * Runs `handrail mcp`: an action on the approved tools of servers, or the server, until the client has gone and everything
 * that it started has ended. Returns the exit code.
 */
export async function mcp(args: readonly string[], outputs: Outputs): Promise<number> {
  const line = readLineWithSettings(args, MCP);
  const [word] = line.words;
  const action = MCP_ACTIONS.find((name) => name === word);
  if (word !== undefined && action === undefined) {
    const actions = `${MCP_ACTIONS.slice(0, -1).join(', ')} or ${MCP_ACTIONS.at(-1)}`;
    throw new UsageError(`mcp takes options only, or ${actions}; programs are named with --project and --allow`);
  }
  const roots = rootsOf(line);
  if (action !== undefined) return await manageTools(action, line, roots, outputs);
  if (line.flags.has('yes')) throw new UsageError('--yes is for approve');
  const options = toolkitOptions(line, roots, outputs);
  using audit = openAudit(line, roots);
  using signals = new EndSignals();
  try {
    await serve({ ...options, ...(audit === undefined ? {} : { audit: audit.add }) }, signals.signal, outputs);
  } finally {
    // The client may still be there without reading: wait for it only for a moment.
    outputs.trackStdout();
    await outputs.settle(AbortSignal.abort());
  }
  return signals.first === null ? EXIT.ok : signalCode(signals.first);
}

/** Opens the audit file, where there is to be one. What is wrong with it is a mistake on the command line. */
export function openAudit(line: CommandLine, roots: readonly string[]): AuditFile | undefined {
  const file = lastValue(line, 'audit');
  if (file === undefined) return;
  if (confineOptions(line).confine?.writes === 'any') {
    const advice = 'commands could write FILE too. Leave one of them out';
    throw new UsageError(`--audit and ${optionLabel(line, 'writes')} any do not go together: ${advice}`);
  }
  try {
    return new AuditFile(file, roots, `--audit ${readablePath(file)}`);
  } catch (error) {
    throw isHandrailError(error) ? new UsageError(error.message) : error;
  }
}

/** Serves the client until it has gone and everything that was started has ended. */
async function serve(options: ToolkitOptions, signal: AbortSignal, outputs: Outputs): Promise<void> {
  await using toolkit = await createToolkit(options);
  const { project } = toolkit;
  if (project !== undefined) void outputs.remark(`handrail: project ${projectText(project)}\n`);
  try {
    await serveMcp(toolkit, { signal });
  } finally {
    // A client that has not gone is not waited for.
    process.stdin.destroy();
  }
}

/** The absolute directories that the tools work in. */
export function rootsOf(line: CommandLine): readonly string[] {
  const given = line.values.get('root');
  const roots = (given ?? ['.']).map((root) => path.resolve(root));
  // A home folder that somebody names is meant.
  const tooMuch = given === undefined ? roots : roots.filter((root) => root === '/');
  const excess = tooMuch.map(whatItHolds).find((one) => one !== undefined);
  if (excess === undefined) return roots;
  throw new UsageError(`the tools would work in ${excess}: say where with --root DIR`);
}

/** The options of the toolkit that is offered. */
export function toolkitOptions(line: CommandLine, roots: readonly string[], outputs: Outputs) {
  const { roots: _given, ...policy } = policyOptions(line);
  assertListOutside(roots);
  const project = projectKinds(line);
  const servers = line.values.has('servers') ? approvedServers(line, roots, outputs) : undefined;
  return {
    roots,
    ...(project === undefined ? {} : { project }),
    ...changesOption(line),
    terminal: {
      ...policy,
      ...confineOptions(line),
      ...programOptions(line),
      ...(line.flags.has('shell') ? { shell: 'bash' } : {}),
    },
    ...servers?.options,
    ...(line.values.has('tools')
      ? { tools: listEntries(line, 'tools').filter((name) => servers?.isLeftOut(name) !== true) }
      : {}),
  } satisfies ToolkitOptions;
}

function changesOption(line: CommandLine): Pick<ToolkitOptions, 'changes'> {
  const changes = lastValue(line, 'changes');
  return changes === undefined ? {} : { changes: oneOf(optionLabel(line, 'changes'), changes, CHANGES_MODES) };
}
