import type { Command } from './command.js';
import { FAILED_CODE } from './common-options.js';
import { MCP } from './mcp-options.js';

/** Where `handrail serve` listens unless it is told. */
export const DEFAULT_ADDRESS = '127.0.0.1:8080';

/** How long calls are waited for after a signal, in milliseconds. */
export const DEFAULT_DRAIN_MS = 30_000;

/** The options of `handrail mcp` that have rows here too; its own page has the others. */
const SHOWN = ['project', 'allow', 'root', 'audit', 'help'];

/** The command `handrail serve`. */
export const SERVE = {
  name: 'serve',
  summary: 'offer guarded tools to clients of the Model Context Protocol over HTTP',
  about:
    'The tools of handrail mcp, with all its options (handrail mcp --help), over Streamable HTTP, for clients that show a ' +
    'token. A first signal takes no further calls and waits for those that are open, a second one ends them.',
  options: [
    { name: 'http', kind: 'value', value: 'HOST:PORT', text: `where it listens; ${DEFAULT_ADDRESS} unless given` },
    {
      name: 'socket',
      kind: 'value',
      value: 'FILE',
      completes: 'files',
      text: 'a Unix socket to listen on in place of --http',
    },
    {
      name: 'token-file',
      kind: 'value',
      value: 'FILE',
      completes: 'files',
      text: 'a line NAME TOKEN for each caller; made with one where there is none',
    },
    { name: 'no-auth', kind: 'flag', text: 'no token; only for --socket or an address of loopback' },
    { name: 'tls-cert', kind: 'value', value: 'FILE', completes: 'files', text: 'the certificate, in PEM' },
    { name: 'tls-key', kind: 'value', value: 'FILE', completes: 'files', text: 'its private key' },
    {
      name: 'tls-client-ca',
      kind: 'value',
      value: 'FILE',
      completes: 'files',
      text: 'clients need a certificate of this authority',
    },
    {
      name: 'server-name',
      kind: 'values',
      value: 'NAME',
      list: true,
      text: 'names that requests may have in Host, beside that of --http',
    },
    {
      name: 'origin',
      kind: 'values',
      value: 'URL',
      list: true,
      text: 'pages of browsers that are answered; none unless given',
    },
    {
      name: 'drain',
      kind: 'value',
      value: 'MS',
      text: `how long a first signal waits for open calls; ${DEFAULT_DRAIN_MS} unless given`,
    },
    ...MCP.options
      .filter(({ name }) => name !== 'yes')
      .map((option) => ({ ...option, hasRow: SHOWN.includes(option.name) })),
  ],
  examples: [
    { line: 'handrail serve --project auto' },
    { line: 'handrail serve --http 127.0.0.1:9000 --token-file ../tokens --allow git' },
  ],
  exitCodes: [
    ['0', 'it was ended by a signal, and every call was answered'],
    FAILED_CODE,
    ['130', 'a second SIGINT ended its calls; 129 SIGHUP, 143 SIGTERM'],
  ],
  errorsTo: 'stderr',
} as const satisfies Command;
