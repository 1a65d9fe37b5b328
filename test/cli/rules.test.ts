import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { handrail } from '../support/cli.js';
import { shell } from './shell.js';

const folder = temporaryFolder();

const RULES = '[[rules]]\nid = "acme-key"\nregex = "acme_([a-z0-9]+)"\n';
const OTHER = '[[rules]]\nid = "beta"\nregex = "beta_[0-9]+"\n[[rules]]\nid = "pem"\npath = "\\\\.pem$"\n';

function files(): void {
  writeFileSync(path.join(folder(), 'team.toml'), RULES);
  writeFileSync(path.join(folder(), 'other.toml'), OTHER);
  writeFileSync(path.join(folder(), 'text.log'), 'acme_x1 beta_2 token=abc1\n');
}

describe('--rules', () => {
  it('adds the rules of a file', async () => {
    files();
    expect(await shell('handrail redact --rules team.toml --label text.log', folder())).toEqual({
      stdout: 'acme_[REDACTED:acme-key] beta_2 token=[REDACTED:token]\n',
      stderr: '',
    });
  });

  it('can be repeated, and says what it leaves out', async () => {
    files();
    expect(await shell('handrail redact --rules team.toml --rules=other.toml text.log', folder())).toEqual({
      stdout: 'acme_[REDACTED] [REDACTED] token=[REDACTED]\n',
      stderr: 'handrail: other.toml:4: the rule `pem` looks at paths alone: it finds nothing in a text\n',
    });
  });

  it('is no reason to say something with --quiet', async () => {
    files();
    expect((await shell('handrail redact -q --rules other.toml text.log', folder())).stderr).toBe('');
  });

  it('takes what a shell makes of a command', async () => {
    files();
    const { stdout } = await shell('handrail redact --rules <(cat team.toml) text.log', folder());
    expect(stdout).toContain('acme_[REDACTED] beta_2');
  });

  it('is in the report', async () => {
    files();
    const { stderr } = await shell('handrail redact --rules team.toml --report text.log > /dev/null', folder());
    expect(stderr).toBe('handrail: 2 secrets masked\n          1 token\n          1 acme-key\n');
    const whole = await shell('handrail redact --rules team.toml --rules other.toml --json text.log > out', folder());
    expect(JSON.parse(whole.stderr)).toMatchObject({
      findings: 3,
      rules: { 'acme-key': 1, beta: 1, token: 1 },
      notes: ['other.toml:4: the rule `pem` looks at paths alone: it finds nothing in a text'],
    });
  });

  it('counts for --fail-on-find', async () => {
    files();
    writeFileSync(path.join(folder(), 'own.log'), 'acme_x1\n');
    const script = 'handrail redact --rules team.toml --fail-on-find own.log; echo $?';
    expect((await shell(script, folder())).stdout).toBe('acme_[REDACTED]\n1\n');
  });

  it.each([
    ['a file that is not there', ['--rules', 'missing.toml'], 'missing.toml: the rule file cannot be read: ENOENT'],
    ['a file that is wrong', ['--rules', 'wrong.toml'], 'wrong.toml:3: rule `a`: a string is expected here'],
    ['no file', ['--rules'], '--rules needs a value'],
    ['too many files', new Array(65).fill('--rules=team.toml'), 'Expected --rules to have at most 64 entries'],
  ])('is wrong usage with %s', async (_name, options, message) => {
    files();
    writeFileSync(path.join(folder(), 'wrong.toml'), '[[rules]]\nid = "a"\nregex = 7\n');
    const placed = options.map((option) => option.replace(/(\w+\.toml)/, (name: string) => path.join(folder(), name)));
    const { code, stdout, stderr } = await handrail('redact', ...placed);
    expect(code).toBe(125);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
  });

  it('shows no secret that stands where a file was meant', async () => {
    const token = `ghp_${'a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg2Qs4'.slice(0, 36).padEnd(36, 'x')}`;
    const { code, stderr } = await handrail('redact', '--rules', token);
    expect(code).toBe(125);
    expect(stderr).not.toContain(token.slice(0, 12));
    expect(stderr).toContain('--rules [...]: the rule file cannot be read: ENOENT');
  });
});
