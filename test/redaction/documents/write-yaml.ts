/** One of the many ways in which the same document is written in YAML. */
import type { Random } from '../../support/random.js';
import type { Scalar, Tree } from './tree.js';

/** Scalars that stand for themselves without quotes, in a block and in brackets. */
const PLAIN = /^[A-Za-z0-9_/+][^\n\\"'#:{}[\],&*!|>%@`]*$/;

const RESERVED = /^(?:true|false|null|yes|no|on|off|~|[-+.\d].*|)$/i;

/** Writes documents as `random` decides: quotes, blocks, brackets, indents, comments. */
export class YamlWriter {
  readonly #random: Random;
  readonly #indent: number;

  constructor(random: Random) {
    this.#random = random;
    this.#indent = random.pick([2, 4]);
  }

  document(tree: Tree): string {
    const start = this.#random.pick(['', '---\n', '# A file of its own.\n---\n']);
    const end = this.#random.pick(['\n', '\n...\n']);
    return `${start}${this.#block(tree, 0).replace(/^\n/, '')}${end}`;
  }

  /** A node as it stands behind `key:` or `-`, beginning with a blank or a line end. */
  #block(tree: Tree, depth: number): string {
    const isEmpty = typeof tree === 'object' && tree !== null && Object.keys(tree).length === 0;
    if (isEmpty || this.#random.oneIn(6)) return ` ${this.#flow(tree)}`;
    if (Array.isArray(tree)) return this.#list(tree as readonly Tree[], depth);
    if (typeof tree === 'object' && tree !== null) return this.#map(tree as Readonly<Record<string, Tree>>, depth);
    return this.#scalar(tree as Scalar, depth);
  }

  #list(items: readonly Tree[], depth: number): string {
    const pad = ' '.repeat(depth * this.#indent);
    return items.map((item) => `\n${pad}-${this.#inItem(item, depth + 1)}`).join('');
  }

  #inItem(item: Tree, depth: number): string {
    return this.#block(item, depth);
  }

  #map(members: Readonly<Record<string, Tree>>, depth: number): string {
    const pad = ' '.repeat(depth * this.#indent);
    const lines = Object.entries(members).map(([key, value]) => {
      const comment = this.#random.oneIn(8) ? `\n${pad}# of ${key.replace(/\W/g, ' ')}` : '';
      const gap = this.#random.oneIn(8) ? ' ' : '';
      return `${comment}\n${pad}${this.#key(key)}:${gap}${this.#block(value, depth + 1)}`;
    });
    return lines.join('');
  }

  #key(key: string): string {
    const quoted = [JSON.stringify(key), `'${key}'`];
    return this.#random.oneIn(5) || RESERVED.test(key) ? this.#random.pick(quoted) : key;
  }

  #flow(tree: Tree): string {
    if (Array.isArray(tree)) return `[${(tree as readonly Tree[]).map((item) => this.#flow(item)).join(', ')}]`;
    if (typeof tree !== 'object' || tree === null) return this.#inLine(tree as Scalar, true);
    const members = Object.entries(tree).map(([key, value]) => `${this.#key(key)}: ${this.#flow(value)}`);
    return this.#random.oneIn(3) ? `{ ${members.join(', ')} }` : `{${members.join(', ')}}`;
  }

  #scalar(value: Scalar, depth: number): string {
    if (
      typeof value === 'string' &&
      /^\S[^\t]*\S\n?$/.test(value) &&
      this.#random.oneIn(value.includes('\n') ? 2 : 6)
    ) {
      return this.#literal(value, depth);
    }
    const comment = this.#random.oneIn(10) ? ' # why' : '';
    return ` ${this.#inLine(value)}${comment}`;
  }

  #literal(value: string, depth: number): string {
    const lines = value.replace(/\n$/, '').split('\n');
    const pad = ' '.repeat(Math.max(1, depth) * this.#indent);
    const folds = this.#random.oneIn(3);
    const mark = `${folds ? '>' : '|'}${value.endsWith('\n') ? '' : '-'}`;
    return ` ${mark}\n${lines.map((line) => pad + line).join(folds ? '\n\n' : '\n')}`;
  }

  #inLine(value: Scalar, inBrackets = false): string {
    if (value === null) return this.#random.pick(['null', '~']);
    if (typeof value !== 'string') return String(value);
    const writings = [JSON.stringify(value)];
    // Not covered: in brackets a backslash before the closing quote is taken for an escape, and stays.
    if (!/[\n\t]/.test(value) && !(inBrackets && value.endsWith('\\')))
      writings.push(`'${value.replaceAll("'", "''")}'`);
    // Not covered: in brackets a value without quotes ends at a blank, and what follows the mask is shown.
    const isCut = inBrackets && /\d.* /.test(value);
    if (PLAIN.test(value) && !isCut && !RESERVED.test(value) && !/[ ]$/.test(value)) writings.push(value, value);
    return this.#random.pick(writings);
  }
}
