import { createHash } from 'node:crypto';
import path from 'node:path';
import { isFile, readBounded } from '../config/bounded-file.js';
import { isBeneath } from './beneath.js';
import { askGit } from './git-program.js';

/** Most scripts of one hook, missing ones included. */
const MAX_SCRIPTS = 64;

/** Most words of all hooks of a repository. */
const MAX_WORDS = 4_096;

/** Most files of the same name as a word, or in a folder of that name, for all hooks of a repository. */
const MAX_MATCHES = 65_536;

/** Most bytes that are read for all hooks of a repository. */
const MAX_BYTES = 4_194_304;

/** Most bytes of the list of a work tree. */
const MAX_LIST_BYTES = 16_777_216;

/** A variable, which may stand for any folder. */
const VARIABLE = /\$\w+/g;
const WORD = /[^\s'"`;|&()<>=${},]+/g;
const PATTERN = /[*?[]/;
/** Folders of dependencies, where commands install what they like, and git's own. */
const PASSED_OVER: readonly string[] = ['node_modules', '.venv', 'venv', 'target', 'vendor', '.git'];
/** Names of files that hold data, which a script reads rather than starts. */
const DATA =
  /.\.(?:jsonc?|json5|lock|toml|ya?ml|mdx?|txt|csv|ini|cfg|conf|log|xml|html?|s?css|svg|png|jpe?g|patch|diff)$/i;
/** Names of scripts that name others relative to themselves. */
const MODULE = /\.(?:[cm]?[jt]sx?|py|rb|pl)$/;
const SHELL_SCRIPT = /^\.?[^.]+(?:\.(?:ba|z|k|da)?sh)?$/;
/** What a name may lack at its end, as in `require('./check')`. */
const EXTENSIONS = ['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.py', '.sh'];

/** Where the hooks of a repository lie; absolute. */
export interface HookFolder {
  /** The work tree. */
  readonly top: string;
  /** The folder that all work trees of the repository share. */
  readonly common: string;
  /** The folder of the hooks, as `core.hooksPath` says. */
  readonly folder: string;
}

/** A hook with the scripts that it names. */
export interface NamedScripts {
  /** The names that git gives the content of the hook and of the scripts that it names, by their paths. */
  readonly digests: ReadonlyMap<string, string>;
  /** Paths that it names as scripts where there is no file. */
  readonly missing: ReadonlySet<string>;
}

interface Script {
  readonly digest: string;
  readonly names: readonly string[];
  readonly missing: readonly string[];
}

/**
 * The scripts that the hooks of one repository name. A word names every file of the work tree whose path ends with the
 * word, or with what follows the last variable in it: so it does not matter what `cd`, `$ROOT` or `$(…)` lead to. A
 * folder or a pattern names the shell scripts in that folder.
 */
export class HookScripts {
  readonly #place: HookFolder;
  readonly #tree: WorkTree | undefined;
  /** Those that were read. Null: too much, or no file. */
  readonly #read = new Map<string, Script | null>();
  readonly #words = new Map<string, readonly string[]>();
  #bytesLeft = MAX_BYTES;
  #matchesLeft = MAX_MATCHES;

  constructor(git: string, place: HookFolder) {
    this.#place = place;
    const list = askGit(git, place.top, ['ls-files', '-coz', '--exclude-standard'], MAX_LIST_BYTES);
    this.#tree = list === undefined ? undefined : new WorkTree(list.split('\0'));
  }

  /**
   * A hook with everything that it names.
   *
   * @param beside A script that the hook starts without naming it; may be missing.
   * @returns Undefined where that is more than is looked at.
   */
  follow(hook: string, beside: string): NamedScripts | undefined {
    const digests = new Map<string, string>();
    const missing = new Set(isFile(beside) ? [] : [beside]);
    const pending = missing.size === 0 ? [beside, hook] : [hook];
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      if (digests.has(file)) continue;
      const script = this.#script(file);
      if (script === null) return undefined;
      digests.set(file, script.digest);
      for (const one of script.missing) missing.add(one);
      if (digests.size + missing.size > MAX_SCRIPTS) return undefined;
      pending.push(...script.names);
    }
    return { digests, missing };
  }

  #script(file: string): Script | null {
    const known = this.#read.get(file);
    if (known !== undefined) return known;
    if (this.#words.size >= MAX_WORDS) return null;
    const content = readBounded(file, this.#bytesLeft);
    this.#bytesLeft -= content?.length ?? 0;
    const script = content === undefined ? null : this.#parsed(file, content);
    this.#read.set(file, script);
    return script;
  }

  #parsed(file: string, content: Buffer): Script | null {
    const digest = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
    const text = content.includes(0) ? '' : content.toString('utf8');
    const interpreter = text.startsWith('#!') ? (text.slice(2).split('\n', 1)[0] ?? '').trim() : '';
    const isModule = MODULE.test(file) || /\b(?:node|deno|bun|python|ruby|perl)/.test(interpreter);
    const named = new Set<string>();
    for (const [word] of text.replace(VARIABLE, ' ').matchAll(WORD)) {
      const files = this.#named(path.dirname(file), word, isModule);
      if (files === undefined) return null;
      for (const one of files) named.add(one);
    }
    const names = [...named].filter(isFile);
    return { digest, names, missing: isModule ? [] : [...named].filter((one) => !isFile(one)) };
  }

  /** The files that a word of a script in the folder `here` names, and the one at the top that it would. */
  #named(here: string, word: string, isModule: boolean): readonly string[] | undefined {
    const key = `${here}\0${isModule}\0${word}`;
    const known = this.#words.get(key);
    if (known !== undefined) return known;
    if (this.#words.size >= MAX_WORDS || this.#tree === undefined) return undefined;
    const { top, folder } = this.#place;
    const end = endOf(word);
    if (end === undefined) return this.#remember(key, []);
    const { name, isPattern } = end;
    const places = [path.resolve(here, word), ...[top, here, path.dirname(here)].map((one) => `${one}/${name}`)];
    const reachable = [...new Set(places)].filter((file) => isBeneath(top, file) || isBeneath(folder, file));
    const files = isPattern ? [] : reachable.filter(isFile);
    const { has } = this.#tree;
    for (const place of word.includes('/') ? reachable : []) {
      const inTree = path.relative(top, place);
      files.push(...EXTENSIONS.filter((one) => has(inTree + one)).map((one) => place + one));
    }
    if (!isModule) {
      const matches = this.#tree.ending(name, isPattern, this.#matchesLeft);
      if (matches === undefined) return undefined;
      this.#matchesLeft -= matches.looked;
      files.push(...matches.files.map((file) => path.join(top, file)));
      const wouldBe = path.join(top, name);
      // A file without an extension may be any word.
      if (files.length === 0 && word.includes('/') && path.extname(name) !== '') files.push(wouldBe);
    }
    const scripts = [...new Set(files)].filter((file) => !DATA.test(file));
    return this.#remember(key, scripts);
  }

  #remember(key: string, files: readonly string[]): readonly string[] {
    this.#words.set(key, files);
    return files;
  }
}

