/** A proxy in front of a server that cuts its connections when it is told to. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class CuttingProxy {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #isSilent = false;
  cuts = 0;

  constructor(port: number) {
    this.#server = createServer((client) => {
      const server = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => from.destroy());
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
      client.on('data', (bytes) => server.write(bytes));
      server.on('data', (bytes) => {
        if (!this.#isSilent) client.write(bytes);
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    return `redis://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** What was asked for may have been done; its answer does not come. */
  cut(): void {
    if (this.#sockets.size > 0) this.cuts += 1;
    for (const socket of [...this.#sockets]) socket.destroy();
  }

  /** Questions go through, answers do not. */
  silence(isSilent: boolean): void {
    this.#isSilent = isSilent;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}
