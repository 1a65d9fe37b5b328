// What others do with the same text, each at its best: strings that need no decoding, in pieces of 64 KiB.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installDependencies } from '../../scripts/lib/dependencies.mjs';
import { root, stampFolder } from '../../scripts/lib/paths.mjs';
import { FORMATS } from './generator/formats.mjs';

const SETTINGS = join(root, 'bench', 'redact', 'rivals');
const FOLDER = join(stampFolder, 'bench-rivals');
const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const MASK = '[REDACTED]';
const MEBIBYTE = 2 ** 20;
const CLASSES = { h: '[0-9a-f]', H: '[0-9A-F]', d: '[0-9]', B: '[A-Za-z0-9+/]', U: '[\\w-]' };

/** The patterns of the issue this began with, and the ones that somebody writes who sees that values stay. */
const SEED = ['sk-[A-Za-z0-9_-]{10,}', '(?:api_key|authorization|token|password|secret)\\s*[:=]'];
const WITH_VALUE = [
  'sk-[A-Za-z0-9_-]{10,}',
  '(?<kept>(?:api_key|authorization|token|password|secret)\\s*[:=]\\s*["\']?)[^\\s"\',;&]+',
];

/** @typedef {{name: string, maxBytes: number, detectsOnly?: boolean, mask?: (text: string) => string,
 *   spans: (text: string) => [number, number][] | Promise<[number, number][]>}} Rival */

const rest = ({ groups }) => groups?.kept?.length ?? 0;

/** Masks with one expression after the other. Their spans are those of the text as it was. */
function patternLoop(name, maxBytes, expressions, gate) {
  return {
    name,
    maxBytes,
    mask(text) {
      const lower = gate && text.toLowerCase();
      let masked = text;
      for (const expression of expressions) {
        if (!gate || gate(expression, lower)) masked = masked.replace(expression, `$<kept>${MASK}`);
      }
      return masked;
    },
    spans: (text) =>
      expressions.flatMap((expression) =>
        [...text.matchAll(expression)].map((match) => [match.index + rest(match), match.index + match[0].length]),
      ),
  };
}

/** `$<kept>` stands for nothing where no group has that name: then it must have one that is empty. */
const withGroup = (source) => (source.includes('?<kept>') ? source : `(?<kept>)${source}`);
const inJavaScript = (sources) => sources.map((source) => new RegExp(withGroup(source), 'gi'));

/** A rule for each published format, and its keyword: what a list of rules for scanners says, without one of our own. */
function gatedRules() {
  const keywords = new Map();
  const expressions = FORMATS.map(({ template, name, standsAlone }) => {
    const shape = template
      .replace(/[.~]/g, '\\$&')
      .replace(
        /\{(\w)(\d+)(?:-(\d+))?\}/g,
        (_, kind, least, most) => `${CLASSES[kind] ?? '[A-Za-z0-9]'}{${least},${most ?? least}}`,
      );
    const prefix = template.split('{', 1)[0];
    const byPrefix = standsAlone && prefix.length > 2;
    const keyword = byPrefix ? prefix : name.split('_')[0];
    const source = byPrefix ? shape : `(?<kept>${keyword}[\\w.-]{0,20}["']?\\s*[:=]\\s*["']?)${shape}`;
    const expression = new RegExp(withGroup(source), byPrefix ? 'g' : 'gi');
    keywords.set(expression, keyword.toLowerCase());
    return expression;
  });
  const generic = new RegExp(WITH_VALUE[1], 'gi');
  keywords.set(generic, '');
  return {
    expressions: [...expressions, generic],
    gate: (expression, lower) => lower.includes(keywords.get(expression)),
  };
}

function secretlint(core, preset) {
  const options = { config: { rules: [{ id: PRESET, rule: preset.creator, options: {} }] }, noPhysicFilePath: true };
  return {
    name: '@secretlint/core',
    maxBytes: 4 * MEBIBYTE,
    detectsOnly: true,
    async spans(content) {
      const source = { filePath: 'log.txt', content, ext: '.txt', contentType: 'text' };
      const { messages } = await core.lintSource({ source, options });
      return messages.map(({ range }) => range);
    },
  };
}

/** Installs the rivals at the versions of their lock file. npm runs no scripts of theirs. */
export async function installRivals() {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(SETTINGS, name), join(FOLDER, name));
  await installDependencies(FOLDER);
}

/** @returns {Promise<{rivals: Rival[], absent: Record<string, string>}>} and why one is not there */
export async function loadRivals() {
  const require = createRequire(join(FOLDER, 'package.json'));
  const load = (name) => import(pathToFileURL(require.resolve(name)).href);
  const { expressions, gate } = gatedRules();
  const rivals = [
    patternLoop('seed list, JS regexes', 16 * MEBIBYTE, inJavaScript(SEED)),
    patternLoop('same, value captured', 16 * MEBIBYTE, inJavaScript(WITH_VALUE)),
    patternLoop('keyword-gated JS regexes', 2 * MEBIBYTE, expressions, gate),
    secretlint(await load('@secretlint/core'), await load(PRESET)),
  ];
  const absent = {};
  if (existsSync(join(FOLDER, 'node_modules', 're2', 'build', 'Release', 're2.node'))) {
    const Re2 = require('re2');
    const list = WITH_VALUE.map((source) => new Re2(withGroup(source), 'gi'));
    rivals.push(patternLoop('re2, value captured', 8 * MEBIBYTE, list));
  } else {
    absent['re2, value captured'] =
      'not compiled: npm runs no scripts here; run `npm rebuild re2` in the folder bench-rivals of the cache';
  }
  return { rivals, absent };
}
