import { DEFAULT_TIMEOUT_MS } from '../terminal/limits.js';
import type { Option } from './command.js';

/** Which programs may run: the same for all commands that judge. */
export const LISTS = [
  {
    name: 'allow',
    kind: 'values',
    value: 'A,B',
    completes: 'programs',
    list: true,
    setting: 'none',
    text: "programs or 'program arguments' that may run; no list: none",
  },
  {
    name: 'deny',
    kind: 'values',
    value: 'A,B',
    completes: 'programs',
    list: true,
    setting: 'none',
    text: 'what may not, which wins; alone, everything else may',
  },
  {
    name: 'trust',
    kind: 'values',
    value: 'A,B',
    completes: 'programs',
    list: true,
    setting: 'none',
    text: 'interpreters whose code is not judged; allow them as well',
  },
] as const satisfies readonly Option[];

/** Where scripts may write. */
export const ROOT = {
  name: 'root',
  kind: 'values',
  value: 'DIR',
  completes: 'folders',
  setting: 'any, with mcp this directory',
  text: 'where commands start and write, else any; can be repeated',
} as const satisfies Option;

/** Where programs are found. */
export const PATH = {
  name: 'path',
  kind: 'values',
  value: 'DIR',
  completes: 'folders',
  setting: 'the system',
  text: 'one more folder of programs, absolute; can be repeated',
} as const satisfies Option;

/** Where a command starts. */
export const CWD = { name: 'cwd', kind: 'value', value: 'DIR', completes: 'folders' } as const;

/** How long it gets. */
export const TIMEOUT = { name: 'timeout', kind: 'value', value: 'MS', setting: String(DEFAULT_TIMEOUT_MS) } as const;
