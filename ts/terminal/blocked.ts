import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

import { isPlace, placeGrants, placeOf } from '../config/place.js';
import type { NativePlan, NativeResult, NativeWithheld } from '../native/binding.js';
import type { OptionAdvice } from '../report/advice.js';
import type { Blocked } from '../report/blocked.js';
import { isBeneath } from './beneath.js';
import { type NetworkPlan, namedFirst, networkRefusal, refusedHosts, silentRefusal } from './network-refusals.js';
import type { HostContact } from './way-out.js';

/** What the kernel lets a command do, by the names of the options. */
export interface KernelPlan extends NativePlan, NetworkPlan {}

/** The restrictions that the kernel enforced on a run, and the folders that they concern. */
export interface EnforcedPlan {
  readonly plan: KernelPlan;
  /** Canonical directories beneath which the run could write. */
  readonly writable: readonly string[];
  /** The same by the paths that commands know. */
  readonly shownWritable: readonly string[];
  /** Folders that programs are found in. */
  readonly path: readonly string[];
  /** The directory in which the run started; absolute. */
  readonly cwd: string;
  /** Paths of sockets that variables of its environment name. */
  readonly sockets: readonly string[];
  /** The place that kept the run from an absolute path. Undefined: none did. */
  readonly withheld: (file: string) => NativeWithheld | undefined;
  /** What the run found at an absolute path, by its path on this machine. */
  readonly realPath: (file: string) => string;
}

const ANY_EXEC: OptionAdvice = { kind: 'option', name: 'confine.exec', value: 'any' };
const ANY_WRITES: OptionAdvice = { kind: 'option', name: 'confine.writes', value: 'any' };

/** Where no view binds the loaders, the worker ends a run that executes one. */
const LOADER_REFUSAL: Blocked = {
  guarantee: 'exec',
  subject: 'the dynamic loader',
  message:
    'The run was ended: it handed a program to the dynamic loader by name, which starts programs that are not listed',
  hint: 'Start listed programs by their own names.',
  advice: [ANY_EXEC],
};

/** Texts that programs write when the kernel refused a call. */
const REFUSED_CALL = /Permission denied|Operation not permitted|Read-only file system|\b(?:EACCES|EPERM|EROFS)\b/i;
/** Of these the texts about a file that was to be written: no program is refused by them. */
const READ_ONLY = /Read-only file system|\bEROFS\b/i;
/** What Node says of a folder, and of those above it, that it could not make. */
const FOLDER_NOT_MADE = /\bENOENT: no such file or directory, mkdir\b/;
/** What a program says that it could not do, as in `Cannot open: Permission denied`. It names no program. */
const FAILED_ACTION = /\b(?:cannot|can't|could not|couldn't|unable to|failed to) [a-z]+/gi;
/** Texts that programs write about a file that is covered, or a socket. */
const COVERED_FILE =
  /Permission denied|Operation not permitted|No such file or directory|does not exist|not found|Connection refused|\b(?:EACCES|EPERM|ENOENT|ECONNREFUSED|FileNotFoundError)\b|cannot (?:connect|access|open|stat)|not a (?:socket|git repository)/i;
/** Texts about a program of the user that was not reached. */
const SERVICE_NOT_REACHED = /\bconnect(?:ing|ion)?\b.*\b(?:agent|daemon|bus)\b|\b(?:agent|daemon|bus)\b.*\bconnect/i;
/** Error numbers in such a line. They name nothing. */
const ERROR_NUMBER = /\[?\b(?:errno:?|os error) -?\d+\]?/gi;
/** The call in an error of Node, in front of its file: `EACCES: permission denied, open '/a'`. It names no program. */
const FAILED_CALL = /(?<=\bE[A-Z0-9]+: [^,']*), [a-z]+(?= ')/g;
/** A heading in the output of cargo: the cause of a failure follows on the next line. */
const CAUSE_HEADING = /\n+Caused by:\n\s*/g;
/** A text of tar and git when they cannot start a program, or the shell that would start it. */
const PROGRAM_NOT_STARTED = /\bcannot exec\b/i;
/** A text of the loader when it cannot map a library. */
const LIBRARY_NOT_MAPPED = /failed to map segment from shared object/i;
/** The name of the program that wrote a line, at its start. That program runs, so the line is about another. */
const WRITING_PROGRAM = /^[^\s:]+(?: \(child\))?: /;
/** One name or path without spaces. */
const ONE_WORD = /^\S{1,256}$/;
/** Text in quotes. */
const QUOTED_TEXT = /(?:"([^"]+)"|'([^']+)'|‘([^’]+)’|`([^`']+)[`'])/g;
/** Characters between the words of a line. */
const WORD_SEPARATOR = /[:,()[\]\s]+/;

