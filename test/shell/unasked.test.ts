/** What developers and agents type all day runs without a question, when its programs are listed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Rule, Terminal } from '../../ts/index.js';

const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-unasked-')));
const npmTest: Rule = { program: 'npm', args: ['test'] };
const GIT = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];

function git(...args: string[]): string {
  return execFileSync('git', [...GIT, ...args], { cwd: workspace, encoding: 'utf8' });
}

beforeAll(() => {
  mkdirSync(path.join(workspace, 'sub'));
  const manifest = (text: string) => JSON.stringify({ name: 'x', version: '1.0.0', scripts: { test: `echo ${text}` } });
  writeFileSync(path.join(workspace, 'package.json'), manifest('"tested $FOO"'));
  writeFileSync(path.join(workspace, 'sub/package.json'), manifest('sub tested'));
  writeFileSync(path.join(workspace, 'a.txt'), 'one\ntwo\n');
  writeFileSync(path.join(workspace, 'b.txt'), 'three\n');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
});

afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const COMMIT = `git commit --quiet --allow-empty -m "$(cat <<'EOF'
A subject with $dollars, "quotes" and (brackets)

- rm -rf / is only text here
EOF
)"`;

it.each<[string, readonly Rule[], RegExp]>([
  ['git log | head -5', ['git', 'head'], /first/],
  ['cd sub && npm test', [npmTest], /sub tested/],
  ['echo "a" > out.txt', [], /^$/],
  ['for f in *.txt; do wc -l "$f"; done', ['wc'], /2 a\.txt\n1 b\.txt/],
  ['FOO=1 npm test', [npmTest], /tested 1/],
  ['false || ls; wc -c b.txt', ['ls', 'wc'], /a\.txt[\s\S]*6 b\.txt/],
  ['ls 2>/dev/null || true', ['ls'], /a\.txt/],
  ['set -euo pipefail; ls', ['ls'], /a\.txt/],
  ['[ -f a.txt ] && cat a.txt', ['cat'], /^one\ntwo\n$/],
  [COMMIT, ['git'], /^$/],
  ['npm test > out.log 2>&1 || tail -5 out.log', [npmTest, 'tail'], /^$/],
  ['while read -r l; do echo "$l"; done < a.txt', [], /^one\ntwo\n$/],
])('%s', async (command, allow, output) => {
  const set = {
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@example.com',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@example.com',
  };
  await using terminal = new Terminal({ shell: 'bash', allow, roots: [workspace], env: { set } });
  const result = await terminal.run(command);
  expect(result.decision).toMatchObject({ decision: 'allow', reasons: [{ rule: 'list.allowed' }] });
  expect(result).toMatchObject({ status: 'exited', exitCode: 0 });
  expect(result.stdout).toMatch(output);
});

it('what they wrote is there', () => {
  expect(readFileSync(path.join(workspace, 'out.txt'), 'utf8')).toBe('a\n');
  expect(readFileSync(path.join(workspace, 'out.log'), 'utf8')).toContain('tested');
  expect(git('log', '-1', '--format=%B').trim()).toBe(
    'A subject with $dollars, "quotes" and (brackets)\n\n- rm -rf / is only text here',
  );
});
