import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { isBeneath } from './beneath.js';
import type { HookFolder } from './hook-scripts.js';
import type { HookSnapshot } from './hook-snapshot.js';

/** The hooks of one repository that may run. */
export interface RepositoryHooks {
  readonly place: HookFolder;
  readonly hooks: readonly HookSnapshot[];
}

/** A folder of hooks by the name of each file: its text, or the file beside it that it links to. */
export type Wrappers = ReadonlyMap<string, { readonly text: string } | { readonly link: string }>;

/** Scripts that bash reads as well: the wrapper is one for bash, so the plan has it. */
const SHELLS = /^\S*\/(?:env\s+)?(?:sh|dash|bash)(?:\s+(-\w+))?$/;
const ENV = /^\S*\/env\s+(\S+)$/;

/** The script that stands for every hook; git starts it by the links of their names. */
const SCRIPT = 'hook';

/**
 * Wrappers that stand before the hooks of every repository. Each looks up, at the moment when git starts it, what the
 * repository itself has of that name. A hook of `repositories` runs while it, and the scripts that it names, are what
 * they were; about every other the wrapper says so and lets git go on.
 *
 * @param reason Why a hook does not run.
 */
export function wrappersByBash(
  names: readonly string[],
  repositories: readonly RepositoryHooks[],
  { git, bash }: { readonly git: string; readonly bash: string },
  reason: string,
): Wrappers {
  const cases = repositories.flatMap(({ place, hooks }) => {
    return hooks.map((hook) => {
      const digests = [...hook.digests.values()].join('\n');
      const missing = [...hook.missing].map((file) => `  [[ ! -f ${quoted(file)} ]] || not_run`);
      return [
        `${quoted(`${place.common} ${hook.name}`)})`,
        // Another work tree of the repository has other scripts. Git starts hooks at its top.
        `  [[ . -ef ${quoted(place.top)} ]] || not_run`,
        // A command named another folder of hooks.
        `  [[ $own -ef ${quoted(hook.file)} ]] || ! has_own || say`,
        ...missing,
        `  [[ $(digests ${[...hook.digests.keys()].map(quoted).join(' ')}) == ${quoted(digests)} ]] || not_run`,
        `  exec ${commandOf(hook, bash)} "$@" ;;`,
      ].join('\n');
    });
  });
  const text = [
    `#!${bash} -p`,
    '# Written by Handrail. Stands before a hook of git, and runs it or says that it did not run.',
    '[[ $0 =~ [^/]+$ ]] && name=$BASH_REMATCH',
    `say() { printf '[handrail] %s did not run here: %s\\n' "$name" ${quoted(reason)} >&2; }`,
    'not_run() { say; exit 0; }',
    // The repository may name files by another hash.
    `digests() { (unset "\${!GIT_@}"; cd / && ${quoted(git)} hash-object --no-filters -- "$@" 2>/dev/null); }`,
    // On a mount without execution the system calls no file executable, so git tells the mode.
    `mode() { (unset "\${!GIT_@}"; cd / && ${quoted(git)} diff --no-index --raw /dev/null "$own" 2>/dev/null); }`,
    `has_own() { [[ -f $own && (-x $own || -L $own || $(mode) == *' 100755 '*) ]]; }`,
    // Without the setting that names these wrappers.
    `places=$(GIT_CONFIG_COUNT=0 ${quoted(git)} rev-parse --path-format=absolute --git-common-dir --git-path "hooks/$name")`,
    `common=\${places%%$'\\n'*} own=\${places#*$'\\n'}`,
    ...(cases.length === 0 ? [] : ['case "$common $name" in', ...cases, 'esac']),
    '! has_own || not_run',
    'exit 0',
    '',
  ].join('\n');
  const links = names.map((name) => [name, { link: SCRIPT }] as const);
  return new Map<string, { text: string } | { link: string }>([[SCRIPT, { text }], ...links]);
}

/**
 * Wrappers for a plan that has no bash: each says that the hook did not run, whatever the repository has, so `names` are
 * those of hooks that are there.
 */
export function wrappersByPrintf(names: readonly string[], printf: string, reason: string): Wrappers {
  // The line is the format; the path of the wrapper and what git passes print nothing.
  return new Map(
    names.map((name) => [
      name,
      { text: `#!${printf} [handrail] ${name} did not run here: ${reason}\\n${'%.0s'.repeat(8)}\n` },
    ]),
  );
}

/**
 * Writes a folder of wrappers. Its name comes from its content, so that it is written once.
 *
 * @param parent The folder for such folders. Nothing that commands may write to.
 * @param writable The directories that commands may write to.
 * @returns The paths of the scripts. Undefined where they cannot be written.
 */
export function writeWrappers(
  wrappers: Wrappers,
  parent: string,
  writable: readonly string[],
): { readonly folder: string; readonly files: readonly string[] } | undefined {
  const digest = createHash('sha256')
    .update(JSON.stringify([...wrappers]))
    .digest('hex');
  try {
    mkdirSync(path.join(parent, digest), { recursive: true, mode: 0o700 });
    const folder = realpathSync(path.join(parent, digest));
    if (writable.some((root) => isBeneath(root, folder))) return undefined;
    const files: string[] = [];
    for (const [name, wrapper] of wrappers) {
      const file = path.join(folder, name);
      if ('link' in wrapper) {
        once(
          () => symlinkSync(wrapper.link, file),
          () => readlinkSync(file) === wrapper.link,
        );
        continue;
      }
      const { text } = wrapper;
      once(
        () => writeFileSync(file, text, { flag: 'wx', mode: 0o700 }),
        () => readFileSync(file, 'utf8') === text,
      );
      files.push(file);
    }
    return { folder, files };
  } catch {
    return undefined; // Without them no hook runs.
  }
}

/** Makes a file that may be there already, as it would be made. */
function once(make: () => void, isMade: () => boolean): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isMade()) throw error;
  }
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
