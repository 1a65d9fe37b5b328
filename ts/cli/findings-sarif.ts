import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { VERSION } from '../version.js';
import type { FindingInFile } from './finding-places.js';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** The findings as SARIF 2.1.0, with the fields that GitHub code scanning needs. It does not contain the secrets. */
export function sarifOf(findings: readonly FindingInFile[]): object {
  const ids = [...new Set(findings.map(({ rule }) => rule))].sort();
  const rules = ids.map((id) => ({
    id,
    shortDescription: { text: `Secret found by the rule ${id}` },
    defaultConfiguration: { level: 'error' },
  }));
  const results = findings.map(({ file, rule, ...region }) => ({
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: 'error',
    message: { text: `A secret stands here (${rule}). Remove it, and replace it where it is in use.` },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } }],
  }));
  const driver = { name: 'handrail', semanticVersion: VERSION, rules };
  return { $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }] };
}

/** The URI of a file: relative when the file was named by a relative path. */
function uriOf(file: string): string {
  if (path.isAbsolute(file)) return pathToFileURL(file).href;
  return path.posix.normalize(file).split('/').map(encodeURIComponent).join('/');
}
