/** Hosts of the attacks, which run as one user or another. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

import { bundled } from '../support/bundled.js';
import { buildPrograms } from './workspace.js';

const NOBODY = 65534;
const MAX_ANSWER_BYTES = 2 ** 26;
const isRoot = process.getuid?.() === 0;

/** Both when the tests run as root; as an ordinary user only that user can be tried. */
export const USERS: readonly number[] = isRoot ? [0, NOBODY] : [process.getuid?.() ?? NOBODY];

/** Compiles the programs of the attacks to where every user may enter. Undefined without a compiler. */
export function programsForAll(): string | undefined {
  // Not in the folder of the tests, which belongs to one user.
  const folder = mkdtempSync('/tmp/handrail-attack-programs-');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return buildPrograms(folder) ? folder : undefined;
}

/**
 * Bundles a program of this folder: gives what it answers to a request, both JSON, when it runs as a user;
 * `before` is a program that runs the host, with its arguments.
 */
export async function hostProgram<Request, Answer>(
  name: string,
): Promise<(uid: number, request: Request, before?: readonly string[]) => Promise<Answer>> {
  const program = await bundled(fileURLToPath(new URL(name, import.meta.url)));
  return (uid, request, before = []) => {
    const identity = isRoot && uid !== 0 ? { uid, gid: uid } : {};
    const env = { PATH: process.env['PATH'] ?? '' };
    const options = { ...identity, cwd: '/', env, maxBuffer: MAX_ANSWER_BYTES };
    return new Promise((resolve, reject) => {
      const [file = '', ...words] = [...before, process.execPath, program];
      const host = execFile(file, words, options, (error, output) => {
        if (error === null) resolve(JSON.parse(output) as Answer);
        else reject(error);
      });
      host.stdin?.end(JSON.stringify(request));
    });
  };
}
