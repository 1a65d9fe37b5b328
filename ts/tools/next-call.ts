/** Advice for a model about a command that was refused or failed: the next call that it can make. */
import path from 'node:path';
import { nearest } from '../config/nearest.js';
import type { Files } from '../files/files.js';
import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { callForModel, limitForModel } from '../report/advice.js';
import type { Decision, Reason } from '../report/decision.js';
import { liftOf } from '../report/lift.js';
import type { CommandResult } from '../report/result.js';
import { isBeneath } from '../terminal/beneath.js';
import { heldText } from '../terminal/held.js';
import { isUnreached } from '../terminal/network-refusals.js';
import type { Terminal } from '../terminal/terminal.js';
import { FILE_WAYS, PROGRAM_WAYS } from './file-ways.js';
import { MAX_ECHOED_NAME_CHARS } from './limits.js';
import { missingPrograms } from './missing-programs.js';
import { isUnending, servedAt } from './unending.js';

/** The arguments of a call that starts a command. */
export interface CommandArguments {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly timeout_ms?: number | undefined;
}

/** The directories that advice may name. */
export interface CommandPlaces {
  /** The directories that commands may start in. */
  readonly roots: readonly string[];
  /** Whether file tools may change files in one of them. */
  readonly isChanged: boolean;
}

/** What is needed to write advice. */
export interface AdviceContext {
  readonly places: CommandPlaces;
  /** Default and largest time limit of a command, in milliseconds. */
  readonly timeoutMs: number;
  /** Present where a command can go on as a job. */
  readonly jobs?: object | undefined;
  /** Names of the tools that the model has. */
  readonly tools: ReadonlySet<string>;
  /** Lists directories, reads scripts, and says why it does not. */
  readonly files: Pick<Files, 'list' | 'read'>;
  readonly redactor: Pick<Redactor, 'redact'>;
  /**
   * Has the plan that commands are held to.
   *
   * @internal
   */
  readonly terminal: Pick<Terminal, 'approvedPlan' | 'searchPath'>;
}

/** The tools among those of `PROGRAM_WAYS` that change nothing. */
const READING_TOOLS: ReadonlySet<string> = new Set(['file_read', 'file_list', 'file_grep']);

/** Most directories that are named when `cwd` was not found. */
const MAX_NAMED_DIRECTORIES = 8;

/** The lines that follow a refusal or a failure. */
export async function nextCall(
  result: CommandResult,
  commandArguments: CommandArguments,
  context: AdviceContext,
): Promise<string[]> {
  switch (result.status) {
    case 'denied':
      return [
        ...closedAdvice(result.decision, commandArguments.command, context),
        ...(await deniedAdvice(result.decision, commandArguments, context)),
        ...outsideAdvice(result.decision, commandArguments, context),
      ];
    case 'timed_out':
      return timeoutAdvice(result, commandArguments, context);
    case 'spawn_failed':
      return await directoryAdvice(result.failure?.code, commandArguments, context);
    default:
      return [];
  }
}

/**
 * The replacement call of the decision. A call in another directory is given only where that directory can be listed; else
 * the line says why it cannot.
 */
export async function deniedAdvice(
  { reasons }: Decision,
  commandArguments: Pick<CommandArguments, 'command' | 'cwd'>,
  context: Omit<AdviceContext, 'timeoutMs' | 'redactor'>,
): Promise<string[]> {
  const { files, terminal, places } = context;
  const { command, cwd: given } = commandArguments;
  const writes = [
    ...missingPrograms(reasons, command, { terminal, roots: places.roots, cwd: given }),
    ...otherTools(reasons, command, context),
  ];
  const call = reasons.flatMap(({ advice = [] }) => advice).find((piece) => piece.kind === 'replace');
  if (call === undefined || isUnreached(call.command, terminal.approvedPlan)) return writes;
  if (call.cwd === undefined) {
    const [first] = call.command.split(' ', 1);
    const isGuess = first !== undefined && !command.trimStart().startsWith(first);
    return [callForModel({ command: call.command, cwd: commandArguments.cwd }, isGuess), ...writes];
  }
  const cwd = commandArguments.cwd === undefined ? call.cwd : path.join(commandArguments.cwd, call.cwd);
  const listing = await files.list(cwd);
  if (listing.ok) return [callForModel({ command: call.command, cwd }), ...writes];
  const { message, hint = '' } = listing.refusal;
  return [`hint: cd is the argument cwd here. ${message}. ${hint}`.trim(), ...writes];
}

