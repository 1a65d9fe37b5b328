/** A root that commands know by a second path: they find it there, and nothing else than without that path. */
import { describe, expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { hostProgram, USERS } from './hosts.js';
import type { ShownAnswer, ShownRequest } from './shown-host.js';

const host = await hostProgram<ShownRequest, ShownAnswer>('shown-host.ts');

const SHOWN = '/handrail-view';
const JUDGED = { shownAs: SHOWN, judging: true } as const;
const KERNEL_ALONE = { shownAs: SHOWN, judging: false } as const;

const USES: Readonly<Record<string, { readonly script: string; readonly output: string | RegExp }>> = {
  'the directory of a command': { script: 'pwd; readlink /proc/self/cwd', output: `${SHOWN}\n${SHOWN}\n` },
  'a file': { script: `cat ${SHOWN}/notes.txt`, output: 'noted\n' },
  'a folder that is entered': {
    script: `cd ${SHOWN}/sub && pwd && cat ../notes.txt`,
    output: `${SHOWN}/sub\nnoted\n`,
  },
  'a redirection': { script: `echo two > ${SHOWN}/out.txt`, output: '' },
  'a move between folders': { script: `echo x > sub/f && mv sub/f ${SHOWN}/moved/f`, output: '' },
  'the path on this machine': { script: 'cat $REAL/notes.txt', output: 'noted\n' },
  'one folder under both paths': { script: `test ${SHOWN} -ef $REAL && echo same`, output: 'same\n' },
  'a text': { script: `printf %s ${SHOWN} | wc -c`, output: `${SHOWN.length}\n` },
  'the rest of the machine': {
    script:
      'readlink -f /bin/sh; ps -o pid= -p 1; : > /dev/null; head -c1 /dev/urandom | wc -c; echo t > /tmp/t; cat /tmp/t',
    output: /^\/usr\/bin\/\w+\n +1\n1\nt\n$/,
  },
};

/** What is judged by the second path as by the first: none of it runs. */
const REFUSED: Readonly<Record<string, string>> = {
  'a protected place': `echo x > ${SHOWN}/.git/hooks/pre-commit`,
  'a file above': `echo x > ${SHOWN}/../made`,
  'a folder above': `cd ${SHOWN}/.. && echo x > made`,
  'code behind a link that names the second path': '. linked/env',
  'a file beside the root': `echo x > ${SHOWN}/..$OUTSIDE/made`,
};

/** What the kernel refuses: each script ends with another code than 0, or says `held`. */
const HELD: Readonly<Record<string, string>> = {
  'a file above': `echo x > ${SHOWN}/../made`,
  'a file beside the root': `echo x > ${SHOWN}/..$OUTSIDE/made`,
  'a file behind a link': 'echo x > up/made',
  'reading beside the root': `cat ${SHOWN}/..$OUTSIDE/secret`,
  'the mode of a file beside the root': 'chmod 600 $OUTSIDE/secret',
  'a folder in the root directory': 'mkdir /handrail-made',
  'the folder itself': `mv ${SHOWN} /handrail-other`,
  'the folder, removed': `rmdir ${SHOWN}`,
  'a program in the root': `cp /bin/true ${SHOWN}/program && ${SHOWN}/program`,
  'another root directory': `python3 -c "import os; os.chroot('sub')"`,
  'the mounts': `python3 -c "import ctypes, sys; sys.exit(ctypes.CDLL(None).umount2(b'${SHOWN}', 2) != 0)"`,
  'a way out by the first process': 'cat /proc/1/root$OUTSIDE/secret',
  'a covered file': `cat ${SHOWN}/.env`,
};

describe.each(USERS)('as user %i', (uid) => {
  test('commands find the root by both paths, and write to the real one', { timeout: LIVENESS_MS }, async () => {
    const scripts = Object.fromEntries(Object.entries(USES).map(([name, { script }]) => [name, script]));
    const { runs, made, isOnMachine } = await host(uid, { ...JUDGED, scripts });
    for (const [name, { output }] of Object.entries(USES)) {
      expect(runs[name], name).toMatchObject({ decision: 'allow', exitCode: 0 });
      if (typeof output === 'string') expect(runs[name]?.output, name).toBe(output);
      else expect(runs[name]?.output, name).toMatch(output);
    }
    expect(made).toEqual({ 'out.txt': 'two\n', 'moved/f': 'x\n' });
    expect(isOnMachine).toBe(false);
  });

  test('in a network of their own they find it too', { timeout: LIVENESS_MS }, async () => {
    const listen = "import socket; s = socket.create_server(('127.0.0.1', 0)); print(open('notes.txt').read())";
    const scripts = { served: `cd ${SHOWN} && python3 -c "${listen}" && pwd` };
    const { runs } = await host(uid, { ...JUDGED, confine: { network: 'loopback' }, scripts });
    expect(runs['served']).toMatchObject({ exitCode: 0, output: `noted\n\n${SHOWN}\n` });
  });

  test('the second path is judged as the root', { timeout: LIVENESS_MS }, async () => {
    const { runs, made } = await host(uid, { ...JUDGED, scripts: REFUSED });
    for (const name of Object.keys(REFUSED)) expect(runs[name]?.decision, name).not.toBe('allow');
    expect(made).toEqual({});
  });

  test('without a judgement the kernel holds everything outside', { timeout: LIVENESS_MS }, async () => {
    const confine = { exec: 'listed', unreadable: ['.env'] } as const;
    const { runs, made } = await host(uid, { ...KERNEL_ALONE, confine, scripts: { ...HELD, ...REFUSED } });
    for (const name of Object.keys(HELD)) expect(runs[name]?.exitCode, `${name}: ${runs[name]?.output}`).not.toBe(0);
    const word = `'${SHOWN}/program' was not executed: it lies where commands can write`;
    expect(runs['a program in the root']?.notes).toEqual([word]);
    // An ordinary user may make no folder there anyway, and the kernel does not say which it was.
    const what = uid === 0 ? "'/handrail-made'" : 'A file';
    const note = `${what} was not written: commands write beneath ${SHOWN} and $TMPDIR only`;
    expect(runs['a folder in the root directory']?.notes).toEqual([note]);
    // The protected place lies beneath a writable root: only the judgement is in the way.
    expect(made).toEqual({ '.git/hooks/pre-commit': 'x\n' });
  });

  test('with an open plan the same scripts do reach what they are after', { timeout: LIVENESS_MS }, async () => {
    const confine = { writes: 'any', exec: 'any', reads: 'any' } as const;
    const { runs, made } = await host(uid, { ...KERNEL_ALONE, confine, scripts: HELD });
    for (const name of ['reading beside the root', 'a file behind a link', 'a program in the root', 'a covered file']) {
      expect(runs[name]?.exitCode, `${name}: ${runs[name]?.output}`).toBe(0);
    }
    expect(made).toMatchObject({ '../outside/made': 'x\n' });
    // The root directory is nobody's to change under any plan.
    for (const name of ['a folder in the root directory', 'the folder itself', 'another root directory']) {
      expect(runs[name]?.exitCode, name).not.toBe(0);
    }
  });

  test('without a namespace there is no second path', { timeout: LIVENESS_MS }, async () => {
    const kernel = { landlock: 99, filters: true, namespaces: false };
    const scripts = { pwd: 'pwd', cat: `cat ${SHOWN}/notes.txt`, redirection: `echo x > ${SHOWN}/out.txt` };
    const { runs, made, real } = await host(uid, { ...JUDGED, kernel, scripts });
    expect(runs['pwd']?.output).toBe(`${real}\n`);
    expect(runs['cat']?.exitCode).not.toBe(0);
    expect(runs['redirection']?.decision).not.toBe('allow');
    expect(made).toEqual({});
  });

  test.each(['/etc', '/usr/shown', '/', '/tmp/shown', '/proc/shown'])('%s is no second path', async (shownAs) => {
    await expect(host(uid, { ...JUDGED, shownAs, scripts: { pwd: 'pwd' } })).rejects.toThrow(/second path/);
  });
});