/** Lines that are read, counted from the end of the output. */
const MAX_READ_LINES = 200;
/** Longer lines are passed over. */
const MAX_LINE_CHARS = 2_000;
/** Names of the shell that package managers start. */
const SHELLS: readonly string[] = ['sh', 'dash'];
/** Programs of one folder that a plan grants one by one. */
const MAX_FOLDER_PROGRAMS = 4_096;
/** Folders of programs that are looked in beside the search path: package managers add them to it. */
const PROGRAM_FOLDERS: readonly string[] = ['node_modules/.bin', '.venv/bin', 'venv/bin'];
/** A file that cargo writes into a folder of build results. */
const BUILD_FOLDER_MARK = '.rustc_info.json';
/** Roots that a refusal names. */
const MAX_NAMED_ROOTS = 8;
/** Refusals that are named of one run. */
const MAX_NAMED_REFUSALS = 3;

/**
 * What the kernel refused a run, read from its errors, or from both outputs when they came through one pipe.
 *
 * @param plan Undefined where no plan was enforced.
 * @param contacts The hosts that its owner's programs asked for while it ran.
 * @param isMerged Whether both outputs came through one pipe.
 * @param isAlone Whether nothing else of its owner runs.
 */
export function refusalsOfRun(
  { end, stdout, stderr, output }: NativeResult,
  command: string | readonly string[],
  plan: EnforcedPlan | undefined,
  contacts: readonly HostContact[] = [],
  isMerged = false,
  isAlone = false,
): readonly Blocked[] {
  if (plan === undefined) return [];
  const hasFailed = end.status !== 'exited' || end.exitCode !== 0;
  const ofLoader = end.failure?.code === 'loader_run' ? [LOADER_REFUSAL] : [];
  const written = isMerged ? output : stderr;
  const text = [command].flat().join(' ');
  const hosts = refusedHosts({ command: text, written: `${stdout}\n${written}`, isAlone, hasFailed }, contacts);
  // Of other refusals a command that succeeded was hit by none that matters; its output may well be about refusals.
  if (!hasFailed) return hosts;
  // What the way out said is exact; the same refusal in the words of a program adds nothing.
  const others = refusalsInOutput(written, plan, text).filter(
    ({ guarantee }) => hosts.length === 0 || guarantee !== 'network',
  );
  const told = [...ofLoader, ...hosts, ...others];
  if (told.some(({ guarantee }) => guarantee === 'network')) return told;
  const length = Math.max(stdout.length + stderr.length, output.length);
  return [...told, ...silentRefusal(command, length, plan.plan)];
}

/**
 * The refusals of the kernel plan, read from the output of the command. A refusal is put down to the plan only where
 * the host's own user has the right: otherwise the system would have refused the call without a plan as well.
 *
 * @param command The command, whose words may name a file that the output does not.
 */
export function refusalsInOutput(output: string, enforced: EnforcedPlan, command = ''): readonly Blocked[] {
  const refusals = new Map<string, Blocked>();
  const lines = output.replace(CAUSE_HEADING, ' ').split('\n').slice(-MAX_READ_LINES);
  for (const line of lines) {
    if (line.length > MAX_LINE_CHARS || refusals.size >= MAX_NAMED_REFUSALS) continue;
    const blocked = refusalInLine(line, enforced);
    if (blocked !== undefined) refusals.set(`${blocked.guarantee} ${blocked.subject}`, blocked);
  }
  if (refusals.size === 0 && lines.some((line) => READ_ONLY.test(line))) return unnamedWrite(lines, command, enforced);
  return namedFirst([...refusals.values()]);
}

