import { PROJECT_KINDS } from '../presets/kinds.js';
import { DEFAULT_TIMEOUT_MS } from '../terminal/limits.js';
import type { Option } from './command.js';

/** The options about which programs may run, the same for all commands that judge. */
export const LIST_OPTIONS = [
  {
    name: 'project',
    kind: 'values',
    value: 'KIND',
    completes: [...PROJECT_KINDS, 'auto'],
    list: true,
    setting: 'none',
    text: 'allows what people type there: node, python, rust, go, auto',
  },
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
    name: 'ask',
    kind: 'values',
    value: 'A,B',
    completes: 'programs',
    list: true,
    setting: 'none',
    text: "uses of allowed programs that are a question: 'git push'",
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

/** The option `--root`. */
export const ROOT_OPTION = {
  name: 'root',
  kind: 'values',
  value: 'DIR',
  completes: 'folders',
  setting: 'this directory',
  text: 'where commands start and write, else here; can be repeated',
} as const satisfies Option;

/** The option `--path`. */
export const PATH_OPTION = {
  name: 'path',
  kind: 'values',
  value: 'DIR',
  completes: 'folders',
  setting: 'those of PATH',
  text: 'one more folder of programs, absolute; can be repeated',
} as const satisfies Option;

/** The option `--env`. */
export const ENV_OPTION = {
  name: 'env',
  kind: 'values',
  value: 'NAME',
  completes: 'variables',
  setting: 'none',
  text: 'a variable it sees: NAME or NAME=VALUE; can be repeated',
} as const satisfies Option;

/** The option `--cwd`, without its text. */
export const CWD_OPTION = { name: 'cwd', kind: 'value', value: 'DIR', completes: 'folders' } as const;

/** The option `--timeout`, without its text. */
export const TIMEOUT_OPTION = {
  name: 'timeout',
  kind: 'value',
  value: 'MS',
  setting: String(DEFAULT_TIMEOUT_MS),
} as const;
