import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { SandboxLifecycleError } from '@openai/agents/sandbox';
import { excerptOutput } from '../redaction/text.js';
import { linesShown, renderStatus } from '../report/render.js';
import type { CommandResult } from '../report/result.js';
import type { Toolkit } from '../toolkit.js';
import type { CallContext, CommandData, JobData, SessionData } from '../tools/definition.js';
import { DEFAULT_RESULT_CHARS } from '../tools/limits.js';
import type { SurroundingCall } from './calls.js';
import { shellWord } from './text.js';

/** What a program wrote since it was last asked, and how it ended. */
export interface ProgramOutput {
  readonly output: string;
  /** What it wrote to both of its outputs: they share a pipe, or a terminal. Empty for a command that did not start. */
  readonly stdout: string;
  /** Why the command did not start. Empty for one that did. */
  readonly stderr: string;
  /** Absent while it runs. */
  readonly exitCode?: number;
}

/** A command that may go on after the call that started it. */
export interface Program {
  /** Writes to it what `chars` has, waits, and gives what it wrote meanwhile. */
  write(chars: string, waitMs: number, call: SurroundingCall): Promise<ProgramOutput>;
}

/** The first output of a program, and the program where it goes on. */
export interface StartedProgram {
  readonly program?: Program;
  readonly first: ProgramOutput;
}

/** The codes of shells for commands that have none of their own. */
const DENIED_CODE = 126;
const NOT_STARTED_CODE = 127;
const TIMED_OUT_CODE = 124;
const SIGNALED_CODE = 128;
const INTERRUPTED_CODE = 130;

/** Shortest time-out of a line that is sent, in milliseconds: an answer that comes earlier ends it. */
const SEND_WAIT_MS = 2_000;

/** Longest time that a call waits. */
const MAX_WAIT_MS = 600_000;

/** The key that interrupts a program. */
const INTERRUPT = '\u0003';

const NOT_READ = '[the command has not read its input yet]\n';

/** How a program is started. */
export interface Start {
  readonly toolkit: Toolkit;
  readonly command: string;
  readonly cwd: string;
  readonly waitMs: number;
  /** The life of a command without a terminal, in milliseconds. Undefined: that of a job. */
  readonly lifeMs: number | undefined;
  readonly call: SurroundingCall;
}

/** Starts a command without a terminal. One that outlives `waitMs` goes on as a job. */
export async function startCommand({ toolkit, command, cwd, waitMs, lifeMs, call }: Start): Promise<StartedProgram> {
  // Each is a caller of its own, so that no other call is told of its end.
  const context = { ...contextOf(call), caller: randomUUID() };
  const life = lifeMs === undefined ? {} : { timeout_ms: lifeMs };
  const words = { command, cwd, wait_ms: bounded(waitMs), background: true, ...life };
  const { content, data } = await toolkit.execute('terminal_run', words, context);
  if (data.kind === 'command') return { first: commandOutput(content, data) };
  if (data.kind !== 'job' || data.job === undefined) return { first: notStarted(content, NOT_STARTED_CODE) };
  return { program: new JobProgram(toolkit, data.job, context.caller), first: jobOutput(data) };
}

/** A command that goes on as a job. */
class JobProgram implements Program {
  readonly #toolkit: Toolkit;
  readonly #job: string;
  readonly #caller: string;

  constructor(toolkit: Toolkit, job: string, caller: string) {
    this.#toolkit = toolkit;
    this.#job = job;
    this.#caller = caller;
  }

