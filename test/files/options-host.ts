/** Writes a file, perhaps as another user, through `Files` and through a toolkit; says what came of it. */
import { readFileSync } from 'node:fs';

import { createToolkit, type FileGuardOptions, Files } from '../../ts/index.js';

export interface OptionsRequest {
  readonly folder: string;
  readonly name: string;
  readonly options: FileGuardOptions;
}

/** What the model read, and the code of the refusal. */
export type OptionsAnswer = readonly { readonly ok: boolean; readonly code?: string; readonly text: string }[];

const { folder, name, options } = JSON.parse(readFileSync(0, 'utf8')) as OptionsRequest;
const files = new Files({ roots: [folder], ...options });
const written = await files.write(name, 'by Files\n');
const first = written.ok
  ? { ok: true, text: '' }
  : { ok: false, code: written.refusal.code, text: `${written.refusal.message}. ${written.refusal.hint}` };
await files.close();
const toolkit = await createToolkit({ workspace: folder, files: options });
await toolkit.execute('file_read', { path: name });
const second = await toolkit.execute('file_write', { path: name, content: 'by a toolkit\n' });
await toolkit.close();
const { refusal } = second.data as { refusal?: { code: string } };
const code = refusal === undefined ? {} : { code: refusal.code };
process.stdout.write(
  JSON.stringify([first, { ok: !second.isError, ...code, text: second.content }] satisfies OptionsAnswer),
);
