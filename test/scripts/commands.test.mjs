import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

function node(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

it('npm test refuses a part it does not know', () => {
  expect(node('scripts/test.mjs', '--only', 'moon')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('--only takes rust, ts or lint, got moon'),
  });
});

it('npm run soak prints its table and refuses a row it does not have', () => {
  expect(node('scripts/soak.mjs', 'list')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('list | ci | ROW'),
  });
  expect(node('scripts/soak.mjs', 'moon')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("no soak row 'moon'"),
  });
});

it('npm run bench refuses a row it does not have', () => {
  expect(node('scripts/bench.mjs', 'moon')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("no benchmark 'moon'"),
  });
});
