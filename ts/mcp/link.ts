import type { Transport } from '@modelcontextprotocol/client';
import type { ServiceEnd } from '../service/service.js';

/** How a connection ended. */
export interface TransportEnd {
  /** How the server's process ended. Undefined when it is not known, and for a server that is called over HTTP. */
  readonly end: ServiceEnd | undefined;
  /** A violation of the protocol for which the connection was ended, as a clause. */
  readonly breach: string | undefined;
  /** Whether Handrail closed the connection: the way the server ended then tells nothing about it. */
  readonly isOurs: boolean;
  /** The end of its standard error. */
  readonly stderr: string;
}

/** A way to a server, for one connection. */
export interface Link {
  /** What the SDK sends and receives with. */
  readonly transport: Transport;
  /** How the connection ended. Set before the `onclose` of the transport is called. */
  readonly over: TransportEnd | undefined;
  /** Ends the connection, and a server that was started for it. Can be called again. */
  close(): Promise<void>;
}
