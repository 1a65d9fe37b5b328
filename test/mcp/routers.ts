/** Routers for the tests of one file; afterwards nothing of their servers may be alive. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect } from 'vitest';
import type { McpData } from '../../ts/mcp/data.js';
import { McpRouter, type McpRouterOptions } from '../../ts/mcp/router.js';
import { type McpServerOptions, mcpServersOption } from '../../ts/mcp/server-options.js';
import { Redactor } from '../../ts/redaction/redactor.js';
import { WatchedServices } from './watched-services.js';

const SERVERS = fileURLToPath(new URL('servers', import.meta.url));

/** A server of test/mcp/servers: `raw` written out, `sdk-v1` and `sdk-v2` made with the SDK. */
export function nodeServer(
  name: string,
  args: readonly string[] = [],
  file = 'raw',
): McpServerOptions & { readonly command: string } {
  return { name, command: process.execPath, args: [path.join(SERVERS, `${file}.mjs`), ...args] };
}

/** The same behind a shell. */
export function wrappedServer(name: string): McpServerOptions {
  const { command, args = [] } = nodeServer(name, [name]);
  return { name, command: '/bin/sh', args: [path.join(SERVERS, 'wrapper.sh'), command, ...args] };
}

/** A router with what its servers were, and what it warned of. */
export interface TestRouter {
  readonly router: McpRouter;
  readonly services: WatchedServices;
  readonly warnings: string[];
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<McpData>;
}

/** Makes routers that are closed after each test. */
export function routers() {
  const made: TestRouter[] = [];
  afterEach(async () => {
    const used = made.splice(0);
    await Promise.all(used.map(({ router }) => router.close()));
    expect(used.map(({ services }) => services.alive)).toEqual(used.map(() => 0));
    await Promise.all(used.map(({ services }) => services.close()));
  });

  return async (servers: readonly McpServerOptions[], options: Partial<McpRouterOptions> = {}): Promise<TestRouter> => {
    const services = new WatchedServices();
    const warnings: string[] = [];
    const redactor = new Redactor();
    const onWarning = (message: string) => void warnings.push(message);
    const router = new McpRouter(services, { redactor, cwd: '/', onWarning, ...options });
    const test = {
      router,
      services,
      warnings,
      async call(name: string, args: Record<string, unknown> = {}, signal?: AbortSignal) {
        const found = router.find(name);
        if (found?.tool === undefined) throw new Error(`no tool ${name}; there are ${[...router.toolMap.keys()]}`);
        return await router.call(found.tool, args, signal);
      },
    };
    made.push(test);
    await router.connect(mcpServersOption(servers, 'servers'));
    return test;
  };
}
