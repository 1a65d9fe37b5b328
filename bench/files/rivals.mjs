// Runners that read and edit a file: Handrail and its rivals.
import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { sep } from 'node:path';

/** The check that most tools make: the path may change between this check and the opening of the file. */
async function realPathBelow(root, file) {
  const real = await realpath(file);
  if (real !== root && !real.startsWith(root + sep)) throw new Error('outside');
  return real;
}

const withReplacement = (text, { old, new: next }) => {
  const at = text.indexOf(old);
  if (at < 0 || text.indexOf(old, at + 1) >= 0) throw new Error('not exactly once');
  return text.slice(0, at) + next + text.slice(at + old.length);
};

/** Writes a temporary file and renames it. With `sync` its content is on the disk before the rename. */
async function replaceFile(file, text, { sync }) {
  const temporary = `${file}.${randomUUID()}`;
  const handle = await open(temporary, 'wx');
  try {
    await handle.writeFile(text);
    if (sync) await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

const handrailFiles = (files) => ({
  read: async (file) => (await files.read(file)).text,
  edit: async (file, edit) => {
    const result = await files.edit(file, [edit]);
    if (!result.ok) throw new Error(result.refusal.code);
  },
});

export const EDIT_BASELINE = 'fs/promises';
export const SYNCED_EDIT_BASELINE = 'fdatasync';
/** Edits that can be taken back, as those of a toolkit are. */
const KEPT = 'kept';
export const RUNNER_NAMES = ['handrail', KEPT, EDIT_BASELINE, 'realpath', SYNCED_EDIT_BASELINE];

/** Runners whose edits survive a power cut. */
export function syncedFileRunners({ files, kept }) {
  return {
    handrail: handrailFiles(files),
    [KEPT]: handrailFiles(kept),
    [SYNCED_EDIT_BASELINE]: {
      edit: async (file, edit) =>
        replaceFile(file, withReplacement(await readFile(file, 'utf8'), edit), { sync: true }),
    },
  };
}

/** Runners that do not wait for the disk. */
export function fileRunners({ folder, files, kept }) {
  return {
    handrail: handrailFiles(files),
    [KEPT]: handrailFiles(kept),
    [EDIT_BASELINE]: {
      read: (file) => readFile(file, 'utf8'),
      edit: async (file, edit) => writeFile(file, withReplacement(await readFile(file, 'utf8'), edit)),
    },
    realpath: {
      read: async (file) => readFile(await realPathBelow(folder, file), 'utf8'),
      edit: async (file, edit) => {
        const real = await realPathBelow(folder, file);
        await replaceFile(real, withReplacement(await readFile(real, 'utf8'), edit), { sync: false });
      },
    },
  };
}
