/** What `handrail/wasm` has and came with it. */
import { explain, Redactor } from '../../ts/index.js';
import { ready } from '../../ts/wasm/index.js';
import type { Planting } from './files.js';

const wrong = (value: unknown): never => value as never;

const knowing = (secret: string) => new Redactor({ secrets: { PLANTED: secret } });

export const WASM_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  'Redactor.transformStream': {
    'no bytes': async (secret) => {
      const { writable, readable } = new Redactor().transformStream();
      const read = readable.getReader().read();
      await Promise.allSettled([writable.getWriter().write(wrong([secret]))]);
      return await read;
    },
    'what it looks like': async (secret) => {
      const { writable, readable } = knowing(secret).transformStream();
      const writer = writable.getWriter();
      void writer.write(secret);
      void writer.close();
      return await new Response(readable).text();
    },
  },
  explain: {
    'no command': (secret) => explain(wrong({ [secret]: 1 })),
    'an unknown option': (secret) => explain('ls', wrong({ [secret]: 1 })),
    'a folder that is none': (secret) => explain('ls', { cwd: secret, redactor: knowing(secret) }),
    'a list that is none': (secret) => explain('ls', { allow: [`${secret}*`], redactor: knowing(secret) }),
    'a command that may not run': (secret) => explain(`${secret} x`, { allow: [], redactor: knowing(secret) }),
    'a script that cannot be read': (secret) =>
      explain(`echo "${secret}`, { shell: 'bash', allow: ['echo'], redactor: knowing(secret) }),
  },
  ready: {
    'no source': (secret) => ready(wrong(secret)),
    'a source that is no module': (secret) => ready({ [secret]: 1 }),
    'bytes that are none': (secret) => ready(Buffer.from(secret)),
  },
};