/** Most characters of a script that are read to find out whether its commands are reached. */
const MAX_SCRIPT_CHARS = 16_384;

/**
 * The reasons without the hint to give the commands of a script in the call, where the plan keeps the network from them that
 * they need.
 *
 * @internal
 */
export async function reachedHints(
  reasons: Decision['reasons'],
  { command, cwd = '.' }: CommandArguments,
  { terminal, files }: Pick<AdviceContext, 'terminal' | 'files'>,
): Promise<Decision['reasons']> {
  const plan = terminal.approvedPlan;
  const isClosed = async ({ rule, span }: Reason): Promise<boolean> => {
    if (rule !== 'shell.script') return false;
    if (isUnreached(command, plan)) return true;
    const script = await files.read(path.join(cwd, command.slice(...span)), { maxBytes: MAX_SCRIPT_CHARS });
    return script.ok && isUnreached(script.text, plan);
  };
  const closed = await Promise.all(reasons.map(isClosed));
  return reasons.map(({ hint, ...reason }, at) =>
    closed[at] === true || hint === undefined ? reason : { ...reason, hint },
  );
}

/** What the plan keeps from a command however it is written. Where a lift is told, that says it. */
function closedAdvice({ reasons }: Decision, command: string, { terminal }: Pick<AdviceContext, 'terminal'>): string[] {
  const plan = terminal.approvedPlan;
  if (liftOf(reasons) !== undefined || !isUnreached(command, plan)) return [];
  const held = heldText(plan);
  return held === undefined ? [] : [`hint: ${held}`];
}

/** The tools that do what was refused. Those that change files only where there are such files. */
function otherTools(
  reasons: Decision['reasons'],
  command: string,
  { tools, places, jobs }: Pick<AdviceContext, 'tools' | 'places' | 'jobs'>,
): string[] {
  const writtenAt = ({ span }: Reason): string => command.slice(...span);
  const isRedirected = reasons.some((reason) => {
    const [text, rest] = [writtenAt(reason), command.slice(reason.span[1]).trimStart()];
    const isFile = !text.includes('&') && !['&', '/dev/'].some((target) => rest.startsWith(target));
    return reason.rule === 'syntax.redirection' && text.includes('>') && isFile;
  });
  const goesOn = reasons.some((reason) => reason.rule === 'syntax.operator' && writtenAt(reason) === '&');
  const refused = reasons.flatMap(({ rule, program }) => (rule.startsWith('list.') && program ? [program] : []));
  const ways = PROGRAM_WAYS.filter(({ programs }) => refused.some((program) => programs.includes(program)));
  const found = [...(isRedirected ? [{ tool: 'file_write', does: FILE_WAYS.write }] : []), ...ways];
  const isOffered = (tool: string) => tools.has(tool) && (places.isChanged || READING_TOOLS.has(tool));
  const does = found.flatMap((way) => (isOffered(way.tool) ? [way.does] : []));
  return [...new Set(does), ...(goesOn && jobs !== undefined ? ['A server goes on with background: true.'] : [])];
}

/**
 * What helps a command that was ended for its time. A longer limit helps neither what never ends nor what waits for what the
 * kernel keeps from it.
 */
