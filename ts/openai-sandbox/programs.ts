import { constants } from 'node:os';
import { excerptOutput } from '../redaction/text.js';
import { renderStatus } from '../report/render.js';
import type { Toolkit } from '../toolkit.js';
import type { CommandData, SessionData, ToolResult } from '../tools/definition.js';
import { DEFAULT_RESULT_CHARS } from '../tools/limits.js';
import type { SurroundingCall } from './calls.js';
import { shellWord } from './text.js';

/** What a program wrote since it was last asked, and how it ended. */
export interface ProgramOutput {
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Absent while it runs. */
  readonly exitCode?: number;
}

/** A command that may go on after the call that started it. */
export interface Program {
  /** Writes to it what `chars` has, waits, and gives what it wrote meanwhile. */
  write(chars: string, waitMs: number, call: SurroundingCall): Promise<ProgramOutput>;
  /** Ends it with everything that it started. */
  end(): Promise<void>;
}

/** A program with its first output. */
export interface StartedProgram {
  readonly program: Program;
  readonly first: ProgramOutput;
}

/** The codes of shells for commands that have none of their own. */
const DENIED_CODE = 126;
const NOT_STARTED_CODE = 127;
const TIMED_OUT_CODE = 124;
const SIGNALED_CODE = 128;
const INTERRUPTED_CODE = 130;

/** Unread output of one program that is kept, in characters: the latest. */
const MAX_UNREAD_CHARS = 1024 * 1024;

/** Shortest time-out of a line that is sent, in milliseconds: an answer that comes earlier ends it. */
const SEND_WAIT_MS = 2_000;

/** Longest time that a session waits in one call. */
const MAX_WAIT_MS = 600_000;

/** The key that interrupts a program. */
const INTERRUPT = '\u0003';

const NOT_WRITTEN = '[nothing was written: the command has no input. Start it with tty: true to write to it]\n';

/** How a program is started. */
export interface Start {
  readonly toolkit: Toolkit;
  readonly command: string;
  readonly cwd: string;
  readonly waitMs: number;
  readonly call: SurroundingCall;
}

/**
 * Starts a command on pipes.
 *
 * @param starting Has the program until its first output is there, so that it can be ended meanwhile.
 */
export async function startCommand(start: Start, starting: Set<Program>): Promise<StartedProgram> {
  const program = new PipedProgram(start);
  starting.add(program);
  try {
    return { program, first: await program.write('', start.waitMs, start.call) };
  } finally {
    starting.delete(program);
  }
}

class PipedProgram implements Program {
  readonly #abort = new AbortController();
  readonly #ended: Promise<unknown>;
  #output = '';
  #droppedChars = 0;
  #interrupted = false;
  #result: ToolResult | undefined;
  #error: unknown;

  constructor({ toolkit, command, cwd, call: { callId } }: Start) {
    const context = { signal: this.#abort.signal, ...(callId === undefined ? {} : { callId }) };
    const onOutput = ({ text }: { readonly text: string }): void => this.#add(text);
    this.#ended = toolkit.execute('terminal_run', { command, cwd }, { ...context, onOutput }).then(
      (result) => {
        this.#result = result;
      },
      (error: unknown) => {
        this.#error = error;
      },
    );
  }

  async write(chars: string, waitMs: number, { signal }: SurroundingCall): Promise<ProgramOutput> {
    if (chars.includes(INTERRUPT)) {
      this.#interrupted = true;
      await this.end();
    }
    if (chars !== '' && !this.#interrupted) this.#add(NOT_WRITTEN);
    const stop = (): void => this.#abort.abort();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    const timer = new AbortController();
    try {
      await Promise.race([this.#ended, delay(waitMs, timer.signal)]);
      if (signal?.aborted === true) await this.#ended;
    } finally {
      timer.abort();
      signal?.removeEventListener('abort', stop);
    }
    if (this.#error !== undefined) throw this.#error;
    return this.#take();
  }

  async end(): Promise<void> {
    this.#abort.abort();
    await this.#ended;
  }

  #add(text: string): void {
    this.#output += text;
    const excess = this.#output.length - MAX_UNREAD_CHARS;
    if (excess <= 0) return;
    this.#output = this.#output.slice(excess);
    this.#droppedChars += excess;
  }

  #take(): ProgramOutput {
    const dropped = this.#droppedChars === 0 ? '' : `[${this.#droppedChars} earlier characters were dropped]\n`;
    const output = `${dropped}${this.#output}`;
    this.#output = '';
    this.#droppedChars = 0;
    if (this.#result === undefined) return { output, stdout: output, stderr: '' };
    const { content, data } = this.#result;
    if (data.kind !== 'command') return { output: content, stdout: '', stderr: content, exitCode: NOT_STARTED_CODE };
    const exitCode = this.#interrupted && data.status === 'cancelled' ? INTERRUPTED_CODE : exitCodeOf(data);
    if (!hasRun(data)) return { output: content, stdout: '', stderr: content, exitCode };
    return { output: withNotes(output, data), stdout: data.stdout, stderr: data.stderr, exitCode };
  }
}

function hasRun({ status }: CommandData): boolean {
  return status !== 'denied' && status !== 'spawn_failed';
}

/** The output, and what it does not show: how a command ended that did not exit, and what the kernel refused it. */
function withNotes(output: string, data: CommandData): string {
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
  if (data.kind !== 'session' || data.session === undefined) {
    const failed = { output: content, stdout: '', stderr: content, exitCode: DENIED_CODE };
    return { program: ENDED, first: failed };
  }
  return { program: new TerminalProgram(toolkit, data.session), first: terminalOutput(content, data) };
}

/** A program that never was: nothing is written to it, and it needs no end. */
const ENDED: Program = {
  write: async () => ({ output: '', stdout: '', stderr: '', exitCode: NOT_STARTED_CODE }),
  end: async () => undefined,
};

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
    return { ...last, output, stdout: output };
  }

  async end(): Promise<void> {
    await this.#toolkit.execute('session_close', { session: this.#session });
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

type Input = { readonly input: string } | { readonly key: 'ctrl-c' | 'ctrl-d' | 'ctrl-z' };

const KEYS = { '\u0003': 'ctrl-c', '\u0004': 'ctrl-d', '\u001a': 'ctrl-z' } as const;

/** Keys and lines in their order. What is typed is judged line by line, so a line without its end gets one. */
function inputsOf(chars: string): Input[] {
  const inputs: Input[] = [];
  let line = '';
  for (const char of chars.replaceAll('\r\n', '\n').replaceAll('\r', '\n')) {
    const isKey = char in KEYS;
    if (!isKey && char !== '\n') line += char;
    if (char === '\n' || (isKey && line !== '')) {
      inputs.push({ input: line });
      line = '';
    }
    if (isKey) inputs.push({ key: KEYS[char as keyof typeof KEYS] });
  }
  return line === '' ? inputs : [...inputs, { input: line }];
}

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

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, bounded(milliseconds));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The most telling lines of an output, and the estimated number of tokens where not all are shown. */
export function fitTokens(output: string, tokens: number): { readonly text: string; readonly originalTokens?: number } {
  const { text, shownLines, totalLines } = excerptOutput(output, { tokens });
  if (text === output) return { text };
  const originalTokens = Math.ceil(Buffer.byteLength(output) / BYTES_PER_TOKEN);
  return {
    text: `${text}${text.endsWith('\n') ? '' : '\n'}[${shownLines} of ${totalLines} lines shown]`,
    originalTokens,
  };
}

/** As the SDK estimates. */
const BYTES_PER_TOKEN = 4;
