// Checks that regular expressions of ts/ only read foreign text, and that each is listed with that text. Handrail's own sentences
// are rendered from values, and code has to use the values instead of parsing the sentences.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from './files.mjs';
import { codeOf } from './source-code.mjs';

/** The list: for each file of ts/, its expressions as they are written, each with the foreign text that it reads. */
export const EXPRESSION_LIST = 'scripts/lib/layers/expressions.json';

/** Files that render reports. They may not parse sentences at all. */
const REPORT_FILES = [
  /^ts\/report\//,
  /^ts\/tools\/(render[\w-]*|next-call|terminal-run)\.ts$/,
  /^ts\/cli\/(status-text|exit-code|explain|doctor)\.ts$/,
  /^ts\/compat\/(terminal-text|terminal-tool|refusal-text|filesystem-tool|executor-tools)\.ts$/,
];

/** `message.startsWith(…)`, `/…/.test(hint)`, `hint.replace(…)` and the like, on a field or variable with such a name. */
const SENTENCE = String.raw`\b(?:message|hint|content)\b\??`;
const SENTENCE_METHOD_CALL = new RegExp(
  String.raw`${SENTENCE}\.(?:startsWith|endsWith|includes|indexOf|match|matchAll|search|replace|replaceAll|split|slice)\(`,
);
const SENTENCE_TEST = new RegExp(String.raw`\.(?:test|exec)\((?:[\w.?]+\.)?${SENTENCE}[,)]`);

function breachesOf(path, { code, expressions }, listed) {
  const listedExpressions = Object.keys(listed);
  const breaches = expressions
    .filter((expression) => !listedExpressions.includes(expression))
    .map(
      (expression) =>
        `${path} has ${expression}, which ${EXPRESSION_LIST} does not list with the foreign text it reads`,
    );
  for (const expression of listedExpressions) {
    if (!expressions.includes(expression))
      breaches.push(`${EXPRESSION_LIST} lists ${expression} of ${path}, which is not there`);
    else if (listed[expression].trim() === '')
      breaches.push(`${EXPRESSION_LIST} says nothing of ${expression} of ${path}`);
  }
  if (!REPORT_FILES.some((pattern) => pattern.test(path))) return breaches;
  for (const line of code.split('\n')) {
    if (SENTENCE_METHOD_CALL.test(line) || SENTENCE_TEST.test(line))
      breaches.push(`${path} reads a sentence of ours back: ${line.trim()}`);
  }
  return breaches;
}

/** @returns {string[]} one sentence per breach */
export function checkExpressions(base) {
  const listed = JSON.parse(readFileSync(join(base, EXPRESSION_LIST), 'utf8'));
  const paths = sourceFiles(base, 'ts').filter((path) => path.endsWith('.ts'));
  const gone = Object.keys(listed).filter((path) => !paths.includes(path));
  return [
    ...gone.map((path) => `${EXPRESSION_LIST} lists ${path}, which is not there`),
    ...paths.flatMap((path) => breachesOf(path, codeOf(readFileSync(join(base, path), 'utf8')), listed[path] ?? {})),
  ];
}
