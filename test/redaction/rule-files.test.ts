import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';

import {
  HandrailError,
  MAX_RULE_FILE_BYTES,
  MAX_RULE_FILES,
  Redactor,
  type RuleFile,
  readRuleFile,
} from '../../ts/index.js';
import { temporaryFolder } from '../compat/terminal-environment.js';

const folder = temporaryFolder();

const TOML = `[[rules]]
id = "acme-key"
regex = '''acme_([a-z0-9]{4,})'''
keywords = ["acme_"]
`;

/** A file of these bytes, in a folder of this test. */
function file(content: string | Uint8Array, name = 'team.toml'): string {
  const whole = path.join(folder(), name);
  writeFileSync(whole, content);
  return whole;
}

function refusal(operation: () => unknown): { code: string; message: string } {
  try {
    operation();
  } catch (error) {
    if (error instanceof HandrailError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('rule files', () => {
  test('add rules that mask, name themselves and count', () => {
    const redactor = new Redactor({ ruleFiles: [{ name: 'team.toml', toml: TOML }], label: true });
    expect(redactor.redact('acme_x1y2 password=hunter2')).toBe('acme_[REDACTED:acme-key] password=[REDACTED:password]');
    expect(redactor.scan('é acme_x1y2')).toEqual([{ rule: 'acme-key', start: 7, end: 11 }]);
    const stream = redactor.stream();
    stream.write('acme_x1y2 acme_');
    stream.write(Buffer.from('y2z3\n'));
    stream.end();
    expect(stream.counts).toEqual({ 'acme-key': 2 });
    expect(redactor.ruleNotes).toEqual([]);
  });

  test('apply without the built-in rules', () => {
    const redactor = new Redactor({ ruleFiles: [{ name: 'team.toml', toml: TOML }], rules: 'none' });
    expect(redactor.redact('acme_x1y2 password=hunter2')).toBe('acme_[REDACTED] password=hunter2');
  });

  test('say what means nothing here', () => {
    const toml = `${TOML}[[rules]]\nid = "pem"\npath = '''\\.pem$'''\n`;
    const redactor = new Redactor({ ruleFiles: [{ name: 'team.toml', toml }] });
    expect(redactor.ruleNotes).toEqual([
      'team.toml:5: the rule `pem` looks at paths alone: it finds nothing in a text',
    ]);
    expectTypeOf(redactor.ruleNotes).toEqualTypeOf<readonly string[]>();
  });

  test.each([
    ['[[rules]]', 'team.toml:1: a rule has no id'],
    ['[[rules]]\nid = "a"\nregex = "("', 'team.toml:3: rule `a`: the regex is invalid at character 0: unclosed group'],
    ['a = ', 'team.toml:1: this is not TOML'],
  ])('that are wrong are refused with their place: %j', (toml, message) => {
    const { code, message: said } = refusal(() => new Redactor({ ruleFiles: [{ name: 'team.toml', toml }] }));
    expect(code).toBe('ERR_INVALID_RULE_FILE');
    expect(said).toContain(message);
  });

  test.each([
    ['no array', { name: 'a', toml: TOML }, 'Expected `ruleFiles` to be'],
    ['a path', ['team.toml'], 'Expected `ruleFiles[0]` to be a rule file with a name and its TOML, got a string'],
    ['no name', [{ toml: TOML }], 'Expected `ruleFiles[0].name` to be'],
    ['no TOML', [{ name: 'a' }], 'Expected `ruleFiles[0].toml` to be a string, got undefined'],
    ['more than that', [{ name: 'a', toml: TOML, path: 'x' }], 'Unknown key in `ruleFiles[0]`'],
    ['too many', new Array(MAX_RULE_FILES + 1).fill({ name: 'a', toml: '' }), 'at most 64 entries'],
  ])('are refused when they are %s', (_name, ruleFiles, message) => {
    const { code, message: said } = refusal(() => new Redactor({ ruleFiles: ruleFiles as unknown as RuleFile[] }));
    expect(code).toBe('ERR_INVALID_ARGUMENT');
    expect(said).toContain(message);
  });

  test('are bounded in bytes', () => {
    const toml = `#${'é'.repeat(MAX_RULE_FILE_BYTES / 2)}\n`;
    const short = refusal(() => new Redactor({ ruleFiles: [{ name: 'team.toml', toml }] }));
    expect(short.code).toBe('ERR_INVALID_RULE_FILE');
    const long = refusal(() => new Redactor({ ruleFiles: [{ name: 'team.toml', toml: toml.repeat(3) }] }));
    expect(long.code).toBe('ERR_INVALID_RULE_FILE');
  });
});

describe('readRuleFile', () => {
  test('gives name and content', () => {
    expect(readRuleFile(file(TOML))).toEqual({ name: 'team.toml', toml: TOML });
    expect(new Redactor({ ruleFiles: [readRuleFile(file(`\uFEFF${TOML}`))] }).redact('acme_x1y2')).toBe(
      'acme_[REDACTED]',
    );
  });

  test.each([
    ['a file that is not there', () => path.join(folder(), 'missing.toml'), 'the rule file cannot be read: ENOENT'],
    ['a folder', () => '/', 'the rule file cannot be read: EISDIR'],
    ['no UTF-8', () => file(Buffer.from([0x23, 0xff, 0x0a])), 'the rule file is not UTF-8'],
    ['a device without an end', () => '/dev/zero', 'the rule file has more than 4194304 bytes'],
    [
      'a large file',
      () => file(Buffer.alloc(MAX_RULE_FILE_BYTES + 1, 35)),
      'the rule file has more than 4194304 bytes',
    ],
  ])('refuses %s', (_name, place, message) => {
    const { code, message: said } = refusal(() => readRuleFile(place()));
    expect(code).toBe('ERR_INVALID_RULE_FILE');
    expect(said).toMatch(message);
  });

  test('takes the largest file that is accepted', () => {
    const { toml } = readRuleFile(file(Buffer.alloc(MAX_RULE_FILE_BYTES, 35)));
    expect(toml).toHaveLength(MAX_RULE_FILE_BYTES);
  });

  test.each([undefined, '', 7])('refuses %j as a path', (value) => {
    expect(refusal(() => readRuleFile(value as string)).code).toBe('ERR_INVALID_ARGUMENT');
  });
});
