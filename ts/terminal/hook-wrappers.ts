import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { isBeneath } from './beneath.js';
import type { HookFolder, HookName, HookSnapshot } from './hook-snapshot.js';

/** The hooks of one repository. */
export interface RepositoryHooks {
  readonly place: HookFolder;
  readonly hooks: readonly HookSnapshot[];
}

/** The programs that wrappers start; absolute. */
export interface WrapperPrograms {
  readonly git: string;
  readonly bash: string;
}

/** Scripts that bash reads as well: a plan with scripts always has bash. */
const SHELLS = /^\S*\/(?:env\s+)?(?:sh|dash|bash)(?:\s+(-\w+))?$/;
const ENV = /^\S*\/env\s+(\S+)$/;

/** Shown in a result when a hook is not what it was. */
export const CHANGED_HOOK = 'it is new, or it or a script that it names has changed since this terminal was made';

/**
 * Writes a folder of hooks that stand before those of the repositories: each compares the hook, and the scripts that it
 * names, with what they were, at the moment when git starts it, and then runs the hook itself. Where something differs,
 * it says so and lets git go on. The folder's name comes from its content, so that it is written once.
 *
 * @param parent The folder for such folders. Nothing that commands may write to.
 * @param writable The directories that commands may write to.
 * @returns The paths of the wrappers. Undefined where they cannot be written.
 */
export function writeWrappers(
  repositories: readonly RepositoryHooks[],
  programs: WrapperPrograms,
  parent: string,
  writable: readonly string[],
): { readonly folder: string; readonly files: readonly string[] } | undefined {
  const names = new Set(repositories.flatMap(({ hooks }) => hooks.map(({ name }) => name)));
  const texts = [...names].map((name) => [name, wrapperText(name, repositories, programs)] as const);
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  const folder = path.join(parent, digest);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const real = realpathSync(folder);
    if (writable.some((root) => isBeneath(root, real))) return undefined;
    for (const [name, text] of texts) writeOnce(path.join(real, name), text);
    return { folder: real, files: texts.map(([name]) => path.join(real, name)) };
  } catch {
    return undefined; // Without them no hook runs, and results say so.
  }
}

function writeOnce(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || readFileSync(file, 'utf8') !== text) throw error;
  }
}

function wrapperText(name: HookName, repositories: readonly RepositoryHooks[], { git, bash }: WrapperPrograms): string {
  const cases = repositories.flatMap(({ place, hooks }) => {
    const hook = hooks.find((one) => one.name === name);
    if (hook === undefined) return [];
    const files = [...hook.digests.keys()].map(quoted).join(' ');
    const digests = [...hook.digests.values()].join('\n');
    return [
      `${quoted(place.common)})`,
      `  [ "$(digests ${files})" = ${quoted(digests)} ] || not_run`,
      `  exec ${commandOf(hook, bash)} "$@" ;;`,
    ];
  });
  return [
    `#!${bash} -p`,
    '# Written by Handrail. Runs a hook of git as long as it is what it was when a terminal was made.',
    `not_run() { printf '[handrail] %s did not run here: %s\\n' ${name} ${quoted(CHANGED_HOOK)} >&2; exit 0; }`,
    // The repository may name files by another hash.
    `digests() { (unset "\${!GIT_@}"; cd / && ${quoted(git)} hash-object --no-filters -- "$@" 2>/dev/null); }`,
    `case $(${quoted(git)} rev-parse --path-format=absolute --git-common-dir) in`,
    ...cases,
    'esac',
    // Another repository, whose hooks nobody has looked at.
    `[ ! -x "$(unset GIT_CONFIG_COUNT; ${quoted(git)} rev-parse --git-path hooks)/${name}" ] || not_run`,
    'exit 0',
    '',
  ].join('\n');
}

/** The words that start a hook: its interpreter, so that nothing beneath a root has to be executable. */
function commandOf({ file, interpreter }: HookSnapshot, bash: string): string {
  const shell = SHELLS.exec(interpreter);
  if (shell !== null) {
    const posix = interpreter.includes('bash') ? '' : ' --posix';
    return `${quoted(bash)}${posix}${shell[1] === undefined ? '' : ` ${shell[1]}`} ${quoted(file)}`;
  }
  if (interpreter === '') return quoted(file);
  const words = ENV.exec(interpreter)?.slice(1) ?? interpreter.split(' ');
  return `${words.map(quoted).join(' ')} ${quoted(file)}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