/** The refusal of a write whose line names no file: another one may, or the command. Else only the plan is told. */
function unnamedWrite(lines: readonly string[], command: string, enforced: EnforcedPlan): readonly Blocked[] {
  const words = [...lines, command].flatMap((line) => (line.length > MAX_LINE_CHARS ? [] : candidateWords(line)));
  const paths = words.filter((word) => word.includes('/'));
  for (const cwd of [enforced.cwd, ...foldersIn(command, enforced)]) {
    const refused = paths.map((word) => refusalOfWrite(word, { ...enforced, cwd }));
    const first = refused.find((blocked) => blocked !== undefined);
    if (first !== undefined) return [first];
  }
  if (enforced.plan.writes === 'any') return [];
  return [
    {
      guarantee: 'writes',
      subject: 'a file',
      message: `A file was not written: ${writtenPlaces(enforced)}`,
      hint: 'Write there instead.',
      advice: [ANY_WRITES],
    },
  ];
}

/** The folders that a command names: it may have changed to one. */
function foldersIn(command: string, { cwd }: EnforcedPlan): string[] {
  const named = candidateWords(command).filter((word) => ONE_WORD.test(word) && looksLikePath(word));
  return named.map((word) => path.resolve(cwd, word)).filter((folder) => existsSync(folder));
}

function refusalInLine(line: string, enforced: EnforcedPlan): Blocked | undefined {
  const { plan } = enforced;
  if (LIBRARY_NOT_MAPPED.test(line) && plan.exec === 'listed') {
    const library = candidateWords(line).find((word) => word.includes('/') || word.includes('.so'));
    return library === undefined ? undefined : libraryRefusal(library);
  }
  const ofNetwork = networkRefusal(line, plan);
  if (ofNetwork !== undefined) return ofNetwork;
  const ofRead = COVERED_FILE.test(line) ? refusalOfRead(line, enforced) : undefined;
  if (ofRead !== undefined) return ofRead;
  const [script, interpreter, problem] = line.split(': ').slice(-4);
  if (plan.exec === 'listed' && script !== undefined && interpreter !== undefined && problem === 'bad interpreter') {
    return refusalOfUnlisted(script, enforced) ?? refusalOfUnlisted(interpreter, enforced);
  }
  if (!REFUSED_CALL.test(line) && !FOLDER_NOT_MADE.test(line)) return undefined;
  return refusalByShell(line, enforced) ?? refusalOfCall(line, enforced);
}

/** The refusal of a file that the run was kept from reading, or of a socket. */
function refusalOfRead(line: string, { plan, cwd, sockets, withheld, realPath }: EnforcedPlan): Blocked | undefined {
  for (const word of candidateWords(line.replace(ERROR_NUMBER, ' '))) {
    const bare = word.replace(/[.;!?]+$/, '');
    // Of `unix:///run/x.sock` the colon has been taken off.
    const name = bare.startsWith('//') ? path.resolve(bare) : bare;
    if (!ONE_WORD.test(name) || !looksLikePath(name)) continue;
    const file = realPath(path.resolve(cwd, name));
    const found = withheld(file);
    if (found !== undefined) return readRefusal(name, realPlace(file), found, plan);
  }
  if (!SERVICE_NOT_REACHED.test(line)) return undefined;
  // The program knows its socket from the environment.
  for (const socket of sockets) {
    const found = withheld(socket);
    if (found?.guarantee === 'sockets') return readRefusal(socket, socket, found, plan);
  }
  return undefined;
}

