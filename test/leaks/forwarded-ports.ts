/** Secrets in the arguments of `forward()`, in the terminal whose port is forwarded, and in the names of hosts that are asked about. */
import { createToolkit, Redactor, Terminal } from '../../ts/index.js';
import type { Planting } from './files.js';

const LOOPBACK = { network: 'loopback' } as const;

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

async function forwardOfTerminal(port: number, options?: object): Promise<unknown> {
  await using terminal = new Terminal({ allow: ['echo'], confine: LOOPBACK });
  return await terminal.forward(port, options);
}

async function forwardOfToolkit(port: number, options?: object): Promise<unknown> {
  await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['echo'], confine: LOOPBACK } });
  return await toolkit.forward(port, options);
}

const plantings = (forward: typeof forwardOfTerminal): Readonly<Record<string, Planting>> => ({
  'a port': (secret) => forward(wrong(secret)),
  'an option': (secret) => forward(80, { hostPort: secret }),
  'a name of an option': (secret) => forward(80, { [secret]: 1 }),
});

export const FORWARD_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  'Terminal.forward': plantings(forwardOfTerminal),
  'Toolkit.forward': plantings(forwardOfToolkit),
  'Terminal.approvedHosts': {
    // Names of hosts are kept in lower case, in which a secret with capitals is not known.
    'the name of a host': async (planted) => {
      const secret = planted.toLowerCase();
      await using terminal = new Terminal({
        allow: ['curl'],
        approve: () => ({ approved: true }),
        confine: { network: 'ask' },
        redactor: new Redactor({ secrets: [secret] }),
      });
      await terminal.run(['curl', '-sS', '-m', '10', `http://${secret}.example/`]);
      return terminal.approvedHosts;
    },
  },
  'ForwardedPort.close': {
    'the value of a variable': async (secret) => {
      await using terminal = new Terminal({ confine: LOOPBACK, env: { set: { KEY: secret } } });
      const forwarded = await terminal.forward(80);
      await forwarded.close();
      return forwarded;
    },
  },
};