function timeoutAdvice(
  { blocked = [], stdout, stderr }: CommandResult,
  { command, cwd, timeout_ms: asked }: CommandArguments,
  { timeoutMs, jobs, tools }: AdviceContext,
): string[] {
  if (blocked.length > 0) return [];
  const written = `${stdout}\n${stderr}`;
  if (isUnending(command, written)) {
    const place = servedAt(written);
    const what = place === undefined ? 'it goes on until it is ended' : `it serves at ${place} until it is ended`;
    if (jobs !== undefined)
      return [`[${what}: no limit is long enough]`, callForModel({ command, cwd, background: true })];
    const session = tools.has('session_start') ? 'session_start starts what goes on' : 'nothing here lets it go on';
    return [`[${what}: no limit is long enough; ${session}]`];
  }
  const session = tools.has('session_start') ? ['what goes on, such as a server, is for session_start'] : [];
  const goesOn = jobs === undefined ? session : ['a server goes on with background: true, slow work with wait_ms'];
  const limit =
    asked !== undefined && asked < timeoutMs
      ? limitForModel({ kind: 'limit', name: 'timeout_ms', value: timeoutMs }, asked)
      : `the limit is ${timeoutMs} ms and cannot be raised by timeout_ms; do less in one call`;
  return [`[${[limit, ...goesOn].join('; ')}]`];
}

function outsideAdvice(
  { reasons: [reason] }: Decision,
  { cwd }: CommandArguments,
  { places, redactor }: AdviceContext,
): string[] {
  if (reason?.rule !== 'outside_root' || cwd === undefined) return [];
  const [first = ''] = places.roots;
  const isNamedBeneath = places.roots.some((root) => isBeneath(root, path.resolve(first, cwd)));
  const where = isNamedBeneath ? 'leads outside of' : 'is outside of';
  return [`hint: cwd ${shownName(cwd, redactor)} ${where} ${places.roots.join(', ')}; give one beneath it.`];
}

/** Names the directory that was asked for, and the directories that exist beside it. */
async function directoryAdvice(
  code: string | undefined,
  { cwd }: CommandArguments,
  { files, redactor }: AdviceContext,
): Promise<string[]> {
  if (cwd === undefined || (code !== 'not_found' && code !== 'not_a_directory')) return [];
  let missing = cwd;
  let listing = await files.list(path.dirname(missing));
  // The nearest directory that exists is looked in.
  while (
    !listing.ok &&
    listing.refusal.code === 'not_found' &&
    path.dirname(missing) !== path.dirname(path.dirname(missing))
  ) {
    missing = path.dirname(missing);
    listing = await files.list(path.dirname(missing));
  }
  const parentDirectory = path.dirname(missing);
  const entries = listing.ok ? listing.entries : [];
  const folders = entries.filter(({ type, name }) => type === 'dir' && !name.startsWith('.')).map(({ name }) => name);
  const probableName = nearest(path.basename(missing), folders);
  const call = (folder: string) => JSON.stringify(path.join(parentDirectory, folder));
  const directoryNames = folders.slice(0, MAX_NAMED_DIRECTORIES).map(call).join(', ');
  const problem = code === 'not_found' ? 'does not exist' : 'is no directory';
  const parentText = parentDirectory === '.' ? 'the workspace' : shownName(parentDirectory, redactor);
  const choice =
    probableName === undefined
      ? `Directories in ${parentText}: ${directoryNames === '' ? 'none' : directoryNames}.`
      : `Give cwd ${call(probableName)}.`;
  return [`hint: cwd ${shownName(missing, redactor)} ${problem}. ${choice}`];
}

/** A name with secrets masked, then shortened: no rule recognises a secret that was cut. */
function shownName(name: string, redactor: AdviceContext['redactor']): string {
  const maskedName = redactor.redact(name);
  const shortName = firstChars(maskedName, MAX_ECHOED_NAME_CHARS);
  return JSON.stringify(shortName === maskedName ? maskedName : `${shortName}...`);
}
