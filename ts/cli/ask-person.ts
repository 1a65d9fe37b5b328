import { constants, openSync, writeSync } from 'node:fs';
import { isatty, ReadStream } from 'node:tty';
import { hintForCommandLine } from '../report/advice.js';
import type { Reason } from '../report/decision.js';
import { type Approval, type ApprovalRequest, renderForApproval } from '../terminal/approval.js';
import type { KernelPlan } from '../terminal/blocked.js';
import { CONTROLLING_TERMINAL, controllingTerminal, discardTypedInput } from '../terminal/controlling-terminal.js';
import { styleFor } from './style.js';
import { wrap } from './wrap.js';

const { O_RDWR, O_NOCTTY } = constants;

/** Why nobody is asked, in a sentence. */
const UNASKED = {
  option: 'Nobody was asked, as --no-ask says.',
  none: 'Nobody was asked: there is no terminal.',
  background: 'Nobody was asked: this runs in the background of its terminal.',
  apart: 'Nobody was asked: neither input, output nor errors are on a terminal.',
} as const;

const YES: readonly string[] = ['y', 'yes'];

/** What ends a line. A terminal that was left in raw mode sends a carriage return, and Ctrl-C and Ctrl-D as characters. */
const LINE_ENDS: readonly string[] = ['\n', '\r', '\u0003', '\u0004'];

/** Stands in front of each line of the command, so that no line of it looks like one of ours. */
const GUTTER = '  │ ';
const INDENT = '  ';

const PROMPTS = { command: 'Run it?', host: 'Let it?' } as const;

/** Longest and shortest line of the question, in columns. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 40;
/** For a terminal that does not say how wide it is. */
const DEFAULT_WIDTH = 80;

/** A command of more lines may have scrolled away, so that their number is said below it. */
const MANY_LINES = 15;

/**
 * Why no person can be asked. Undefined: there is one at the terminal.
 *
 * @param noAsk Whether the user switched questions off.
 */
export function whyUnasked(noAsk: boolean): string | undefined {
  if (noAsk) return UNASKED.option;
  const terminal = controllingTerminal();
  if (terminal !== 'foreground') return UNASKED[terminal];
  // Another program that holds the terminal, such as an agent with a screen of its own, has started this one: what is
  // typed there is not meant for a question of ours.
  return [0, 1, 2].some((descriptor) => isatty(descriptor)) ? undefined : UNASKED.apart;
}

/**
 * Asks the person at the terminal whether a command may run. Only that terminal is written to and read, never a
 * standard stream. What was typed before the question does not count, and no answer is no.
 */
export async function askPerson(request: ApprovalRequest, plan: KernelPlan | undefined): Promise<Approval> {
  const prompt = PROMPTS[request.host === undefined ? 'command' : 'host'];
  const approved = await askYes(questionText(request, plan, columns()), prompt, request.signal);
  return approved ? { approved } : { approved, reason: 'The person at the terminal did not agree' };
}

/**
 * Whether the person at the terminal says yes.
 *
 * @param text What is asked about, in whole lines.
 */
export async function askYes(text: string, prompt: string, signal: AbortSignal): Promise<boolean> {
  const terminal = openSync(CONTROLLING_TERMINAL, O_RDWR | O_NOCTTY);
  using input = new TypedLines(terminal);
  writeSync(terminal, text);
  // What is typed once the prompt is there counts.
  discardTypedInput();
  writeSync(terminal, `${styleFor({ isTTY: true }).warn(prompt)} [y/N] `);
  const line = await input.first(signal);
  // The person has ended the line that was typed, or nothing has.
  if (line === undefined) writeSync(terminal, '\n');
  return line !== undefined && YES.includes(line.trim().toLowerCase());
}

/** Reads what is typed at a terminal. */
class TypedLines implements Disposable {
  readonly #stream: ReadStream;

  /** @param terminal A descriptor, which is closed with this. */
  constructor(terminal: number) {
    this.#stream = new ReadStream(terminal);
  }