/** What `sh` could not start. A package manager may have chosen its directory and its path, and then no file is known. */
function refusalByShell(line: string, enforced: EnforcedPlan): Blocked | undefined {
  const [shell = '', at = '', program = '', problem] = line.split(': ').slice(-4);
  const isStart = SHELLS.includes(path.basename(shell.split(' ').at(-1) ?? '')) && Number(at.split(' ').at(-1)) > 0;
  if (enforced.plan.exec !== 'listed' || !isStart || !ONE_WORD.test(program) || problem !== 'Permission denied')
    return undefined;
  const named = refusalOfWord(program, enforced);
  if (named !== undefined) return named;
  return {
    guarantee: 'exec',
    subject: program,
    message: `'${program}' was not executed: no rule names its place, or its folder was made in this run`,
    hint: 'Run the install alone, in a call that does not name `node_modules`; what a launcher downloads, install first.',
    advice: [ANY_EXEC],
  };
}

function refusalOfCall(line: string, enforced: EnforcedPlan): Blocked | undefined {
  const named = line
    .replace(WRITING_PROGRAM, '')
    .replace(FAILED_CALL, '')
    .replace(FAILED_ACTION, ' ')
    .replace(REFUSED_CALL, ' ');
  const words = candidateWords(named.replace(ERROR_NUMBER, ' '));
  // When the named program is listed, the kernel refused the shell that was to start it.
  const isStart = enforced.plan.exec === 'listed' && PROGRAM_NOT_STARTED.test(line);
  const ofFile = FOLDER_NOT_MADE.test(line) ? refusalOfFolder : refusalOfWord;
  const ofOther = READ_ONLY.test(line) ? refusalOfWrite : ofFile;
  const ofWord = isStart ? refusalOfUnlisted : ofOther;
  for (const word of isStart ? [...words, 'sh'] : words) {
    const blocked = ofWord(word, enforced);
    if (blocked !== undefined) return blocked;
  }
  return undefined;
}

/** The words of a line that may name what was refused, the likeliest first: quoted ones, then the others from the end. */
function candidateWords(line: string): string[] {
  const quoted = [...line.matchAll(QUOTED_TEXT)].map(
    (match) => match.slice(1).find((text) => text !== undefined) ?? '',
  );
  const unquotedText = line.replace(QUOTED_TEXT, ' ');
  const words = unquotedText.split(WORD_SEPARATOR).filter((word) => word !== '');
  return [...quoted.toReversed(), ...words.toReversed()];
}

function refusalOfUnlisted(word: string, enforced: EnforcedPlan): Blocked | undefined {
  const program = findProgram(word, enforced);
  return program === undefined || isListed(program, enforced) ? undefined : executionRefusal(word, program, enforced);
}

function refusalOfWord(word: string, enforced: EnforcedPlan): Blocked | undefined {
  const { plan } = enforced;
  // A quoted sentence is no name.
  if (!ONE_WORD.test(word)) return undefined;
  const unlisted = plan.exec === 'listed' ? refusalOfUnlisted(word, enforced) : undefined;
  return unlisted ?? refusalOfWrite(word, enforced);
}

/** The refusal to change the file of this name. */
function refusalOfWrite(word: string, enforced: EnforcedPlan): Blocked | undefined {
  const { plan } = enforced;
  if (!ONE_WORD.test(word) || !looksLikePath(word)) return undefined;
  const file = realPlace(enforced.realPath(path.resolve(enforced.cwd, word)));
  const isWritable = enforced.writable.some((root) => isBeneath(root, file));
  if (!isWritable && plan.writes !== 'any' && mayChange(file)) return writeRefusal(word, enforced);
  if (!isWritable && isKernelFile(file) && mayChange(file)) return writeRefusal(word, enforced);
  if (isWritable && plan.remove !== 'yes' && existsSync(file) && mayChange(file)) return removalRefusal(word, plan);
  return undefined;
}

/** The refusal to make a folder of this name, or the first above it that is missing. */
function refusalOfFolder(word: string, enforced: EnforcedPlan): Blocked | undefined {
  if (!looksLikePath(word)) return undefined;
  let missing = path.resolve(enforced.cwd, word);
  while (!existsSync(path.dirname(missing))) missing = path.dirname(missing);
  return refusalOfWrite(missing, enforced);
}