  async write(chars: string, waitMs: number, call: SurroundingCall): Promise<ProgramOutput> {
    if (chars.includes(INTERRUPT)) return jobOutput(await this.#ask('job_end', {}, call), INTERRUPTED_CODE);
    const problem = chars === '' ? '' : await this.#send(chars, call);
    const waited = await this.#ask('job_wait', { timeout_ms: bounded(waitMs) }, call);
    // The signal ends a wait alone.
    const isAborted = call.signal?.aborted === true && waited.result === undefined;
    const { output, ...end } = jobOutput(isAborted ? await this.#ask('job_end', {}, call) : waited);
    return { ...end, output: `${problem}${output}` };
  }

  /** Gives what to tell of input that was not taken. */
  async #send(chars: string, call: SurroundingCall): Promise<string> {
    // The line end is added again.
    const words = { job: this.#job, input: chars.endsWith('\n') ? chars.slice(0, -1) : chars };
    const { data } = await this.#toolkit.execute('job_send', words, this.#contextOf(call));
    if (data.kind === 'refusal') return `${data.problems.join('\n')}\n`;
    if (data.kind !== 'job' || data.sent !== false) return '';
    const [reason] = data.decision?.reasons ?? [];
    if (reason !== undefined) return `Nothing was sent: ${reason.message}\n`;
    return data.ok ? NOT_READ : '';
  }

  async #ask(tool: 'job_wait' | 'job_end', words: object, call: SurroundingCall): Promise<JobData> {
    const { content, data } = await this.#toolkit.execute(tool, { job: this.#job, ...words }, this.#contextOf(call));
    if (data.kind === 'job') return data;
    // Many others have ended since, and it is not kept any more.
    throw new SandboxLifecycleError(`The output of this command is not kept any more: ${content}`);
  }

  #contextOf(call: SurroundingCall): CallContext {
    return { ...contextOf(call), caller: this.#caller };
  }
}

/** The output of a job since it was last asked. `cancelledCode` is the exit code of a job that was ended. */
function jobOutput({ output, result }: JobData, cancelledCode?: number): ProgramOutput {
  const { text = '', droppedBytes = 0 } = output ?? {};
  const stdout = `${droppedBytes === 0 ? '' : truncationMark(droppedBytes)}${text}`;
  if (result === undefined) return { output: stdout, stdout, stderr: '' };
  const isEnded = result.status === 'cancelled' && cancelledCode !== undefined;
  const exitCode = isEnded ? cancelledCode : exitCodeOf(result);
  return { output: withNotes(stdout, result), stdout, stderr: '', exitCode };
}

/** The output of a command that was over, or was refused, within its first call. */
function commandOutput(content: string, data: CommandData): ProgramOutput {
  const exitCode = exitCodeOf(data);
  if (data.status === 'denied' || data.status === 'spawn_failed') return notStarted(content, exitCode);
  return { output: withNotes(data.output, data), stdout: data.output, stderr: '', exitCode };
}

function notStarted(reason: string, exitCode: number): ProgramOutput {
  return { output: reason, stdout: '', stderr: reason, exitCode };
}

/** The output, and what it does not show: how a command ended that did not exit, and what the kernel refused it. */
function withNotes(output: string, data: CommandResult): string {
  const [status = '', ...others] = renderStatus(data, { maxChars: DEFAULT_RESULT_CHARS, lists: '' }).split('\n');
  const notes = [...(data.status === 'exited' ? [] : [status]), ...others].join('\n');
  if (notes === '') return output;
  return `${output}${output === '' || output.endsWith('\n') ? '' : '\n'}${notes}\n`;
}

/** How something ended, in the words of commands and of sessions. */
interface End {
  readonly status: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

function exitCodeOf({ status, exitCode, signal }: End): number {
  if (typeof exitCode === 'number') return exitCode;
  if (status === 'denied') return DENIED_CODE;
  if (status === 'spawn_failed') return NOT_STARTED_CODE;
  if (status === 'timed_out') return TIMED_OUT_CODE;
  return SIGNALED_CODE + constants.signals[(signal ?? 'SIGKILL') as NodeJS.Signals];
}

/** Starts a command on a terminal of its own. */
export async function startTerminal({ toolkit, command, cwd, waitMs, call }: Start): Promise<StartedProgram> {
  const words = { command: terminalCommand(toolkit, command, cwd), cwd, timeout_ms: bounded(waitMs) };
  const { content, data } = await toolkit.execute('session_start', words, contextOf(call));
  if (data.kind !== 'session' || data.session === undefined) return { first: notStarted(content, DENIED_CODE) };
  const program = new TerminalProgram(toolkit, data.session);
  const first = await program.endIfAborted(terminalOutput(content, data), call);
  return first.exitCode === undefined ? { program, first } : { first };
}

class TerminalProgram implements Program {
  readonly #toolkit: Toolkit;
  readonly #session: string;

  constructor(toolkit: Toolkit, session: string) {
    this.#toolkit = toolkit;
    this.#session = session;
  }

