/** The examples in the doc comments of the sources, and what their comments say they print. */
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

const DOC_COMMENT = /\/\*\*[\s\S]*?\*\//g;
const CODE_BLOCK = /```ts\n([\s\S]*?)```/g;
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
    const blocks = comments.flatMap((comment) => [...comment.matchAll(CODE_BLOCK)].map(([, code = '']) => code));
    return blocks.map((code, index) => ({
      name: `${file.replace(/\.ts$/, '').replaceAll('/', '-')}-${index + 1}`,
      file: `ts/${file}`,
      code,
      prints: claimedOutput(code),
    }));
  });
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
