// Rivals of the redactor. Each gets the input that suits it best: strings without decoding, in chunks of 64 KiB.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installFrom } from '../../scripts/lib/dependencies.mjs';
import { root, stampFolder } from '../../scripts/lib/paths.mjs';
import { FORMATS } from './generator/formats.mjs';

const MANIFESTS = join(root, 'bench', 'redact', 'rivals');
const INSTALL_FOLDER = join(stampFolder, 'bench-rivals');
const SECRETLINT_PRESET = '@secretlint/secretlint-rule-preset-recommend';
const MASK = '[REDACTED]';
const MEBIBYTE = 2 ** 20;
const CHARACTER_CLASSES = { h: '[0-9a-f]', H: '[0-9A-F]', d: '[0-9]', B: '[A-Za-z0-9+/]', U: '[\\w-]' };

/** A short list of patterns as projects write it: it masks the name of a secret, and leaves its value visible. */
const SEED_PATTERNS = ['sk-[A-Za-z0-9_-]{10,}', '(?:api_key|authorization|token|password|secret)\\s*[:=]'];
/** The same list, corrected: the group `kept` is the name, and the value after it is masked. */
const VALUE_PATTERNS = [
  'sk-[A-Za-z0-9_-]{10,}',
  '(?<kept>(?:api_key|authorization|token|password|secret)\\s*[:=]\\s*["\']?)[^\\s"\',;&]+',
];

/** @typedef {{name: string, maxBytes: number, detectsOnly?: boolean, mask?: (text: string) => string,
 *   spans: (text: string) => [number, number][] | Promise<[number, number][]>}} Rival */

/** The length of the name, which stays visible. */
const keptLength = ({ groups }) => groups?.kept?.length ?? 0;

/** Applies one expression after the other. `gate` says whether an expression can match at all; spans are those of the input. */
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
        [...text.matchAll(expression)].map((match) => [match.index + keptLength(match), match.index + match[0].length]),
      ),
  };
}

/** Gives an expression without a group `kept` an empty one, as the replacement refers to it. */
const withKeptGroup = (source) => (source.includes('?<kept>') ? source : `(?<kept>)${source}`);
const inJavaScript = (sources) => sources.map((source) => new RegExp(withKeptGroup(source), 'gi'));

/** Expressions for all formats of the generator, each tried only where its keyword occurs, as secret scanners do it. */
function gatedRules() {
  const keywords = new Map();
  const expressions = FORMATS.map(({ template, name, knownByFormat }) => {
    const shape = template
      .replace(/[.~]/g, '\\$&')
      .replace(
        /\{(\w)(\d+)(?:-(\d+))?\}/g,
        (_, kind, least, most) => `${CHARACTER_CLASSES[kind] ?? '[A-Za-z0-9]'}{${least},${most ?? least}}`,
      );
    const prefix = template.split('{', 1)[0];
    const byPrefix = knownByFormat && prefix.length > 2;
    const keyword = byPrefix ? prefix : name.split('_')[0];
    const source = byPrefix ? shape : `(?<kept>${keyword}[\\w.-]{0,20}["']?\\s*[:=]\\s*["']?)${shape}`;
    const expression = new RegExp(withKeptGroup(source), byPrefix ? 'g' : 'gi');
    keywords.set(expression, keyword.toLowerCase());
    return expression;
  });
  const generic = new RegExp(VALUE_PATTERNS[1], 'gi');
  keywords.set(generic, '');
  return {
    expressions: [...expressions, generic],
    gate: (expression, lower) => lower.includes(keywords.get(expression)),
  };
}

function secretlint(core, preset) {
  const options = {
    config: { rules: [{ id: SECRETLINT_PRESET, rule: preset.creator, options: {} }] },
    noPhysicFilePath: true,
  };
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

/** Installs the rivals at the versions of their lock file. npm runs no scripts of rivalMeasurement. */
export const installRivals = () => installFrom(MANIFESTS, INSTALL_FOLDER);

/** @returns {Promise<{rivals: Rival[], absent: Record<string, string>}>} `absent` says by name why a rival cannot run */
export async function loadRivals() {
  const require = createRequire(join(INSTALL_FOLDER, 'package.json'));
  const load = (name) => import(pathToFileURL(require.resolve(name)).href);
  const { expressions, gate } = gatedRules();
  const rivals = [
    patternLoop('seed list, JS regexes', 16 * MEBIBYTE, inJavaScript(SEED_PATTERNS)),
    patternLoop('same, value captured', 16 * MEBIBYTE, inJavaScript(VALUE_PATTERNS)),
    patternLoop('keyword-gated JS regexes', 2 * MEBIBYTE, expressions, gate),
    secretlint(await load('@secretlint/core'), await load(SECRETLINT_PRESET)),
  ];
  const absent = {};
  if (existsSync(join(INSTALL_FOLDER, 'node_modules', 're2', 'build', 'Release', 're2.node'))) {
    const Re2 = require('re2');
    const list = VALUE_PATTERNS.map((source) => new Re2(withKeptGroup(source), 'gi'));
    rivals.push(patternLoop('re2, value captured', 8 * MEBIBYTE, list));
  } else {
    absent['re2, value captured'] =
      'not compiled: npm runs no scripts here; run `npm rebuild re2` in the folder bench-rivals of the cache';
  }
  return { rivals, absent };
}
