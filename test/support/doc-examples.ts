/** The examples in the doc comments of the sources and in the README, and what their comments say they print. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './copy.js';

/** One example. */
export interface DocExample {
  /** Unique and usable as a file name. */
  readonly name: string;
  readonly file: string;
  readonly code: string;
  /** The lines it prints, in order, as its comments say. */
  readonly prints: readonly string[];
}

/** A block of a Markdown text between two fences. */
interface Block {
  /** What follows the opening fence, such as `ts`. */
  readonly language: string;
  readonly text: string;
}

const DOC_COMMENT = /\/\*\*[\s\S]*?\*\//g;
const BLOCK = /^```(\w*)\n([\s\S]*?)^```$/gm;
const CODE = ['ts', 'js'];
const PRINTS = /console\.log\(.*\);\s*\/\/ ?(.*)$/;
const CONTINUES = /^\s*\/\/ (.*)$/;

/** Every code block of every doc comment below ts/, in the order of files and lines. */
export function docExamples(): DocExample[] {
  const sources = readdirSync(path.join(REPOSITORY, 'ts'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();
  return sources.flatMap((file) => {
    const text = readFileSync(path.join(REPOSITORY, 'ts', file), 'utf8');
    const comments = [...text.matchAll(DOC_COMMENT)].map(([comment]) => comment.replaceAll(/^ *\* ?/gm, ''));
    return examplesOf(`ts/${file}`, comments.flatMap(blocksOf));
  });
}

/** Every code block of a Markdown file of the repository, in order. */
export function markdownExamples(file: string): DocExample[] {
  return examplesOf(file, blocksOf(readFileSync(path.join(REPOSITORY, file), 'utf8')));
}

/** The commands in the `sh` blocks of a Markdown text, without their remarks, in order. */
export function shellCommands(markdown: string): string[] {
  return blocksOf(markdown)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Languages of the fenced blocks of a Markdown text, in order. */
export function languagesOf(markdown: string): string[] {
  return blocksOf(markdown).map(({ language }) => language);
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(BLOCK)].map(([, language = '', text = '']) => ({ language, text }));
}

function examplesOf(file: string, blocks: readonly Block[]): DocExample[] {
  const name = file
    .replace(/^ts\//, '')
    .replace(/\.\w+$/, '')
    .replaceAll('/', '-');
  return blocks
    .filter(({ language }) => CODE.includes(language))
    .map(({ text }, index) => ({ name: `${name}-${index + 1}`, file, code: text, prints: claimedOutput(text) }));
}

/** What follows `console.log(...); //`, and the lines of comments right below it. */
function claimedOutput(code: string): string[] {
  const claimed: string[] = [];
  let isClaim = false;
  for (const line of code.split('\n')) {
    const printed = PRINTS.exec(line)?.[1];
    const continued = CONTINUES.exec(line)?.[1];
    if (printed !== undefined && printed !== '') claimed.push(printed.replace(/^'(.*)'$/, '$1'));
    else if (isClaim && continued !== undefined) claimed.push(continued);
    isClaim = line.includes('console.log(') || (isClaim && continued !== undefined);
  }
  return claimed;
}
