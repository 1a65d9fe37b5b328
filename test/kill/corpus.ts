import { soakSize } from '../support/soak.js';

/** A command that tries to leave something behind. `MARK` is replaced by a unique `sleep` argument. */
export interface Escape {
  readonly name: string;
  readonly script: string;
  /** Milliseconds; needed when the command does not end by itself. */
  readonly deadlineMs?: number;
  readonly status: 'exited' | 'timed_out';
  /** What the output so far must hold. */
  readonly output?: string;
  /** Whether a runner that only kills the process group leaves something alive. */
  readonly survivesGroupKill: boolean;
}

/** For commands that end by themselves: never reached. */
export const AMPLE_DEADLINE_MS = 300_000;
export const GRACE_MS = 200;

/** The benchmark times it with more than a test can afford. */
export function manyDescendants(count: number): Escape {
  return {
    name: `${count.toLocaleString('en-US')} descendants`,
    script: `for i in $(seq ${count}); do setsid sleep MARK & done; echo kept`,
    status: 'exited',
    output: 'kept\n',
    survivesGroupKill: true,
  };
}

export const ESCAPES: readonly Escape[] = [
  {
    name: 'setsid in the background',
    script: 'echo kept; setsid sleep MARK & sleep MARK',
    deadlineMs: 300,
    status: 'timed_out',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  {
    name: 'env -i setsid',
    script: 'env -i setsid sleep MARK & echo kept; sleep 0.1',
    status: 'exited',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  {
    name: 'double fork into a new session',
    script: '(setsid sh -c "sleep MARK & exit" >/dev/null 2>&1 &) ; sleep 0.1; echo kept',
    status: 'exited',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  {
    name: 'nohup in the background',
    script: 'set -m; nohup sleep MARK >/dev/null 2>&1 & echo kept',
    status: 'exited',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  {
    name: 'ignores SIGTERM',
    script: "trap '' TERM; echo kept; setsid sh -c \"trap '' TERM; sleep MARK; sleep MARK\" & sleep MARK; sleep MARK",
    deadlineMs: 300,
    status: 'timed_out',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  {
    name: 'stops itself',
    script: 'echo kept; setsid sh -c "kill -STOP \\$\\$; sleep MARK" & sleep 0.1; kill -STOP $$; sleep MARK',
    deadlineMs: 400,
    status: 'timed_out',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  {
    name: 'a grandchild keeps standard output open',
    script: '(set -m; setsid sh -c "sleep MARK" &) ; echo kept; sleep 0.1',
    status: 'exited',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  {
    name: 'sleep 300 & echo hi',
    script: 'sleep MARK & echo hi',
    status: 'exited',
    output: 'hi\n',
    // The shell's group is killed by runners that remember to do so after a clean exit; in a group of its own it is not.
    survivesGroupKill: false,
  },
  {
    name: 'kill -9 $PPID',
    script: 'kill -9 $PPID 2>/dev/null; setsid sleep MARK & sleep 0.1; echo kept',
    status: 'exited',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  {
    name: 'kill -STOP $PPID',
    script: 'kill -STOP $PPID 2>/dev/null; setsid sleep MARK & sleep 0.1; echo kept',
    status: 'exited',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  manyDescendants(100),
];

/** A storm needs as many processes at once; where a machine allows fewer, bash waits and tries again for half a minute. */
const DESCENDANTS = soakSize(1_000, 200);
const CHAINS = soakSize(100, 25);

/** They load the machine: to be tried with nothing beside them. */
export const STORMS: readonly Escape[] = [
  manyDescendants(DESCENDANTS),
  {
    name: `${CHAINS} chains of fork and die`,
    // Each link outlives its parent by a moment. The chains end by themselves, for the arm without killing.
    script: `for i in $(seq ${CHAINS}); do setsid bash -c 'i=0; f() { i=$((i+1)); [ $i -lt 20 ] || exit; (sleep 1; f) & exit; }; f' MARK & done; sleep 0.3; echo kept`,
    status: 'exited',
    output: 'kept\n',
    survivesGroupKill: true,
  },
  {
    name: `${CHAINS} chains of fork and die without a pause`,
    script: `for i in $(seq ${CHAINS}); do setsid bash -c 'i=0; f() { i=$((i+1)); [ $i -lt 2000 ] || exit; (f) & exit; }; f' MARK & done; echo kept`,
    status: 'exited',
    output: 'kept\n',
    // Too short-lived to be seen by a scan: only the arm with killing says something.
    survivesGroupKill: false,
  },
];
