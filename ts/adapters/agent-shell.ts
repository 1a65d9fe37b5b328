import { type ShellAction, type ShellOutputResult, type ShellTool, shellTool } from '@openai/agents';
import { fitWithin, type TextCut } from '../redaction/fit.js';
import { linesShown, renderStatus } from '../report/render.js';
import type { CommandResult } from '../report/result.js';
import type { Toolkit } from '../toolkit.js';
import type { ToolResult } from '../tools/definition.js';
import { DEFAULT_RESULT_CHARS } from '../tools/limits.js';
import { CallIds, definitionOf, type HostedToolOptions } from './hosted-tool.js';
import { toolErrorText } from './tool-error.js';

/** Most commands of one call. Further ones are not run, and the model is told so. */
export const MAX_SHELL_COMMANDS = 32;

/** The options of `agentShellTool`; see `HostedToolOptions`. */
export type AgentShellOptions = HostedToolOptions<ShellTool['needsApproval'], NonNullable<ShellTool['onApproval']>>;

/**
 * The tool `shell` of the SDK (Responses API) on a toolkit: each command is a call of `terminal_run`, and is judged,
 * confined, redacted, bounded and recorded like one. `terminal.shell` of the toolkit says whether commands are bash or
 * one program each.
 *
 * The tool never throws: a command that was denied or could not run has the reason in `stderr` and no exit code; a
 * command that ran out of time has the outcome `timeout` and its output until then. `timeoutMs` of a call can only
 * shorten the toolkit's limit, and `maxOutputLength` bounds each output. The commands of a call run one after the
 * other, each in the workspace.
 *
 * @param toolkit The toolkit. You close it when the agent is done.
 * @param options See `AgentShellOptions`.
 * @throws HandrailError `ERR_UNKNOWN_TOOL` when the toolkit does not publish `terminal_run`.
 * @example
 * ```ts
 * import { Agent } from '@openai/agents';
 * import { createToolkit } from 'handrail';
 * import { agentApplyPatchTool, agentShellTool } from 'handrail/openai-agents';
 *
 * await using toolkit = await createToolkit({ workspace: '.', terminal: { shell: 'bash', allow: ['git', 'ls'] } });
 * const tools = [agentShellTool(toolkit), agentApplyPatchTool(toolkit)];
 * console.log(new Agent({ name: 'Developer', tools }).tools.map(({ name }) => name)); // [ 'shell', 'apply_patch' ]
 * ```
 */
export function agentShellTool(toolkit: Toolkit, options: AgentShellOptions = {}): ShellTool {
  const { minimum, maximum } = definitionOf(toolkit, 'terminal_run').parameters.properties['timeout_ms'] as {
    readonly minimum: number;
    readonly maximum: number;
  };
  const ids = new CallIds<ShellAction>();

  async function run(action: ShellAction): Promise<{ output: ShellOutputResult[]; maxOutputLength?: number }> {
    const { commands, timeoutMs, maxOutputLength } = action;
    const timeout = timeoutMs === undefined ? {} : { timeout_ms: Math.min(Math.max(timeoutMs, minimum), maximum) };
    const output: ShellOutputResult[] = [];
    for (const command of commands.slice(0, MAX_SHELL_COMMANDS)) {
      const context = ids.contextOf(action, options);
      const called = toolkit.execute('terminal_run', { command, ...timeout }, context);
      const entry = called.then(
        (result) => outputOf(result, maxOutputLength),
        (error: unknown) => commandNotRun(toolErrorText(error), maxOutputLength),
      );
      output.push(await entry);
    }
    const skippedCount = commands.length - output.length;
    if (skippedCount > 0)
      output.push(
        commandNotRun(`${skippedCount} further commands were not run: a call has at most ${MAX_SHELL_COMMANDS}`),
      );
    return { output, ...(maxOutputLength === undefined ? {} : { maxOutputLength }) };
  }

  const { onApproval } = options;
  return shellTool({
    shell: { run },
    needsApproval: ids.rememberIds(options.needsApproval),
    ...(onApproval === undefined ? {} : { onApproval }),
  });
}

function commandNotRun(stderr: string, maxChars?: number): ShellOutputResult {
  return { stdout: '', stderr: fitOutput(stderr, maxChars), outcome: { type: 'exit', exitCode: null } };
}

/** The output of one command for the SDK. Facts that the outputs do not show follow on standard error. */
function outputOf({ content, data }: ToolResult, maxChars: number | undefined): ShellOutputResult {
  if (data.kind !== 'command' || !hasRun(data)) return commandNotRun(content, maxChars);
  const [status = '', ...notes] = renderStatus(data, { maxChars: DEFAULT_RESULT_CHARS, lists: '' }).split('\n');
  const after = [...(data.status === 'exited' ? [] : [status]), ...notes].join('\n');
  const { stdout, stderr, cuts = {} } = outputsOf(data);
  const errors = after === '' ? stderr : `${stderr}${stderr === '' || stderr.endsWith('\n') ? '' : '\n'}${after}\n`;
  return {
    stdout: fitOutput(stdout, maxChars, cuts.stdout),
    stderr: fitOutput(errors, maxChars, cuts.stderr),
    outcome: data.timedOut ? { type: 'timeout' } : { type: 'exit', exitCode: data.exitCode },
  };
}

function hasRun({ status, durationMs }: CommandResult): boolean {
  return status !== 'denied' && status !== 'spawn_failed' && (status !== 'cancelled' || durationMs > 0);
}

/** Both outputs of a command. Of long outputs it is the excerpt, which has lines of both. */
function outputsOf(result: CommandResult): Pick<CommandResult, 'stdout' | 'stderr' | 'cuts'> {
  const { excerpt, spill } = result;
  if (excerpt === undefined) return result;
  const { text } = excerpt;
  const where = spill === undefined ? 'the others are not kept' : `more in ${spill.path}`;
  const end = text.endsWith('\n') ? '' : '\n';
  return { stdout: `${text}${end}[${linesShown(excerpt)}; ${where}]\n`, stderr: '' };
}

function fitOutput(text: string, maxChars: number | undefined, cut?: TextCut): string {
  return maxChars === undefined || text.length <= maxChars ? text : fitWithin(text, maxChars, cut).text;
}
