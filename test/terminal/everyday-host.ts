/** Does everyday work in a project of its own, and says what came of it. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { type CommandResult, Terminal } from '../../ts/index.js';
import type { Row } from './everyday-rows.js';

export interface EverydayRequest {
  readonly row: Row;
  /** Folders of programs. */
  readonly path: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** The results of the row's steps, or the programs that this user cannot start here. */
export interface EverydayAnswer {
  readonly lacks: readonly string[];
  readonly results: readonly CommandResult[];
}

const WHO = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
  [`GIT_${who}_NAME`, 'somebody'],
  [`GIT_${who}_EMAIL`, 'somebody@example.com'],
]);

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function work({ row, path: folders, variables }: EverydayRequest): Promise<EverydayAnswer> {
  const lacks = row.needs.filter((name) => !folders.some((folder) => isProgram(path.join(folder, name))));
  if (lacks.length > 0) return { lacks, results: [] };
  const project = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-everyday-')));
  const set = { ...variables, ...Object.fromEntries(WHO), PATH: folders.join(':') };
  try {
    for (const [name, content] of Object.entries(row.files)) {
      const file = path.join(project, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    execFileSync('bash', ['-ec', row.setup], { cwd: project, env: { ...set, HOME: project } });
    const terminal = new Terminal({ ...row.options, roots: [project], shell: 'bash', path: folders, env: { set } });
    const results: CommandResult[] = [];
    try {
      for (const { command } of row.steps) results.push(await terminal.run(command));
    } finally {
      await terminal.close();
    }
    return { lacks, results };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

const answer = await work(JSON.parse(await text(process.stdin)) as EverydayRequest);
process.stdout.write(JSON.stringify(answer));
