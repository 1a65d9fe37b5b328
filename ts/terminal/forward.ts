import { createServer, type Server, Socket } from 'node:net';

import { checkedOptions, integer, integerOption } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { NetworkOption } from './confine.js';

/** The only address of the host at which a forwarded port answers. */
const HOST = '127.0.0.1';
const MAX_PORT = 65_535;
/** Connections of one forwarded port at once; one more is refused. */
const MAX_CONNECTIONS = 128;

const HOST_PORTS = { min: 0, max: MAX_PORT, unit: 'a port' };
const COMMAND_PORTS = { min: 1, max: MAX_PORT, unit: 'a port' };
const CHECKS = { hostPort: integer(HOST_PORTS, 0) };

/** The options of `forward()`. */
export interface ForwardOptions {
  /** The port of the host, from 0 to 65,535. Default: 0, which is any free one. */
  readonly hostPort?: number | undefined;
}

/** A port of this machine's loopback that leads to one of commands. */
export interface ForwardedPort extends AsyncDisposable {
  /** The address of the host, always `127.0.0.1`. */
  readonly host: string;
  /** The port of the host. */
  readonly port: number;
  /** Ends it with its connections. Can be called again. */
  close(): Promise<void>;
}

/** @throws HandrailError `ERR_INVALID_ARGUMENT` where commands have no loopback of their own that a port could lead to. */
export function assertOwnLoopback(network: NetworkOption | undefined): void {
  if (network !== undefined && network !== 'none' && network !== 'any') return;
  const message =
    "`forward()` leads to a loopback of commands: give `confine: { network: 'loopback' }` or a list of hosts";
  throw new HandrailError('ERR_INVALID_ARGUMENT', message, {
    data: { name: 'confine.network', value: network ?? 'any' },
  });
}

/** Makes a connected socket to a port of commands. */
export type Connect = (port: number) => Promise<number>;

/** The forwarded ports of one owner. */
export class ForwardedPorts {
  readonly #connect: Connect;
  readonly #open = new Set<ForwardedPort>();

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  async open(port: number, options: ForwardOptions = {}): Promise<ForwardedPort> {
    const checkedPort = integerOption(port ?? null, 'port', COMMAND_PORTS, 1);
    const { hostPort } = checkedOptions(options, 'options', CHECKS);
    const connections = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      keep(connections, client);
      void this.#serve(client, checkedPort, connections);
    });
    server.maxConnections = MAX_CONNECTIONS;
    const ownPort = await listen(server, hostPort);
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => {
      closed ??= new Promise<void>((resolve) => {
        this.#open.delete(forwarded);
        server.close(() => resolve());
        for (const connection of connections) connection.destroy();
      });
      return closed;
    };
    const forwarded = { host: HOST, port: ownPort, close, [Symbol.asyncDispose]: close };
    this.#open.add(forwarded);
    return forwarded;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((forwarded) => forwarded.close()));
  }

  /** Joins a client with a new connection to the port of commands. Where nothing answers there, the client is reset. */
  async #serve(client: Socket, port: number, connections: Set<Socket>): Promise<void> {
    let descriptor: number;
    try {
      descriptor = await this.#connect(port);
    } catch {
      client.resetAndDestroy();
      return;
    }
    const inner = new Socket({ fd: descriptor, readable: true, writable: true, allowHalfOpen: true });
    keep(connections, inner);
    if (client.destroyed) {
      inner.destroy();
      return;
    }
    for (const [from, to] of [
      [client, inner],
      [inner, client],
    ] as const) {
      from.on('close', () => {
        if (from.errored || !from.readableEnded) to.destroy();
      });
      from.pipe(to);
    }
    client.resume();
  }
}

/** Counts a connection among the open ones until it is closed. The pipes to and from it notice its errors. */
function keep(connections: Set<Socket>, connection: Socket): void {
  connections.add(connection);
  connection.on('error', () => undefined);
  connection.on('close', () => connections.delete(connection));
  connection.unref();
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // Later errors are of single connections, where the host has no descriptor left: those are lost, and no more.
    server.on('error', (cause) => {
      reject(
        new HandrailError('ERR_SYSTEM', `Port ${port} of ${HOST} cannot be forwarded: ${cause.message}`, { cause }),
      );
    });
    server.listen({ host: HOST, port }, () => {
      const address = server.address();
      // An idle forwarded port does not keep the process alive.
      server.unref();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
