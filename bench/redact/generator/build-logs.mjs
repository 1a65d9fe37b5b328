// Records logs of real builds: the output of programs of this machine that build, test, install and clone. The whole output is
// kept, also of a failed program. A program that is not installed, or takes too long, has no log.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localProgram, root } from '../../../scripts/lib/paths.mjs';

/** The folder of the logs. The next recording replaces them. */
export const BUILD_LOGS = join(root, 'target', 'build-logs');

const MAX_MS = 60_000;
const MAX_BYTES = 4 << 20;
const LOCKED = '--locked';

/** Small source files with mistakes in them, which make compilers print more. */
const SOURCES = {
  'main.c': '#include <stdio.h>\nint unused(void) { int x; return x; }\nint main(void) { printf("%d\\n", "text"); }\n',
  'broken.c': '#include "missing.h"\nint main(void) { return undeclared + ; }\n',
  'broken.ts': 'const count: number = "text";\nexport function first(list: string[]) { return lst[0].foo(); }\n',
  Makefile: 'all: main\n\nmain: main.c\n\t$(CC) -v -Wall -Wextra -O2 -o $@ $<\n',
};

/** Each is a name, a program, its arguments, and its working folder where that is not the repository. */
function commands(folder) {
  const cargo = ['--offline', LOCKED, '--target-dir', join(folder, 'target')];
  const vitest = ['run', 'test/tools', 'test/config', '--reporter=verbose', '--no-color'];
  return [
    ['cargo-check', 'cargo', ['check', '-vv', '-p', 'handrail-redact', ...cargo]],
    ['cargo-test', 'cargo', ['test', '-v', '-p', 'handrail-files', ...cargo]],
    ['cargo-tree', 'cargo', ['tree', '--workspace', '--offline', LOCKED, '-e', 'features']],
    ['npm-install', 'npm', ['install', '--dry-run', '--offline', '--loglevel', 'silly', '--no-audit', '--no-fund']],
    ['npm-list', 'npm', ['ls', '--all', '--loglevel', 'verbose']],
    ['npm-pack', 'npm', ['pack', '--dry-run', '--ignore-scripts', '--loglevel', 'verbose']],
    ['tsc', localProgram('tsc'), ['--noEmit', '--explainFiles', '--extendedDiagnostics']],
    ['tsc-errors', localProgram('tsc'), ['--noEmit', '--strict', '--pretty', 'broken.ts'], folder],
    ['vitest', localProgram('vitest'), vitest],
    ['biome', localProgram('biome'), ['check', '--verbose', '--max-diagnostics=none', 'scripts', 'bench']],
    ['make', 'make', ['--debug=v', '-B'], folder],
    ['gcc-errors', 'gcc', ['-v', '-Wall', 'broken.c'], folder],
    ['git-log', 'git', ['log', '--stat', '--pretty=fuller', '-n', '200']],
    ['git-clone', 'git', ['clone', '--verbose', '--progress', `file://${root}`, 'clone'], folder],
    ['git-objects', 'git', ['ls-tree', '-r', '-l', 'HEAD']],
    ['dpkg', 'dpkg', ['--list']],
  ];
}

/**
 * Runs the programs and keeps what they write.
 *
 * @returns {string[]} names of the logs
 */
export function recordBuildLogs() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-build-logs-'));
  try {
    for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, name), text);
    rmSync(BUILD_LOGS, { recursive: true, force: true });
    mkdirSync(BUILD_LOGS, { recursive: true });
    return commands(folder).flatMap(([name, program, args, cwd = root]) => {
      const limits = { timeout: MAX_MS, maxBuffer: MAX_BYTES };
      const { error, stdout, stderr } = spawnSync(program, args, { cwd, ...limits, stdio: ['ignore', 'pipe', 'pipe'] });
      if (error !== undefined) return [];
      writeFileSync(join(BUILD_LOGS, `${name}.log`), Buffer.concat([stdout, stderr]));
      return [name];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
