/** Services over node:child_process: a process group of its own for each, ended as a whole. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { HandrailError, Redactor } from '../../ts/index.js';
import type { Service, ServiceEnd, ServiceOptions, Services } from '../../ts/service/service.js';
import { childEnvironment } from '../../ts/terminal/environment.js';
import { until } from '../support/processes.js';

const EOF_GRACE_MS = 250;
const TERM_GRACE_MS = 250;
const STDERR_BYTES = 65_536;

class FakeService implements Service {
  readonly ended: Promise<ServiceEnd>;
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #redactor = new Redactor();
  #stderr = Buffer.alloc(0);
  #closing: Promise<ServiceEnd> | undefined;

  constructor(child: ChildProcess, options: ServiceOptions) {
    this.#child = child;
    child.stdout?.on('data', (bytes: Buffer) => {
      void options.onOutput(bytes);
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, bytes]).subarray(-STDERR_BYTES);
    });
    child.stdin?.on('error', () => undefined);
    this.exited = new Promise((resolve) => child.once('exit', () => resolve()));
    this.ended = this.exited.then(async () => {
      await until(() => !this.#isGroupAlive(), 600_000);
      const { exitCode, signalCode } = child;
      return { status: signalCode === null ? 'exited' : 'signaled', exitCode, signal: signalCode };
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#closing !== undefined) {
      return Promise.reject(new HandrailError('ERR_CLOSED', 'This service has ended'));
    }
    return new Promise((resolve, reject) => {
      this.#child.stdin?.write(bytes, (error) => {
        if (error) reject(new HandrailError('ERR_CLOSED', 'This service has ended'));
        else resolve();
      });
    });
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  stderr(): string {
    return this.#redactor.redact(this.#stderr.toString());
  }

  close(): Promise<ServiceEnd> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<ServiceEnd> {
    this.endInput();
    const isGone = (): boolean => !this.#isGroupAlive();
    if ((await until(isGone, EOF_GRACE_MS)) === undefined) this.#signal('SIGTERM');
    if ((await until(isGone, TERM_GRACE_MS)) === undefined) this.#signal('SIGKILL');
    return await this.ended;
  }

  #isGroupAlive(): boolean {
    return isGroupAlive(this.#child.pid ?? 0);
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-(this.#child.pid ?? 0), signal);
    } catch {
      // It is gone.
    }
  }
}

/** Whether a process of the group runs; one that has ended and was not collected yet does not. */
function isGroupAlive(group: number): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        const [state, , leader] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return Number(leader) === group && state !== 'Z' && state !== 'X';
      } catch {
        return false;
      }
    });
}

/** Starts services and remembers them. */
export class FakeServices implements Services {
  readonly started: ServiceOptions[] = [];
  readonly pids: number[] = [];

  async start(options: ServiceOptions): Promise<Service> {
    const { variables } = childEnvironment(options.env ?? {}, {});
    const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    const child = spawn(options.command, [...(options.args ?? [])], {
      cwd: options.cwd,
      env: { ...env, HOME: '/nonexistent' },
      detached: true,
      stdio: 'pipe',
    });
    const service = new FakeService(child, options);
    const failure = await new Promise<Error | undefined>((resolve) => {
      child.once('spawn', () => resolve(undefined));
      child.once('error', resolve);
    });
    if (failure !== undefined) throw new HandrailError('ERR_SYSTEM', 'There is no program of that name');
    this.started.push(options);
    this.pids.push(child.pid ?? 0);
    return service;
  }

  /** Process groups of services of which something is alive. */
  alive(): number[] {
    return this.pids.filter(isGroupAlive);
  }
}
