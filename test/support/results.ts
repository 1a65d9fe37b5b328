/** Command results for tests of rendering and auditing. */
import type { CommandResult } from '../../ts/report/result.js';

const EXITED: CommandResult = {
  status: 'exited',
  ok: true,
  exitCode: 0,
  signal: null,
  timedOut: false,
  truncated: false,
  output: '',
  stdout: '',
  stderr: '',
  durationMs: 12.4,
  bytes: { stdout: 0, stderr: 0, kept: 0, omitted: 0 },
  redactions: 0,
  decision: { decision: 'allow', reasons: [] },
  sandbox: { profile: 'default', enforced: ['landlock'] },
  survivors: [],
  usage: { userMs: 0, systemMs: 0, maxRssBytes: 0 },
};

/** The result of a command with exit code 0 and no output, with the given changes. */
export function commandResult(changes: Partial<CommandResult>): CommandResult {
  return { ...EXITED, ...changes } as CommandResult;
}

/** The result of a command that was denied for these reasons. */
export function denied(...reasons: CommandResult['decision']['reasons']): CommandResult {
  return commandResult({
    status: 'denied',
    ok: false,
    exitCode: null,
    durationMs: 0,
    decision: { decision: 'deny', reasons },
  });
}
