import type { Option } from './command.js';

/** Every command has it. */
export const HELP: Option = { name: 'help', short: 'h', kind: 'flag', text: 'this text' };

/** Every command with settings has these. */
export const CONFIG = [
  {
    name: 'config',
    kind: 'value',
    value: 'FILE',
    completes: 'files',
    text: 'settings from FILE, else from the nearest handrail.toml',
  },
  { name: 'no-config', kind: 'flag', text: 'settings from no file' },
] as const satisfies readonly Option[];

/** What a command says about itself stays away. */
export const QUIET = { name: 'quiet', short: 'q', kind: 'flag' } as const;

/** Rows of exit codes that commands share. */
export const DENIED = ['123', 'denied: nothing ran'] as const;
export const FAILED = ['125', 'handrail itself failed: wrong usage, or what it says'] as const;
export const SIGNAL = ['130', 'SIGINT ended handrail; 129 SIGHUP, 143 SIGTERM'] as const;
export const UNREAD = ['141', 'nobody read the output any more'] as const;