  /** The first line. Undefined at the end of the input, when the terminal is gone, and when `signal` fires. */
  async first(signal: AbortSignal): Promise<string | undefined> {
    let text = '';
    return await new Promise((resolve) => {
      const end = (): void => resolve(undefined);
      if (signal.aborted) end();
      signal.addEventListener('abort', end, { once: true });
      this.#stream.on('end', end).on('error', end).on('close', end);
      this.#stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const length = [...text].findIndex((character) => LINE_ENDS.includes(character));
        if (length >= 0) resolve(text.slice(0, length));
      });
    });
  }

  [Symbol.dispose](): void {
    this.#stream.destroy();
  }
}

function columns(): number {
  const given = [process.stderr, process.stdout].find(({ isTTY }) => isTTY)?.columns || DEFAULT_WIDTH;
  // The last column stays free: some terminals go to the next line once it is filled.
  return Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, given - 1));
}

/** What a person needs to know for the answer, in whole lines. No character of the command can move the cursor. */
export function questionText(request: ApprovalRequest, plan: KernelPlan | undefined, width: number): string {
  if (request.host !== undefined) return hostQuestionText(request, width);
  const commandLines = shownCommand(request, width - GUTTER.length);
  const sentences = [
    ...(commandLines.length > MANY_LINES ? [`The command has ${commandLines.length} lines, all of them above.`] : []),
    `It would run in ${renderForApproval(request.cwd)}.`,
    ...request.reasons.flatMap(reasonSentences),
    ...(plan === undefined ? [] : [`If you agree it may ${powersOf(plan)}.`]),
  ];
  return framed('handrail: this command needs your consent', commandLines, sentences, width);
}

function hostQuestionText(request: ApprovalRequest, width: number): string {
  const sentences = [
    ...request.reasons.map(({ message, rule }) => renderForApproval(`${message} (${rule}).`)),
    'If you agree, all programs of this run may send it what they can read, until the run is over.',
  ];
  return framed(
    'handrail: this host needs your consent',
    pieces(request.rendering, width - GUTTER.length),
    sentences,
    width,
  );
}

function framed(head: string, lines: readonly string[], sentences: readonly string[], width: number): string {
  const style = styleFor({ isTTY: true });
  return [
    style.warn(head),
    ...lines.map((line) => style.dim(GUTTER) + style.bold(line)),
    ...sentences.flatMap((sentence) => wrap(sentence, width - INDENT.length)).map((line) => INDENT + line),
    '',
  ].join('\n');
}

/** The lines of the command, each without a character that hides or imitates another, cut into pieces that fit. */
function shownCommand({ command, rendering }: ApprovalRequest, width: number): readonly string[] {
  const lines = typeof command === 'string' ? command.split('\n').map(renderForApproval) : [rendering];
  return lines.flatMap((line) => pieces(line, width));
}

function pieces(line: string, width: number): readonly string[] {
  const cut = [''];
  let used = 0;
  for (const character of line) {
    // Characters outside of ASCII may take two columns.
    const needed = character <= '~' ? 1 : 2;
    if (used + needed > width) {
      cut.push('');
      used = 0;
    }
    cut[cut.length - 1] += character;
    used += needed;
  }
  return cut;
}

function reasonSentences(reason: Reason): readonly string[] {
  const hint = hintForCommandLine(reason);
  return [`${reason.message} (${reason.rule}).`, ...(hint === undefined ? [] : [hint])].map(renderForApproval);
}

/** What the kernel lets the command do, in words. */
function powersOf({ exec, writes, writable, remove, network }: KernelPlan): string {
  const change = remove === 'yes' ? 'write and remove files' : 'write files';
  const places = writes === 'any' ? 'anywhere' : `beneath ${writable.map(renderForApproval).join(', ')}`;
  const powers = [
    exec === 'any' ? 'start any program' : 'start the programs of the list',
    ...(writes === 'none' ? [] : [`${change} ${places}`]),
    ...(network === 'any' ? ['reach the network'] : []),
    ...(network === 'loopback' ? ['listen on a loopback of its own'] : []),
    ...(network === 'allow' ? ['reach the hosts of the list'] : []),
  ];
  return powers.length < 2 ? powers.join('') : `${powers.slice(0, -1).join(', ')} and ${powers.at(-1)}`;
}
