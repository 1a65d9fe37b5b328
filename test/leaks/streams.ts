/** Secrets in what is streamed to commands and from them. */
import * as handrail from '../../ts/index.js';
import type { Planting } from './files.js';

const { Redactor, Terminal } = handrail;

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

const knowing = (secret: string) => new Redactor({ secrets: { PLANTED: secret } });

const withTerminal = (use: (terminal: handrail.Terminal, secret: string) => unknown) =>
  (async (secret) => {
    await using terminal = new Terminal({ allow: ['echo', 'cat'], redactor: knowing(secret) });
    return [await Promise.allSettled([(async () => use(terminal, secret))()]), terminal];
  }) satisfies Planting;

async function* failing(secret: string): AsyncGenerator<string> {
  yield await Promise.resolve('a\n');
  throw new Error(`no more of ${secret}`);
}

/** Everything that a loop over the output gets. */
async function collected(stream: handrail.CommandStream): Promise<unknown> {
  const pieces: unknown[] = [];
  for await (const piece of stream) pieces.push(piece);
  return [pieces, stream];
}

/** Of `Terminal.run`. */
export const INPUT_PLANTINGS: Readonly<Record<string, Planting>> = {
  'an input that fails': withTerminal((terminal, secret) => terminal.run('cat', { stdin: failing(secret) })),
  'an input of pieces that are none': withTerminal((terminal, secret) =>
    terminal.run('cat', {
      stdin: (async function* () {
        yield await Promise.resolve(wrong([secret]));
      })(),
    }),
  ),
};

export const STREAM_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  'CommandStream.result': {
    'a command that is denied': withTerminal((terminal, secret) => terminal.stream(['rm', secret]).result()),
  },
  'CommandStream.[asyncIterator]': {
    'what a command writes': withTerminal((terminal, secret) => collected(terminal.stream(['echo', secret]))),
    'a closed terminal': withTerminal(async (terminal, secret) => {
      await terminal.close();
      return await collected(terminal.stream(['echo', secret]));
    }),
  },
  'Terminal.stream': {
    'no command': withTerminal((terminal, secret) => collected(terminal.stream(wrong({ [secret]: secret })))),
    'an unknown option': withTerminal((terminal, secret) => terminal.stream('echo', wrong({ [secret]: secret }))),
  },
};
