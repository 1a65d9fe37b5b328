import type { Option } from './command.js';

/** The option `--help`, which every command has. */
export const HELP_OPTION: Option = { name: 'help', short: 'h', kind: 'flag', text: 'this text' };

/** The options of every command that reads settings. */
export const CONFIG_OPTIONS = [
  {
    name: 'config',
    kind: 'value',
    value: 'FILE',
    completes: 'files',
    text: 'settings from FILE, else handrail.toml; --no-config: none',
  },
  { name: 'no-config', kind: 'flag', text: 'settings from no file', hasRow: false },
] as const satisfies readonly Option[];

/** The option `--quiet`: a command says nothing about itself. */
export const QUIET_OPTION = { name: 'quiet', short: 'q', kind: 'flag' } as const;

/** Exit codes with their meanings, which several commands share. */
export const FAILED_CODE = ['125', 'handrail itself failed: wrong usage, or what it says'] as const;
export const SIGNAL_CODE = ['130', 'SIGINT ended handrail; 129 SIGHUP, 143 SIGTERM'] as const;
export const UNREAD_CODE = ['141', 'nobody read the output any more'] as const;
