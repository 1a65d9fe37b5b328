import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';

import type { NativePlan } from '../native/binding.js';
import type { OptionAdvice } from '../report/advice.js';
import type { Blocked } from '../report/blocked.js';
import { isBeneath } from './beneath.js';

/** What the kernel held a run to, and where. */
export interface Held {
  readonly plan: NativePlan;
  /** Canonical directories that it could write beneath. */
  readonly writable: readonly string[];
  /** Folders that programs are found in. */
  readonly path: readonly string[];
  /** Where the run started; absolute. */
  readonly cwd: string;
}

const ANY_EXEC: OptionAdvice = { kind: 'option', name: 'confine.exec', value: 'any' };

/** What programs write when a call was refused. */
const REFUSED = /Permission denied|Operation not permitted|Read-only file system|\b(?:EACCES|EPERM|EROFS)\b/i;
/** Numbers that go with it: no word of what the line is about. */
const NUMBER = /\[?\b(?:errno:?|os error) -?\d+\]?/gi;
/** Why something happened, a line below what did. */
const CAUSE = /\n+Caused by:\n\s*/g;
/** What tar and git write when they cannot start something, or the shell they start it with. */
const NOT_STARTED = /\bcannot exec\b/i;
/** The same about a library. */
const NOT_MAPPED = /failed to map segment from shared object/i;
/** What programs write when there is no network. */
const UNREACHED =
  /Address family not supported|EAFNOSUPPORT|(?:could not|couldn't|can't|cannot|failed to) (?:resolve|connect|reach)|name resolution|Name or service not known|Network is unreachable|ENETUNREACH|EAI_AGAIN|ENOTFOUND|getaddrinfo/i;
/** An address in such a line: a host of a URL, a name behind a word that says so, host and port, or a device of bash. */
const ADDRESS =
  /\/dev\/(?:tcp|udp)\/[^\s'":]+|[a-z][a-z0-9+.-]*:\/\/[^\s'"/]+|(?<=(?:host|to|resolve|getaddrinfo \w+)[: ]+)[\w-]+(?:[.:][\w-]+)+/i;
/** The program that wrote a line: it runs, so it is not what the line is about. */
const SPEAKER = /^[^\s:]+(?: \(child\))?: /;
/** One name or path. */
const NAME = /^\S{1,256}$/;
/** Anything in quotes, then what colons, commas, blanks and brackets separate. */
const QUOTED = /(?:"([^"]+)"|'([^']+)'|‘([^’]+)’|`([^`']+)[`'])/g;
const SEPARATED = /[:,()[\]\s]+/;

/** Lines looked at, from the end, and what is named at most. */
const MAX_LINES = 200;
const MAX_LINE_CHARS = 2_000;
const MAX_NAMED = 3;

/**
 * What the plan refused, read from what the command wrote. Only what the host itself could have done is put down to the
 * plan: everything else was refused by the system, as it would be without it.
 */
export function blockedIn(output: string, held: Held): Blocked[] {
  const found = new Map<string, Blocked>();
  const lines = output.replace(CAUSE, ' ').split('\n').slice(-MAX_LINES);
  for (const line of lines) {
    if (line.length > MAX_LINE_CHARS || found.size >= MAX_NAMED) continue;
    const blocked = blockedByLine(line, held);
    if (blocked !== undefined) found.set(`${blocked.guarantee} ${blocked.subject}`, blocked);
  }
  return [...found.values()];
}

function blockedByLine(line: string, held: Held): Blocked | undefined {
  const { plan } = held;
  if (NOT_MAPPED.test(line) && plan.exec === 'listed') {
    const library = candidates(line).find((word) => word.includes('/') || word.includes('.so'));
    return library === undefined ? undefined : notMapped(library);
  }
  if (plan.network === 'none' && (UNREACHED.test(line) || isRefusedConnection(line))) {
    return notReached(ADDRESS.exec(line)?.[0] ?? 'the network');
  }
  return REFUSED.test(line) ? refusedCall(line, held) : undefined;
}

function refusedCall(line: string, held: Held): Blocked | undefined {
  const words = candidates(line.replace(SPEAKER, '').replace(REFUSED, ' ').replace(NUMBER, ' '));
  // Where what is named may be started, it is the shell for it that may not.
  const isStart = held.plan.exec === 'listed' && NOT_STARTED.test(line);
  for (const word of isStart ? [...words, 'sh'] : words) {
    const blocked = isStart ? unlistedWord(word, held) : refusedWord(word, held);
    if (blocked !== undefined) return blocked;
  }
  return undefined;
}

/** The words of a line that may name what it is about, the likeliest first: quoted ones, then the last. */
function candidates(line: string): string[] {
  const quoted = [...line.matchAll(QUOTED)].map((match) => match.slice(1).find((text) => text !== undefined) ?? '');
  const rest = line.replace(QUOTED, ' ');
  const words = rest.split(SEPARATED).filter((word) => word !== '');
  return [...quoted.toReversed(), ...words.toReversed()];
}