/** The end of the path that a word names: what is certain of it. Undefined where nothing is. */
function endOf(word: string): { readonly name: string; readonly isPattern: boolean } | undefined {
  const parts = word.split('/').filter((part) => part !== '' && part !== '.');
  const certain = parts.slice(parts.lastIndexOf('..') + 1);
  const first = certain.findIndex((part) => PATTERN.test(part));
  const name = (first === -1 ? certain : certain.slice(0, first)).join('/');
  const isPassedOver = certain.some((part) => PASSED_OVER.includes(part));
  return name === '' || name.length > 1_024 || isPassedOver ? undefined : { name, isPattern: first !== -1 };
}

/** The files of a work tree that git does not ignore, relative to its top. */
class WorkTree {
  readonly #files: ReadonlySet<string>;
  /** By their own names, and by the names of their folders. */
  readonly #named = new Map<string, string[]>();
  readonly #in = new Map<string, string[]>();

  constructor(files: readonly string[]) {
    this.#files = new Set(files);
    for (const file of this.#files) {
      const base = path.basename(file);
      push(this.#named, base, file);
      if (SHELL_SCRIPT.test(base) && file !== base) push(this.#in, path.basename(path.dirname(file)), file);
    }
  }

  readonly has = (file: string): boolean => this.#files.has(file);

  /** The files whose paths end with this one, and the shell scripts in the folders that do. */
  ending(
    name: string,
    isPattern: boolean,
    most: number,
  ): { readonly files: string[]; readonly looked: number } | undefined {
    const base = path.basename(name);
    const named = isPattern ? [] : (this.#named.get(base) ?? []);
    const inside = this.#in.get(base) ?? [];
    const looked = named.length + inside.length;
    if (looked > most) return undefined;
    const isEnd = (file: string) => file === name || file.endsWith(`/${name}`);
    return { files: [...named.filter(isEnd), ...inside.filter((file) => isEnd(path.dirname(file)))], looked };
  }
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