/** The file that a word names as a program: a path, or a name in the search path or of a package. */
function findProgram(word: string, enforced: EnforcedPlan): string | undefined {
  const { path: folders, cwd, realPath } = enforced;
  const searched = [...folders, ...programFolders(enforced)];
  const candidatePaths = word.includes('/')
    ? [realPath(path.resolve(cwd, word))]
    : searched.map((folder) => path.join(folder, word));
  return candidatePaths.find(isExecutableFile);
}

/** The folders of programs in a project: of the directory and those above it in its root, and those that rules name. */
function programFolders({ plan, writable, cwd }: EnforcedPlan): string[] {
  const root = writable.find((folder) => isBeneath(folder, cwd));
  const above = [cwd];
  for (let here = cwd; root !== undefined && here !== root; above.push(here)) here = path.dirname(here);
  const named = plan.programs.filter((program) => isPlace(program) && program.endsWith('/*')).map(path.posix.dirname);
  return [
    ...above.flatMap((folder) => PROGRAM_FOLDERS.map((name) => path.join(folder, name))),
    ...writable.flatMap((folder) => named.map((name) => path.join(folder, name))),
  ];
}

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // There is none.
  }
}

/** Whether the plan lists the program, judged by its path alone. */
function isListed(file: string, { plan, writable }: EnforcedPlan): boolean {
  if (writable.some((root) => isBeneath(root, file))) return false;
  return plan.programs.some((program) => (program.includes('/') ? program === file : program === path.basename(file)));
}

function looksLikePath(word: string): boolean {
  return /\w/.test(word) && !word.startsWith('-');
}

/** The path of a file, or of one that is to be made, without the links that lead to its folder. */
function realPlace(file: string): string {
  const folder = path.dirname(file);
  if (folder === file) return file;
  try {
    return existsSync(file) ? realpathSync(file) : path.join(realpathSync(folder), path.basename(file));
  } catch {
    return path.join(realPlace(folder), path.basename(file));
  }
}

function isKernelFile(file: string): boolean {
  return /^\/(?:proc|sys)\//.test(file);
}

/** Whether this user may change the file, or create it. */
function mayChange(file: string): boolean {
  for (const checkedPath of [file, path.dirname(file)]) {
    try {
      accessSync(checkedPath, constants.W_OK);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
    }
  }
  return false;
}

function isCrowded(folder: string): boolean {
  return readdirSync(folder).length > MAX_FOLDER_PROGRAMS;
}

/**
 * The place of everything in the folder that cargo built a program in, by the file that cargo writes there: names of what
 * it builds change with each build.
 */
function buildPlaceOf(program: string, roots: readonly string[]): string | undefined {
  const root = roots.find((folder) => isBeneath(folder, program));
  for (let here = path.dirname(program); root !== undefined && here !== root; here = path.dirname(here)) {
    const place = placeOf(here, roots);
    if (place !== undefined && existsSync(path.join(here, BUILD_FOLDER_MARK))) return `${place}/**`;
  }
  return undefined;
}

function executionRefusal(word: string, program: string, enforced: EnforcedPlan): Blocked {
  const { plan, writable } = enforced;
  if (writable.some((root) => isBeneath(root, program))) {
    const place = buildPlaceOf(program, writable) ?? placeOf(program, writable);
    const allowed: OptionAdvice[] = place === undefined ? [] : [{ kind: 'option', name: 'allow', value: place }];
    const isGranted = plan.programs.some((given) => isPlace(given) && placeGrants(given, writable, program));
    if (isGranted && isCrowded(path.dirname(program))) {
      return {
        guarantee: 'exec',
        subject: word,
        message: `'${word}' was not executed: of the programs in its folder the first ${MAX_FOLDER_PROGRAMS} may run`,
        hint: 'Run it with a listed interpreter.',
        advice: [...allowed, ANY_EXEC],
      };
    }
    return {
      guarantee: 'exec',
      subject: word,
      message: `'${word}' was not executed: it ${isGranted ? 'was made in this run' : 'lies where commands can write'}`,
      hint: isGranted ? 'Run it with another call.' : 'Run it with a listed interpreter.',
      advice: isGranted ? [] : [...allowed, ANY_EXEC],
    };
  }
  const name = path.basename(program);
  return {
    guarantee: 'exec',
    subject: word,
    message: `'${word}' was not executed: '${name}' is not on the list of allowed programs`,
    hint: 'Do it with a listed program.',
    advice: [{ kind: 'option', name: 'allow', value: name }, ANY_EXEC],
  };
}

