/** Random scripts of commands and calls of file tools. */
import type { Random } from '../../support/random.js';
import { NAMES, type RandomTree, textOf } from './tree.js';

/** One call: a script for bash, perhaps as a job, or a file tool with its arguments. */
export type Step =
  | { readonly kind: 'shell' | 'job'; readonly commands: readonly string[] }
  | { readonly kind: 'file'; readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

const MOST_STEPS = 5;
const MOST_COMMANDS = 4;
const FILE_MODES = ['600', '644', '755', '444', 'a+x', 'go-rwx', 'u+s'];
const FOLDER_MODES = ['555', '700', '755', '775', '1777', '2755', 'go-rwx'];
const DATES = ['2011-01-02T03:04:05.123456789Z', '1999-12-31 UTC', '@0', '2030-01-01 UTC'];
/** Packs the same each time. */
const TAR = "tar --sort=name --mtime='2012-03-04 UTC' -cf packed.tar";
/** Letters that bash takes as they are. */
const PLAIN = /[A-Za-z0-9._-]/;

/** Paths that a script is about: those of a tree, and more that come into being. */
class Paths {
  readonly #random: Random;
  readonly #known: string[];

  constructor(random: Random, known: readonly string[]) {
    this.#random = random;
    this.#known = [...known];
  }

  /** Perhaps that of an entry. */
  any(): string {
    return this.#known.length > 0 && !this.#random.oneIn(4) ? this.#random.pick(this.#known) : this.free();
  }

  /** Perhaps one with nothing there. */
  free(): string {
    if (this.#known.length > 0 && this.#random.oneIn(4)) return this.#random.pick(this.#known);
    const above = this.#random.pick([undefined, undefined, ...this.#known]);
    const name = this.#random.pick(NAMES);
    const path = above === undefined ? name : `${above}/${name}`;
    this.#known.push(path);
    return path;
  }

  /** One that file tools can name, as UTF-8, perhaps on one line. */
  text(isLine = false): string {
    const text = textOfBytes(this.any());
    return text === undefined || (isLine && text.includes('\n')) ? this.text(isLine) : text;
  }
}

/** The text that bytes are in UTF-8. */
function textOfBytes(bytes: string): string | undefined {
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? undefined : text;
}

/** A path as a word of bash. Bytes that are no UTF-8 cannot be written in a command: a pattern stands for them. */
function word(path: string): string {
  const name = (part: string): string => {
    if (textOfBytes(part) === undefined) return part.replaceAll(/[\x80-\xff]/g, '?');
    const letters = [...part].map((letter) =>
      PLAIN.test(letter) ? letter : `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
    return letters.some((letter) => letter.length > 1) ? `$'${letters.join('')}'` : part;
  };
  return ['.', ...path.split('/').map(name)].join('/');
}

type MakeCommand = (one: string, two: string, random: Random) => string;

/** In a transaction a folder is moved with what it holds, which an ordinary user may not take out of a read-only one. */
const moved = (path: string, command: string): string =>
  `if [ -n "$(find ${path} -type d ! -perm -u=w)" ]; then false; else ${command}; fi`;

/** What people do to a tree, the frequent things more often. */
const COMMANDS: readonly MakeCommand[] = [
  (one, _, random) => `echo line ${random.below(10)} > ${one}`,
  (one, _, random) => `printf 'start\\nline ${random.below(10)}\\nend\\n' > ${one}`,
  (one, _, random) => `echo more ${random.below(10)} >> ${one}`,
  (one) => `: > ${one}`,
  (one, _, random) => `truncate -s ${random.below(9000)} ${one}`,
  (one) => `rm ${one}`,
  (one) => `rm -r ${one}`,
  (one) => `rm -rf ${one}`,
  (one) => `rmdir ${one}`,
  (one, two) => moved(one, `mv ${one} ${two}`),
  (one, two) => moved(one, `mv ${one} ${two}`),
  (one, two) => moved(one, `mv -T ${one} ${two}`),
  (one, two) => moved(one, `mkdir -p ${two} && mv ${one} ${two}`),
  (one, two) => `ln ${one} ${two}`,
  (one, two) => `ln -s ${one} ${two}`,
  (one, two) => `ln -sfn ${two} ${one}`,
  (one, _, random) => `if [ -d ${one} ]; then chmod ${random.pick(FOLDER_MODES)} ${one}; else false; fi`,
  (one, _, random) => `if [ -f ${one} ]; then chmod ${random.pick(FILE_MODES)} ${one}; else false; fi`,
  (one, _, random) => `touch -d '${random.pick(DATES)}' ${one}`,
  (one, _, random) => `touch -h -d '${random.pick(DATES)}' ${one}`,
  (one) => `mkdir ${one}`,
  (one) => `mkdir -p ${one}`,
  (one, _, random) => `mkdir -p ${one} && echo ${random.below(10)} > ${one}/b`,
  (one, two) => `cp -a ${one} ${two}`,
  (one, two) => `cp ${one} ${two}`,
  (one, two) => `cp -rT ${one} ${two}`,
  (one) => `find ${one} -type f -delete`,
  (one) => `find ${one} -depth -empty -delete`,
  (one, _, random) => `sed -i 's/line ${random.below(5)}/changed/' ${one}`,
  (one, _, random) => `rm -rf ${one} && mkdir ${one} && echo ${random.below(10)} > ${one}/a`,
  (one, two) => `${TAR} ${one} && mkdir -p ${two} && tar xf packed.tar -C ${two} && rm packed.tar`,
  (one, two) => `${TAR} ${one} ${two} && tar xf packed.tar`,
];
const GIT_COMMANDS: readonly MakeCommand[] = [
  () => 'git add -A && git commit -q -m again',
  () => 'git stash -q',
  () => 'git stash pop -q',
  (one) => `git rm -rqf ${one}`,
  (one, two) => moved(one, `git mv ${one} ${two}`),
  (_, __, random) => `git checkout -q -b branch${random.below(3)}`,
  () => 'git checkout -q -f main',
  () => 'git reset -q --hard',
  () => 'git clean -qfd',
];

interface TreeTraits {
  readonly hasGit: boolean;
  readonly hasLinks: boolean;
}

function commandOf(random: Random, paths: Paths, { hasGit, hasLinks }: TreeTraits): string {
  const make = random.pick(hasGit && random.oneIn(3) ? GIT_COMMANDS : COMMANDS);
  const [one, two] = [paths.any(), paths.free()];
  // What a copy of a folder into itself holds depends on what it comes to first.
  const command = make(word(one), word(two.startsWith(one) ? `copy of ${two.length}` : two), random);
  // `cp` tells two names of one file, which it has in a layer and not in the copy beside it.
  return hasLinks && command.startsWith('cp ') ? 'false' : command;
}

function sectionOf(random: Random, paths: Paths): string {
  const path = paths.text(true);
  switch (random.below(4)) {
    case 0:
      return `*** Add File: ${path}\n+start\n+added ${random.below(10)}\n+end`;
    case 1:
      return `*** Delete File: ${path}`;
    case 2:
      return `*** Update File: ${path}\n*** Move to: ${paths.text(true)}\n@@\n-start\n+start of the moved`;
    default:
      return `*** Update File: ${path}\n@@\n-end\n+end of the patched`;
  }
}

function fileStep(random: Random, paths: Paths): Step {
  switch (random.below(3)) {
    case 0:
      return { kind: 'file', tool: 'file_write', args: { path: paths.text(), content: textOf(random) } };
    case 1: {
      const line = random.pick(['start', 'end']);
      const edits = [{ old: line, new: `${line}, edited` }];
      return { kind: 'file', tool: 'file_edit', args: { path: paths.text(), edits } };
    }
    default: {
      const sections = Array.from({ length: 1 + random.below(2) }, () => sectionOf(random, paths));
      const patch = `*** Begin Patch\n${sections.join('\n')}\n*** End Patch`;
      return { kind: 'file', tool: 'file_patch', args: { patch } };
    }
  }
}

/** A script for a tree. File tools write to no file with several names, which it has in a layer and not in the copy beside it. */
export function scriptOf(random: Random, { paths: known, hasLinks }: RandomTree, hasGit: boolean): Step[] {
  const paths = new Paths(random, known);
  return Array.from({ length: 1 + random.below(MOST_STEPS) }, () => {
    if (!hasLinks && random.oneIn(3)) return fileStep(random, paths);
    const commands = Array.from({ length: 1 + random.below(MOST_COMMANDS) }, () =>
      commandOf(random, paths, { hasGit, hasLinks }),
    );
    return { kind: random.oneIn(6) ? 'job' : 'shell', commands };
  });
}
