import path from 'node:path';
import { serveMcp } from '../mcp-server/serve.js';
import { createToolkit } from '../toolkit.js';
import type { ToolkitOptions } from '../tools/toolkit-options.js';
import { type CommandLine, lastValue, listEntries } from './arguments.js';
import { AuditFile } from './audit-file.js';
import { MCP } from './command-table.js';
import { confineOptions } from './confine-options.js';
import { EndSignals } from './end-signals.js';
import { EXIT, signalCode } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { policyOptions } from './policy-options.js';
import { programOptions } from './program-options.js';
import { readSettled } from './settings.js';
import { UsageError } from './usage-error.js';

/** `handrail mcp`: its exit code, once the client has gone and nothing that it started is left. */
export async function mcp(args: readonly string[], _outputs: Outputs): Promise<number> {
  const line = readSettled(args, MCP);
  if (line.words.length > 0) throw new UsageError('mcp takes options only; programs are named with --allow');
  const roots = rootsOf(line);
  const file = lastValue(line, 'audit');
  using audit = file === undefined ? undefined : new AuditFile(file, roots);
  using signals = new EndSignals();
  await using toolkit = await createToolkit({
    ...toolkitOptions(line, roots),
    ...(audit === undefined ? {} : { audit: audit.add }),
  });
  await serveMcp(toolkit, { signal: signals.signal });
  // Where a signal has ended it, the client is still there: nothing it says is waited for.
  process.stdin.destroy();
  return signals.first === null ? EXIT.ok : signalCode(signals.first);
}

/** Where the tools work, absolute. */
function rootsOf(line: CommandLine): readonly string[] {
  const roots = (line.values.get('root') ?? ['.']).map((root) => path.resolve(root));
  if (!roots.includes('/')) return roots;
  throw new UsageError('the tools would work in the whole of /: say where with --root DIR');
}

function toolkitOptions(line: CommandLine, roots: readonly string[]): ToolkitOptions {
  const { roots: _given, ...policy } = policyOptions(line);
  return {
    roots,
    terminal: {
      ...policy,
      ...confineOptions(line),
      ...programOptions(line),
      ...(line.flags.has('shell') ? { shell: 'bash' } : {}),
    },
    ...(line.values.has('tools') ? { tools: listEntries(line, 'tools') } : {}),
  };
}
