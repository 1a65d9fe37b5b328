// Regular expressions read what others wrote, and each says what. What we wrote ourselves is a value, and nothing reads it back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from './files.mjs';
import { codeOf } from './source-code.mjs';

/** Every expression of ts/, by its file: the expression as it is written, and the foreign text that it reads. */
export const LISTED = 'scripts/lib/layers/expressions.json';

/** What writes or renders reports: nothing in it may look into a sentence of ours. */
const READERS = [
  /^ts\/report\//,
  /^ts\/tools\/(render[\w-]*|next-call|terminal-run)\.ts$/,
  /^ts\/cli\/(status-text|exit-code|explain|doctor)\.ts$/,
  /^ts\/compat\/(terminal-text|terminal-tool|refusal-text|filesystem-tool|executor-tools)\.ts$/,
];

/** `message.startsWith(…)`, `/…/.test(hint)`, `hint.replace(…)` and the like, on a field or variable with such a name. */
const SENTENCE = String.raw`\b(?:message|hint|content)\b\??`;
const ASKED = new RegExp(
  String.raw`${SENTENCE}\.(?:startsWith|endsWith|includes|indexOf|match|matchAll|search|replace|replaceAll|split|slice)\(`,
);
const TESTED = new RegExp(String.raw`\.(?:test|exec)\((?:[\w.?]+\.)?${SENTENCE}[,)]`);

function breachesOf(path, { code, expressions }, listed) {
  const known = Object.keys(listed);
  const breaches = expressions
    .filter((expression) => !known.includes(expression))
    .map((expression) => `${path} has ${expression}, which ${LISTED} does not list with the foreign text it reads`);
  for (const expression of known) {
    if (!expressions.includes(expression))
      breaches.push(`${LISTED} lists ${expression} of ${path}, which is not there`);
    else if (listed[expression].trim() === '') breaches.push(`${LISTED} says nothing of ${expression} of ${path}`);
  }
  if (!READERS.some((reader) => reader.test(path))) return breaches;
  for (const line of code.split('\n')) {
    if (ASKED.test(line) || TESTED.test(line)) breaches.push(`${path} reads a sentence of ours back: ${line.trim()}`);
  }
  return breaches;
}

/** @returns {string[]} one sentence per breach */
export function checkExpressions(base) {
  const listed = JSON.parse(readFileSync(join(base, LISTED), 'utf8'));
  const paths = sourceFiles(base, 'ts').filter((path) => path.endsWith('.ts'));
  const gone = Object.keys(listed).filter((path) => !paths.includes(path));
  return [
    ...gone.map((path) => `${LISTED} lists ${path}, which is not there`),
    ...paths.flatMap((path) => breachesOf(path, codeOf(readFileSync(join(base, path), 'utf8')), listed[path] ?? {})),
  ];
}
