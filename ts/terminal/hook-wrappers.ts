import { createHash, randomUUID } from 'node:crypto';
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { readBounded } from '../config/bounded-file.js';
import type { Environment } from '../config/host-environment.js';
import { ownCacheFolder } from '../config/own-folder.js';
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

/** Why a hook does not run, as its wrapper says. */
export interface HookReasons {
  /** For each that is not known. */
  readonly unknown: string;
  /** For one whose interpreter the plan does not let start. */
  readonly program: string;
}

/** Most bytes of a character in UTF-8. */
const MAX_UTF8_BYTES = 4;

/** The script that stands for every hook; git starts it by the links of their names. */
const SCRIPT = 'hook';

/**
 * Wrappers that stand before the hooks of every repository. Each looks up, at the moment when git starts it, what the
 * repository itself has of that name. A hook of `known` runs while it, and the scripts that it names, are what they
 * were; about every other the wrapper says so and lets git go on.
 *
 * @param known `'all'`: every hook runs as it is.
 */
export function wrappersByBash(
  names: readonly string[],
  known: readonly RepositoryHooks[] | 'all',
  { git, bash }: { readonly git: string; readonly bash: string },
  reasons: HookReasons,
): Wrappers {
  const text = [
    `#!${bash} -p`,
    '# Written by Handrail. Stands before a hook of git, and runs it or says that it did not run.',
    '[[ $0 =~ [^/]+$ ]] && name=$BASH_REMATCH',
    `say() { printf '[handrail] %s did not run here: %s\n' "$name" "$1" >&2; }`,
    `not_run() { say ${quoted(reasons.unknown)}; exit 0; }`,
    // The repository may name files by another hash.
    `digests() { (unset "\${!GIT_@}"; cd / && ${quoted(git)} hash-object --no-filters -- "$@" 2>/dev/null); }`,
    // On a mount without execution the system calls no file executable, so git tells the mode.
    `mode() { (unset "\${!GIT_@}"; cd / && ${quoted(git)} diff --no-index --raw /dev/null "$own" 2>/dev/null); }`,
    `has_own() { [[ -f $own && (-x $own || -L $own || $(mode) == *' 100755 '*) ]]; }`,
    ...starter(bash, reasons.program),
    // Without the setting that names these wrappers.
    `places=$(GIT_CONFIG_COUNT=0 ${quoted(git)} rev-parse --path-format=absolute --git-common-dir --git-path "hooks/$name")`,
    `common=\${places%%$'\n'*} own=\${places#*$'\n'}`,
    ...(known === 'all'
      ? ['! has_own || start "$own" "$@"']
      : [...casesOf(known, reasons.unknown), '! has_own || not_run']),
    'exit 0',
    '',
  ].join('\n');
  const links = names.map((name) => [name, { link: SCRIPT }] as const);
  return new Map<string, { text: string } | { link: string }>([[SCRIPT, { text }], ...links]);
}

/** The case of each known hook. */
function casesOf(known: readonly RepositoryHooks[], reason: string): string[] {
  const cases = known.flatMap(({ place, hooks }) => {
    return hooks.map((hook) => {
      const digests = [...hook.digests.values()].join('\n');
      const missing = [...hook.missing].map((file) => `  [[ ! -f ${quoted(file)} ]] || not_run`);
      return [
        `${quoted(`${place.common} ${hook.name}`)})`,
        // Another work tree of the repository has other scripts. Git starts hooks at its top.
        `  [[ . -ef ${quoted(place.top)} ]] || not_run`,
        // A command named another folder of hooks.
        `  [[ $own -ef ${quoted(hook.file)} ]] || ! has_own || say ${quoted(reason)}`,
        ...missing,
        `  [[ $(digests ${[...hook.digests.keys()].map(quoted).join(' ')}) == ${quoted(digests)} ]] || not_run`,
        `  start ${quoted(hook.file)} "$@" ;;`,
      ].join('\n');
    });
  });
  return cases.length === 0 ? [] : ['case "$common $name" in', ...cases, 'esac'];
}

/**
 * A function of bash that runs a hook by its interpreter, so that nothing beneath a root has to be executable: scripts for
 * `sh`, and those that name none, by bash. Where the plan does not let the interpreter start, it says so.
 */
function starter(bash: string, reason: string): string[] {
  return [
    'start() {',
    '  local file=$1 line= words=()',
    '  shift',
    '  IFS= read -r line < "$file"',
    '  case $line in',
    `    '#!'*) set -f; words=(\${line#??}); set +f ;;`,
    "    $'\\x7fELF'*) ;;",
    '    *) words=(sh) ;;',
    '  esac',
    `  [[ \${words[0]} != */env ]] || words=("\${words[@]:1}")`,
    `  [[ \${words[0]} != -S ]] || words=("\${words[@]:1}")`,
    `  case \${words[0]##*/} in\n    sh | dash) words=(${quoted(bash)} --posix "\${words[@]:1}") ;;`,
    `    bash) words=(${quoted(bash)} "\${words[@]:1}") ;;`,
    '  esac',
    '  shopt -s execfail',
    `  exec "\${words[@]}" "$file" "$@"`,
    `  say ${quoted(reason)}`,
    '  exit 0',
    '}',
  ];
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
 * @param writable The directories that commands may write to.
 * @returns The paths of the scripts. Undefined where there is no place for them that commands do not write to, and no
 *   other user.
 */
export function writeWrappers(
  wrappers: Wrappers,
  host: Environment,
  writable: readonly string[],
): { readonly folder: string; readonly files: readonly string[] } | undefined {
  const digest = createHash('sha256')
    .update(JSON.stringify([...wrappers]))
    .digest('hex');
  const folder = ownCacheFolder(host, 'handrail', 'hooks', digest);
  if (folder === undefined || writable.some((root) => isBeneath(root, folder))) return undefined;
  const files: string[] = [];
  try {
    for (const [name, wrapper] of wrappers) {
      const file = path.join(folder, name);
      if ('link' in wrapper) {
        replace(file, (next) => symlinkSync(wrapper.link, next));
      } else {
        if (readBounded(file, wrapper.text.length * MAX_UTF8_BYTES)?.toString('utf8') !== wrapper.text) {
          replace(file, (next) => writeFileSync(next, wrapper.text, { flag: 'wx', mode: 0o700 }));
        }
        files.push(file);
      }
    }
    return { folder, files };
  } catch {
    return undefined; // Without them no hook runs.
  }
}

/** Makes a file in one step, so that another host never finds half of it. */
function replace(file: string, make: (next: string) => void): void {
  const next = `${file}.${randomUUID()}`;
  make(next);
  renameSync(next, file);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
