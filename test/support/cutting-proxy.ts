/** A proxy in front of a server that can cut all connections, or withhold the server's answers. */
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

  /** Cuts all connections. The server may have carried out requests whose answers are lost. */
  cut(): void {
    if (this.#sockets.size > 0) this.cuts += 1;
    for (const socket of [...this.#sockets]) socket.destroy();
  }

  /** While silent, the proxy forwards requests but no answers. */
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
