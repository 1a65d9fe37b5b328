import type { Command } from './command.js';
import { CONFIG_OPTIONS, FAILED_CODE, HELP_OPTION, QUIET_OPTION, SIGNAL_CODE, UNREAD_CODE } from './common-options.js';

/** The formats of lists of findings. */
export const FINDING_FORMATS = ['text', 'sarif'] as const;

/** The command `handrail redact`. */
export const REDACT = {
  name: 'redact',
  summary: 'mask the secrets in texts, or say where there are any',
  about:
    'Copies each FILE, or the standard input, to standard output with every secret masked: those the built-in rules ' +
    'find and those you name. A line is written when it has ended, and a prompt after a pause. Colours hide no secret.',
  operands: { usageText: '[FILE...]', completes: 'files' },
  options: [
    { name: 'in-place', kind: 'flag', text: 'replaces each FILE in which there is a secret, whole or not at all' },
    { name: 'check', kind: 'flag', text: 'lists file:line:column: rule instead; exits with 1 when there is one' },
    { name: 'staged', kind: 'flag', text: 'checks what git would commit: for a pre-commit hook' },
    {
      name: 'format',
      kind: 'value',
      value: 'HOW',
      completes: FINDING_FORMATS,
      text: 'of that list: text, or sarif for code scanning',
    },
    {
      name: 'secret-env',
      kind: 'values',
      value: 'A,B',
      completes: 'variables',
      list: true,
      setting: 'none',
      text: 'variables whose values are secrets, in base64 and other forms too',
    },
    {
      name: 'pattern',
      kind: 'values',
      value: 'RE',
      setting: 'none',
      text: "masks what this matches within a line, in the syntax of Rust's regex; can be repeated",
    },
    {
      name: 'rules',
      kind: 'values',
      value: 'FILE',
      completes: 'files',
      setting: 'none',
      text: 'adds rules in the TOML shape of gitleaks; can be repeated',
    },
    { name: 'label', kind: 'flag', setting: 'false', text: 'writes [REDACTED:rule] instead of [REDACTED]' },
    { name: 'report', kind: 'flag', text: 'says on standard error how many secrets there were, by rule' },
    {
      name: 'json',
      kind: 'flag',
      text: 'the report as JSON there; a mistake is {"error":{"code","message"}}',
    },
    ...CONFIG_OPTIONS,
    { ...QUIET_OPTION, text: 'says nothing about terminals, large files and rules' },
    { name: 'fail-on-find', kind: 'flag', text: 'exits with 1 when there was a secret' },
    HELP_OPTION,
  ],
  examples: [
    { line: 'handrail redact build.log > clean.log' },
    { line: 'env | handrail redact --secret-env DEPLOY_KEY --label' },
    { line: 'handrail redact --rules .gitleaks.toml --in-place build.log' },
    { line: 'handrail redact --check --format sarif config.yml > found.sarif' },
  ],
  exitCodes: [
    ['0', 'everything was written, or checked'],
    ['1', 'so it was, and --check, --staged or --fail-on-find found a secret'],
    FAILED_CODE,
    SIGNAL_CODE,
    UNREAD_CODE,
  ],
  errorsTo: 'stderr',
} as const satisfies Command;