function isRefusedConnection(line: string): boolean {
  return /\b(?:connect|socket|bind|listen)\b/i.test(line) && REFUSED.test(line);
}

function unlistedWord(word: string, held: Held): Blocked | undefined {
  const program = programOf(word, held);
  return program === undefined || isListed(program, held) ? undefined : notExecuted(word, program, held);
}

function refusedWord(word: string, held: Held): Blocked | undefined {
  const { plan } = held;
  // A sentence is no name: whoever wrote it is quoted nowhere.
  if (!NAME.test(word)) return undefined;
  const unlisted = plan.exec === 'listed' ? unlistedWord(word, held) : undefined;
  if (unlisted !== undefined) return unlisted;
  if (!looksLikePath(word)) return undefined;
  const file = path.resolve(held.cwd, word);
  const isWritable = held.writable.some((root) => isBeneath(root, file));
  if (!isWritable && plan.writes !== 'any' && couldChange(file)) return notWritten(word, held);
  if (!isWritable && isOfKernel(file) && couldChange(file)) return notWritten(word, held);
  if (isWritable && plan.remove !== 'yes' && existsSync(file) && couldChange(file)) return notRemoved(word, plan);
  return undefined;
}

/** The file that a word names as a program: a path, or a name in the search path or of a package. */
function programOf(word: string, { path: folders, cwd }: Held): string | undefined {
  const searched = [...folders, path.join(cwd, 'node_modules', '.bin')];
  const places = word.includes('/') ? [path.resolve(cwd, word)] : searched.map((folder) => path.join(folder, word));
  return places.find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // There is none.
  }
}

/** Whether the plan lets it be executed, as far as its name says. */
function isListed(file: string, { plan, writable }: Held): boolean {
  if (writable.some((root) => isBeneath(root, file))) return false;
  return plan.programs.some((program) => (program.includes('/') ? program === file : program === path.basename(file)));
}

function looksLikePath(word: string): boolean {
  return /\w/.test(word) && !word.startsWith('-');
}

function isOfKernel(file: string): boolean {
  return /^\/(?:proc|sys)\//.test(file);
}

/** Whether this user could change the file, or make it. */
function couldChange(file: string): boolean {
  for (const place of [file, path.dirname(file)]) {
    try {
      accessSync(place, constants.W_OK);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
    }
  }
  return false;
}

function notExecuted(word: string, program: string, held: Held): Blocked {
  if (held.writable.some((root) => isBeneath(root, program))) {
    return {
      guarantee: 'exec',
      subject: word,
      message: `'${word}' was not executed: it lies where commands can write`,
      hint: 'Run it with a listed interpreter.',
      advice: [ANY_EXEC],
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

function notMapped(library: string): Blocked {
  return {
    guarantee: 'exec',
    subject: library,
    message: `'${library}' was not loaded: it lies where commands can write`,
    hint: 'Use a library outside of the workspace.',
    advice: [ANY_EXEC],
  };
}

/** The folder of what was not written, where more roots would help. */
function furtherRoot(word: string, { cwd, plan, path: programs }: Held): OptionAdvice[] {
  const folder = path.dirname(path.resolve(cwd, word));
  // No root holds programs or devices.
  const isTaken = [...programs, '/dev'].some((place) => isBeneath(folder, place) || isBeneath(place, folder));
  const isRoot = plan.writes === 'roots' && folder !== '/' && !isTaken && existsSync(folder);
  return isRoot ? [{ kind: 'option', name: 'roots', value: folder }] : [];
}

function notWritten(word: string, held: Held): Blocked {
  const { writable, plan } = held;
  if (isOfKernel(word)) {
    return {
      guarantee: 'writes',
      subject: word,
      message: `'${word}' was not written: nothing below /proc and /sys is`,
      hint: 'Do without it.',
      advice: [{ kind: 'option', name: 'sandbox', value: 'off' }],
    };
  }
  const places = plan.writes === 'roots' && writable.length > 0 ? `${writable.join(', ')} and $TMPDIR` : '$TMPDIR';
  return {
    guarantee: 'writes',
    subject: word,
    message: `'${word}' was not written: commands write beneath ${places} only`,
    hint: 'Write there instead.',
    advice: [...furtherRoot(word, held), { kind: 'option', name: 'confine.writes', value: 'any' }],
  };
}

function notRemoved(word: string, { remove }: NativePlan): Blocked {
  const what = remove === 'no' ? 'removed or moved' : 'removed, moved or emptied';
  return {
    guarantee: 'remove',
    subject: word,
    message: `'${word}' was left as it is: files here are not ${what}`,
    hint: 'Write a new file, or work in $TMPDIR.',
    advice: [{ kind: 'option', name: 'confine.remove', value: 'yes' }],
  };
}

function notReached(address: string): Blocked {
  return {
    guarantee: 'network',
    subject: address,
    message: `${address === 'the network' ? 'The network' : `'${address}'`} was not reached: commands have no network`,
    hint: 'Work with what is here.',
    advice: [{ kind: 'option', name: 'confine.network', value: 'any' }],
  };
}
