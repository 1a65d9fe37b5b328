/** Secrets in what servers of tools say of them, in what is approved, and in what is kept of that. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import * as handrail from '../../ts/index.js';
import { nodeServer } from '../mcp/routers.js';
import type { Planting } from './files.js';

const { createToolkit, Redactor } = handrail;

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

/** A toolkit whose server has the secret in every text of a tool, in its arguments, and hidden characters in front of it. */
const withServer = (use: (toolkit: handrail.Toolkit, secret: string) => unknown) =>
  (async (secret) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'handrail-planted-'));
    const lock = path.join(folder, 'mcp.lock');
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const text = `\u200b<!-- ${secret} -->`;
    const tool = {
      name: 'planted',
      title: text,
      description: text,
      inputSchema: { type: 'object', properties: { a: { enum: [secret], description: text } } },
      annotations: { title: text },
    };
    try {
      await using toolkit = await createToolkit({
        workspace: '.',
        redaction: new Redactor({ secrets: { PLANTED: secret } }),
        mcpServers: [{ ...nodeServer('one', ['--extra', secret]), env: { EXTRA_TOOL: JSON.stringify(tool) } }],
        mcpReadyMs: 60_000,
        mcpLock: lock,
      });
      const used = await Promise.allSettled([Promise.resolve().then(() => use(toolkit, secret))]);
      const kept = existsSync(lock) ? readFileSync(lock, 'utf8') : '';
      return [
        used,
        toolkit.mcp?.servers.map((server) => ({ ...server })),
        toolkit.definitions(),
        kept,
        warned.mock.calls,
      ];
    } finally {
      warned.mockRestore();
      rmSync(folder, { recursive: true, force: true });
    }
  }) satisfies Planting;

export const MCP_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  'ToolkitMcp.approve': {
    'what is shown for approval, and what is kept of it': withServer((toolkit) => {
      const { unapproved } = toolkit.mcp?.servers[0] ?? {};
      toolkit.mcp?.approve('one', unapproved?.digest ?? '');
      return unapproved;
    }),
    'a server that is not there': withServer((toolkit, secret) => toolkit.mcp?.approve(secret, secret)),
    'another digest': withServer((toolkit, secret) => toolkit.mcp?.approve('one', secret)),
    'what is no text': withServer((toolkit, secret) => toolkit.mcp?.approve(wrong([secret]), wrong({ secret }))),
    'an address, headers and a token': async (secret) => {
      const given = {
        url: `https://user:${secret}@notes.example/`,
        headers: { [secret]: secret },
        token: wrong(secret),
      };
      const made = (options: object) => createToolkit({ workspace: '.', mcpServers: [{ name: 'far', ...options }] });
      return await Promise.allSettled([
        made(given),
        made({ url: `http://notes.example/${secret}`, headers: { 'X-Api-Key': secret } }),
        made({ url: 'https://notes.example/', headers: { 'X-Api-Key': `${secret}\n` } }),
        made({ url: 'https://notes.example/', headers: { [`${secret}:`]: 'a' } }),
      ]);
    },
    'a token that a server cannot be reached with': async (secret) => {
      const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      try {
        const mcpServers = [
          { name: 'far', url: 'http://127.0.0.1:1/', token: () => secret, headers: { 'X-Api-Key': secret } },
        ];
        await using toolkit = await createToolkit({ workspace: '.', mcpServers });
        return [
          toolkit.mcp?.servers.map((server) => ({ ...server })),
          warned.mock.calls,
          toolkit.redactor.redact(secret),
        ];
      } finally {
        warned.mockRestore();
      }
    },
    'a place that is refused': async (secret) =>
      createToolkit({ workspace: '.', mcpServers: [nodeServer('one')], mcpLock: path.resolve(secret) }),
  },
};
