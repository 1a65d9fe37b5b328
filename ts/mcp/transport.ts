import { setImmediate as turn } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Service, ServiceEnd, ServiceOptions, Services } from '../service/service.js';
import { within } from '../terminal/within.js';
import { DRAIN_MS, LEFT_BEHIND_MS, MAX_LINE_BYTES } from './limits.js';
import { Lines, LineTooLong } from './lines.js';
import type { Link, TransportEnd } from './link.js';
import type { McpSdk } from './peer.js';

/**
 * The transport of the protocol over the standard input and output of a service: one message a line. It ends with the
 * server's process, not with its pipes, which other processes may hold open. Everything that the server started is
 * ended with it.
 */
export class ServiceTransport implements Transport, Link {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** How the connection ended. Set before `onclose` is called. */
  over: TransportEnd | undefined;
  readonly transport = this;
  readonly #sdk: McpSdk;
  readonly #services: Services;
  readonly #options: Omit<ServiceOptions, 'onOutput'>;
  readonly #lines: Lines;
  #service: Service | undefined;
  #breach: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    sdk: McpSdk,
    services: Services,
    options: Omit<ServiceOptions, 'onOutput'>,
    maxLineBytes: number = MAX_LINE_BYTES,
  ) {
    this.#sdk = sdk;
    this.#services = services;
    this.#options = options;
    this.#lines = new Lines(maxLineBytes);
  }

  async start(): Promise<void> {
    const service = await this.#services.start({ ...this.#options, onOutput: (bytes) => this.#takeAndYield(bytes) });
    this.#service = service;
    // The connection was closed while the server started.
    if (this.#closing !== undefined) {
      await service.close();
      throw new Error('The connection was closed');
    }
    service.exited.then(() => this.#onProcessEnd(service));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#service === undefined || this.over !== undefined) {
      throw new this.#sdk.SdkError(this.#sdk.SdkErrorCode.NotConnected, 'Not connected');
    }
    await this.#service.write(Buffer.from(this.#sdk.serializeMessage(message)));
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    const end = await this.#service?.close();
    this.#finish(end, true);
  }

  /** Reads one piece and yields to the event loop, so that a server that writes without end does not block others. */
  async #takeAndYield(bytes: Uint8Array): Promise<void> {
    this.#take(bytes);
    await turn();
  }

  #take(bytes: Uint8Array): void {
    if (this.#breach !== undefined || this.over !== undefined) return;
    try {
      for (const line of this.#lines.take(bytes)) this.#receive(line);
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      this.#breach = `it sent ${error.message}`;
      // Later lines cannot be trusted. Waiting calls fail at once.
      this.#finish(undefined, false);
      void this.close();
    }
  }

  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = this.#sdk.deserializeMessage(line);
    } catch (error) {
      // Servers also print lines that are no messages.
      this.onerror?.(error instanceof Error ? error : new Error('A line is no message'));
      return;
    }
    this.onmessage?.(message);
  }

  /** The server's process has ended. Waits for a last answer, but not for helpers that hold the pipes open. */
  async #onProcessEnd(service: Service): Promise<void> {
    const isOurs = this.#closing !== undefined;
    const endAfterDrain = await within(service.ended, DRAIN_MS);
    const end = endAfterDrain ?? (await within(service.close(), LEFT_BEHIND_MS));
    this.#finish(end, isOurs);
    await this.close();
  }

  #finish(end: ServiceEnd | undefined, isOurs: boolean): void {
    if (this.over !== undefined) return;
    this.over = { end, breach: this.#breach, isOurs, stderr: this.#service?.stderr() ?? '' };
    this.onclose?.();
  }
}
