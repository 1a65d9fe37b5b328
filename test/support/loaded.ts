/** Lists the modules that a program loads, which is a measure for the cost of its start that does not depend on time. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startNode } from './cli.js';

/** URLs of the files that Node loads for these arguments, in order. */
export async function loadedBy(...args: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-loaded-'));
  try {
    const { code, stderr } = await startNode(args, { env: { NODE_V8_COVERAGE: folder } }).ended;
    if (code !== 0) throw new Error(stderr);
    return readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as { result: { url: string }[] };
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
