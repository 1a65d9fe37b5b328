import { setImmediate as turn } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Service, ServiceEnd, ServiceOptions, Services } from '../service/service.js';
import { within } from '../terminal/within.js';
import { DRAIN_MS, LEFT_BEHIND_MS, MAX_LINE_BYTES } from './limits.js';
import { Lines, LineTooLong } from './lines.js';
import type { McpSdk } from './peer.js';

/** Why a connection is over. */
export interface TransportEnd {
  /** How the server ended, as far as it is known. */
  readonly end: ServiceEnd | undefined;
  /** What it did that no server may do. */
  readonly breach: string | undefined;
  /** Whether it was ended from here: how it ended says nothing about it then. */
  readonly isOurs: boolean;
  /** The end of its standard error. */
  readonly stderr: string;
}

/**
 * The protocol over the standard input and output of a service: one message a line. It ends with
 * the server's process and not with its pipes, which others may hold open, and takes with it what
 * the server started.
 */
export class ServiceTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Set once the connection is over, before `onclose` is called. */
  over: TransportEnd | undefined;
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
    const service = await this.#services.start({ ...this.#options, onOutput: (bytes) => this.#takeInTurn(bytes) });
    this.#service = service;
    // It was given up while it started.
    if (this.#closing !== undefined) {
      await service.close();
      throw new Error('The connection was closed');
    }
    service.exited.then(() => this.#leaderGone(service));
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

  /** A server that writes without end is read piece by piece, and lets others have their turn. */
  async #takeInTurn(bytes: Uint8Array): Promise<void> {
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
      // Nothing that follows can be trusted to be what it looks like; whoever waits is told at once.
      this.#finish(undefined, false);
      void this.close();
    }
  }

  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = this.#sdk.deserializeMessage(line);
    } catch (error) {
      // Servers print other things too.
      this.onerror?.(error instanceof Error ? error : new Error('A line is no message'));
      return;
    }
    this.onmessage?.(message);
  }

  /** A last answer may still be on its way; helpers of the server may hold its pipes for ever. */
  async #leaderGone(service: Service): Promise<void> {
    const isOurs = this.#closing !== undefined;
    const drained = await within(service.ended, DRAIN_MS);
    const end = drained ?? (await within(service.close(), LEFT_BEHIND_MS));
    this.#finish(end, isOurs);
    await this.close();
  }

  #finish(end: ServiceEnd | undefined, isOurs: boolean): void {
    if (this.over !== undefined) return;
    this.over = { end, breach: this.#breach, isOurs, stderr: this.#service?.stderr() ?? '' };
    this.onclose?.();
  }
}