function libraryRefusal(library: string): Blocked {
  return {
    guarantee: 'exec',
    subject: library,
    message: `'${library}' was not loaded: it lies where commands can write`,
    hint: 'Use a library outside of the workspace.',
    advice: [ANY_EXEC],
  };
}

/** Advises a root for the folder of a file that was not written, where a root would help. */
function rootAdvice(word: string, { cwd, plan, path: programs, realPath }: EnforcedPlan): OptionAdvice[] {
  const folder = path.dirname(realPlace(realPath(path.resolve(cwd, word))));
  // No root holds programs or devices.
  const isTaken = [...programs, '/dev'].some(
    (reservedFolder) => isBeneath(folder, reservedFolder) || isBeneath(reservedFolder, folder),
  );
  const isRoot = plan.writes === 'roots' && folder !== '/' && !isTaken && existsSync(folder);
  return isRoot ? [{ kind: 'option', name: 'roots', value: folder }] : [];
}

function writeRefusal(word: string, enforced: EnforcedPlan): Blocked {
  const { shownWritable: writable } = enforced;
  if (isKernelFile(word)) {
    return {
      guarantee: 'writes',
      subject: word,
      message: `'${word}' was not written: nothing below /proc and /sys is`,
      hint: 'Do without it.',
      advice: [{ kind: 'option', name: 'sandbox', value: 'off' }],
    };
  }
  const named = enforced.realPath(path.resolve(enforced.cwd, word));
  const real = realPlace(named);
  const isLinked = real !== named && writable.some((root) => isBeneath(root, named));
  return {
    guarantee: 'writes',
    subject: word,
    message: `'${word}' ${isLinked ? `leads to '${real}', and was` : 'was'} not written: ${writtenPlaces(enforced)}`,
    hint: 'Write there instead.',
    advice: [...rootAdvice(word, enforced), ANY_WRITES],
  };
}

/** Where commands write. */
function writtenPlaces({ shownWritable, plan }: EnforcedPlan): string {
  const roots = plan.writes === 'roots' ? shownWritable : [];
  return `commands write beneath ${[...roots.slice(0, MAX_NAMED_ROOTS), '$TMPDIR'].join(' and ')} only`;
}

function removalRefusal(word: string, { remove }: NativePlan): Blocked {
  const forbiddenActions = remove === 'no' ? 'removed or moved' : 'removed, moved or emptied';
  return {
    guarantee: 'remove',
    subject: word,
    message: `'${word}' was left as it is: files here are not ${forbiddenActions}`,
    hint: 'Write a new file, or work in $TMPDIR.',
    advice: [{ kind: 'option', name: 'confine.remove', value: 'yes' }],
  };
}

function readRefusal(word: string, file: string, { guarantee, place }: NativeWithheld, { reads }: NativePlan): Blocked {
  return {
    guarantee,
    subject: word,
    message:
      guarantee === 'reads'
        ? `'${word}' was not read: ${whyNotRead(file, place, reads)}`
        : `'${word}' was not reached: who connects to '${place}' starts programs outside of every limit`,
    hint: 'Ask the user for what is needed.',
    // A file that does not exist cannot be lifted by itself.
    advice: [{ kind: 'option', name: 'confine.readable', value: existsSync(file) ? file : place }],
  };
}

function whyNotRead(file: string, place: string, reads: NativePlan['reads']): string {
  if (file !== place) return `commands do not read what is in '${place}'`;
  if (reads !== 'roots') return 'it is a protected place';
  return 'commands read the roots, the system and their tool chains, without the protected places in them';
}