  async write(chars: string, waitMs: number, call: SurroundingCall): Promise<ProgramOutput> {
    const [first, ...others] = inputsOf(chars);
    let last = await this.#ask(first, waitMs, call);
    let output = last.output;
    for (const input of others) {
      if (last.exitCode !== undefined) break;
      last = await this.#ask(input, waitMs, call);
      output += last.output;
    }
    return await this.endIfAborted({ ...last, output, stdout: output }, call);
  }

  /** The signal ends a wait alone. */
  async endIfAborted(last: ProgramOutput, { signal }: SurroundingCall): Promise<ProgramOutput> {
    if (signal?.aborted !== true || last.exitCode !== undefined) return last;
    const { data } = await this.#toolkit.execute('session_close', { session: this.#session });
    const end = data.kind === 'session' ? data.end : undefined;
    return end === undefined ? last : { ...last, exitCode: exitCodeOf(end) };
  }

  async #ask(input: Input | undefined, waitMs: number, call: SurroundingCall): Promise<ProgramOutput> {
    const name = input === undefined ? 'session_read' : 'session_send';
    // What is sent waits for the program to read, whatever the model is willing to wait for the answer.
    const timeout = input === undefined ? waitMs : Math.max(waitMs, SEND_WAIT_MS);
    const words = { session: this.#session, timeout_ms: bounded(timeout), ...input };
    const { content, data } = await this.#toolkit.execute(name, words, contextOf(call));
    return data.kind === 'session' ? terminalOutput(content, data) : { output: content, stdout: '', stderr: content };
  }
}

type Input = { readonly input: string } | { readonly key: string };

/** Keys and lines in their order. What is typed is judged line by line, so a line without its end gets one. */
function inputsOf(chars: string): Input[] {
  const inputs: Input[] = [];
  let line = '';
  for (const char of chars.replaceAll('\r\n', '\n').replaceAll('\r', '\n')) {
    const isKey = char < ' ' && char !== '\n' && char !== '\t';
    if (!isKey && char !== '\n') line += char;
    if (char === '\n' || (isKey && line !== '')) {
      inputs.push({ input: line });
      line = '';
    }
    if (isKey) inputs.push({ key: `ctrl-${String.fromCharCode(char.charCodeAt(0) + CONTROL_OFFSET).toLowerCase()}` });
  }
  return line === '' ? inputs : [...inputs, { input: line }];
}

/** From the character of a key that is pressed with Ctrl to the character on the key. */
const CONTROL_OFFSET = 0x40;

/** What a session wrote. A refusal has its reason in the text for the model. */
function terminalOutput(content: string, { output, end, ok }: SessionData): ProgramOutput {
  const text = output === undefined || !ok ? content : output.text;
  return { output: text, stdout: text, stderr: '', ...(end === undefined ? {} : { exitCode: exitCodeOf(end) }) };
}

/** The program of a session: one plain command, or a bash that gets the script as an argument. */
function terminalCommand(toolkit: Toolkit, command: string, cwd: string): string {
  const { reasons } = toolkit.explain('session_start', { command, cwd });
  const isScript = reasons.some(({ rule }) => rule.startsWith('syntax.'));
  return isScript ? `bash -c ${shellWord(command)}` : command;
}

function contextOf({ signal, callId }: SurroundingCall): { readonly signal?: AbortSignal; readonly callId?: string } {
  return { ...(signal === undefined ? {} : { signal }), ...(callId === undefined ? {} : { callId }) };
}

function bounded(waitMs: number): number {
  return Math.min(Math.max(0, Math.trunc(waitMs)), MAX_WAIT_MS);
}

/** The most telling lines of an output, and the estimated number of tokens where not all are shown. */
export function fitTokens(output: string, tokens: number): { readonly text: string; readonly originalTokens?: number } {
  const excerpt = excerptOutput(output, { tokens });
  const { text } = excerpt;
  if (text === output) return { text };
  const originalTokens = Math.ceil(Buffer.byteLength(output) / BYTES_PER_TOKEN);
  const mark = truncationMark(output.length - text.length);
  return {
    text: `${mark}${text}${text.endsWith('\n') ? '' : '\n'}[${linesShown(excerpt)}]`,
    originalTokens,
  };
}

/** The SDK's own line for output that is left out: it keeps this line where it shortens further. */
function truncationMark(count: number): string {
  return `[...${count} characters truncated from process output...]\n`;
}

/** As the SDK estimates. */
const BYTES_PER_TOKEN = 4;
