/** Servers that listen on ports of this machine, closed after each test. */
import { createServer, type Server } from 'node:net';
import { afterEach } from 'vitest';

/** A listening server. */
export interface Listener {
  readonly port: number;
  /** The number of connections so far. */
  readonly reached: () => number;
}

/** A function that starts servers. */
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
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return { port: address.port, reached: () => count };
  };
}
