/** Ports of this machine that answer, for the tests of one file; closed after each. */
import { createServer, type Server } from 'node:net';
import { afterEach } from 'vitest';

/** One that listens. */
export interface Listener {
  readonly port: number;
  /** How often it was reached. */
  readonly reached: () => number;
}

/** Makes them. */
export function listeners(): () => Promise<Listener> {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  return async () => {
    let count = 0;
    const server = createServer((socket) => {
      count += 1;
      socket.on('error', () => undefined).end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
    return { port: address.port, reached: () => count };
  };
}
