// Creates a temporary git repository with two commits, an uncommitted change, and a file with fake secrets.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes git ignore the settings of the machine and of the user. */
const GIT_ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Demo',
  GIT_AUTHOR_EMAIL: 'demo@example.com',
  GIT_COMMITTER_NAME: 'Demo',
  GIT_COMMITTER_EMAIL: 'demo@example.com',
};

function git(folder, ...args) {
  execFileSync('git', args, { cwd: folder, env: GIT_ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Random values that look like secrets. */
function fakeSecrets() {
  const random = () => randomBytes(18).toString('base64url');
  return [
    `OPENAI_API_KEY=sk-${'proj'}-${random()}`,
    `DATABASE_URL=postgres://shop:${random()}@db.example.com/shop`,
    `SESSION_PASSWORD=${random()}`,
    '',
  ].join('\n');
}

/** @returns {string} the folder, to be removed with `removeWorkspace` */
export function makeWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-demo-'));
  git(folder, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, 'README.md'), '# Shop\n\nA small shop.\n');
  writeFileSync(join(folder, '.gitignore'), '.env\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'shop: first page');
  writeFileSync(join(folder, 'price.js'), 'export const price = (net) => net * 1.19;\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'price: add tax');
  writeFileSync(join(folder, 'price.js'), 'export const price = (net) => net * 1.07;\n');
  writeFileSync(join(folder, '.env'), fakeSecrets());
  return folder;
}

export function removeWorkspace(folder) {
  rmSync(folder, { recursive: true, force: true });
}

/** The processes whose working directory is in the folder, found in /proc independently of Handrail. */
export function processesIn(folder) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(join('/proc', pid, 'cwd')).startsWith(folder);
      } catch {
        return false;
      }
    });
}
