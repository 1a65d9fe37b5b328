// Others who read and edit a file: bare, and with the check that most tools do first.
import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { sep } from 'node:path';

/** What is checked by name and then opened by name: somebody may exchange it in between. */
async function checked(root, file) {
  const real = await realpath(file);
  if (real !== root && !real.startsWith(root + sep)) throw new Error('outside');
  return real;
}

const replaced = (text, { old, new: next }) => {
  const at = text.indexOf(old);
  if (at < 0 || text.indexOf(old, at + 1) >= 0) throw new Error('not exactly once');
  return text.slice(0, at) + next + text.slice(at + old.length);
};

async function publish(file, text) {
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, text);
  await rename(temporary, file);
}

/** The same, and the text is on the disk before it has the name. */
async function publishSynced(file, text) {
  const temporary = `${file}.${randomUUID()}`;
  const handle = await open(temporary, 'wx');
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

const handrail = (files) => ({
  read: async (file) => (await files.read(file)).text,
  edit: async (file, edit) => {
    const done = await files.edit(file, [edit]);
    if (!done.ok) throw new Error(done.refusal.code);
  },
});

/** Who changes a file so that it survives a power cut. */
export function syncedRivals({ files }) {
  return {
    handrail: handrail(files),
    fdatasync: {
      edit: async (file, edit) => publishSynced(file, replaced(await readFile(file, 'utf8'), edit)),
    },
  };
}

/** In the order they take turns; no text waits for the disk. */
export function rivals({ folder, files }) {
  return {
    handrail: handrail(files),
    'fs/promises': {
      read: (file) => readFile(file, 'utf8'),
      edit: async (file, edit) => writeFile(file, replaced(await readFile(file, 'utf8'), edit)),
    },
    'realpath first': {
      read: async (file) => readFile(await checked(folder, file), 'utf8'),
      edit: async (file, edit) => {
        const real = await checked(folder, file);
        await publish(real, replaced(await readFile(real, 'utf8'), edit));
      },
    },
  };
}
