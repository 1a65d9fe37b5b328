/** A registry on this machine, with what a release would have published: npm itself decides what to install from it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** One package: what its manifest says, and its tarball where it is there. */
export interface Published {
  readonly manifest: Manifest;
  readonly tarball?: string;
}

export class Registry {
  readonly #packages: ReadonlyMap<string, Published>;
  readonly #server: Server;
  /** Tarballs that were asked for. */
  readonly fetched: string[] = [];

  constructor(published: readonly Published[]) {
    this.#packages = new Map(published.map((entry) => [entry.manifest.name, entry]));
    this.#server = createServer((request, response) => {
      const url = decodeURIComponent(request.url ?? '/').slice(1);
      const file = url.startsWith('-/') ? this.#packages.get(url.slice(2))?.tarball : undefined;
      const entry = this.#packages.get(url);
      if (file !== undefined) {
        this.fetched.push(url.slice(2));
        response.end(readFileSync(file));
      } else if (entry === undefined) response.writeHead(404).end('{}');
      else {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(this.#packument(entry)));
      }
    });
  }

  /** Its address, once it listens. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this.#address();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #packument({ manifest, tarball }: Published): object {
    const { name, version } = manifest;
    const integrity =
      tarball === undefined
        ? undefined
        : `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    const dist = { tarball: `${this.#address()}/-/${name}`, integrity };
    return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }
}
