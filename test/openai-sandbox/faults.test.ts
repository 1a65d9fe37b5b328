import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Runner, setTracingDisabled } from '@openai/agents';
import {
  Capabilities,
  Manifest,
  SandboxAgent,
  type SandboxSession,
  type SandboxSessionState,
} from '@openai/agents/sandbox';
import { UnixLocalSandboxClient } from '@openai/agents/sandbox/local';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { end, living, marker, sleep, until } from '../support/processes.js';
import { removeSandboxes, temporaryFolder, testClient } from './support.js';

afterAll(removeSandboxes);

beforeAll(() => setTracingDisabled(true));

/** A session that has not closed by then does not close by itself. */
const CLOSE_MS = 30_000;

type Session = SandboxSession<SandboxSessionState & { readonly workspaceRootPath: string }>;

/** What a fault is looked for with: a session, and a run of the SDK in it whose signal is given. */
interface Subject {
  readonly session: Session;
  run(cmd: string, signal: AbortSignal): Promise<unknown>;
}

/** A command and its output without the header. */
async function output(session: Session, cmd: string, options: { readonly yieldTimeMs?: number } = {}): Promise<string> {
  const text = (await session.execCommand?.({ cmd, yieldTimeMs: 20_000, ...options })) ?? '';
  return text.slice(text.indexOf('Output:\n') + 'Output:\n'.length);
}

/** Starts a command that does not end by itself, closes the session, and says whether anything of it lives on. */
async function leavesAfterClose({ session }: Subject, command: (mark: string) => string): Promise<boolean> {
  const mark = marker();
  const started = output(session, command(mark), { yieldTimeMs: 600_000 }).catch(() => '');
  await until(() => living(`sleep ${mark}`).length > 0);
  const closing = Promise.resolve(session.close?.());
  // Theirs may wait without end for a pipe that somebody left behind holds.
  await Promise.race([closing, sleep(CLOSE_MS)]);
  const left = living(mark);
  let isOver = false;
  const over = Promise.all([closing, started]).then(() => {
    isOver = true;
  });
  await until(() => {
    end(living(mark));
    return isOver;
  });
  await over;
  return left.length > 0;
}

/** The faults of the SDK's local sandbox, each as a question that is answered with whether it is there. */
const FAULTS: Readonly<Record<string, (subject: Subject) => Promise<boolean>>> = {
  'holds the answer until a background child has ended': async ({ session }) => {
    await output(session, '(sleep 1; echo > late) & echo started');
    return existsSync(path.join(session.state.workspaceRootPath, 'late'));
  },
  'leaves a process of its own session behind when it is closed': (subject) =>
    leavesAfterClose(subject, (mark) => `setsid sleep ${mark} < /dev/null > /dev/null 2>&1 & sleep ${mark}`),
  'leaves the running command behind when it is closed': (subject) =>
    leavesAfterClose(subject, (mark) => `trap "" TERM; sleep ${mark}; echo`),
  'goes on with a command whose run was aborted': async ({ session, run }) => {
    const at = (name: string): string => path.join(session.state.workspaceRootPath, name);
    const controller = new AbortController();
    const running = run('echo > began; sleep 1.5; echo > ended', controller.signal).catch(() => undefined);
    await until(() => existsSync(at('began')));
    controller.abort();
    await running;
    return existsSync(at('ended'));
  },
  'runs a start-up file of the workspace in every command': async ({ session }) => {
    writeFileSync(path.join(session.state.workspaceRootPath, '.bash_profile'), 'echo from-profile\n');
    return (await output(session, 'echo hello')).includes('from-profile');
  },
  'lets the model write a start-up file': async ({ session }) => {
    const operation = { type: 'create_file', path: '.bash_profile', diff: '+echo x\n' } as const;
    await Promise.resolve(session.createEditor?.().createFile(operation)).catch(() => undefined);
    return existsSync(path.join(session.state.workspaceRootPath, '.bash_profile'));
  },
  'rewrites /workspace in commands and outputs': async ({ session }) =>
    (await output(session, 'printf %s /workspace | wc -c')).trim() !== '10',
  'gives the model a million characters': async ({ session }) =>
    (await output(session, 'seq 1 300000')).length > 1_000_000,
  "shows the host's environment": async ({ session }) =>
    Number(await output(session, 'cat /proc/$PPID/environ 2> /dev/null | wc -c')) > 0,
  'shows a secret of the manifest': async ({ session }) =>
    (await output(session, 'echo $DEPLOY')).includes('correct-horse-9'),
};

const MANIFEST = new Manifest({ environment: { DEPLOY: 'correct-horse-9' } });

async function subjectOf(whose: 'theirs' | 'ours'): Promise<Subject> {
  const ours = testClient();
  const theirs = new UnixLocalSandboxClient({ workspaceBaseDir: temporaryFolder(), defaultShell: '/bin/bash' });
  const session: Session = whose === 'ours' ? await ours.create(MANIFEST) : await theirs.create(MANIFEST);
  const capabilities = whose === 'ours' ? ours.capabilities() : Capabilities.default();
  return {
    session,
    async run(cmd, signal) {
      const call = functionCall('exec_command', { cmd, yield_time_ms: 600_000 }, { callId: 'call-1' });
      const model = new ScriptedModel([[call], [assistantMessage('done')]]);
      const agent = new SandboxAgent({ name: 'Test', model, capabilities });
      const sandbox = whose === 'ours' ? { client: ours, session } : { client: theirs, session };
      return await new Runner({ sandbox, model } as ConstructorParameters<typeof Runner>[0]).run(agent, 'go', {
        signal,
      });
    },
  };
}

describe.each(['theirs', 'ours'] as const)('the sandbox that is %s', (whose) => {
  it.each(Object.entries(FAULTS))('%s', async (_name, hasFault) => {
    const subject = await subjectOf(whose);
    try {
      expect(await hasFault(subject)).toBe(whose === 'theirs');
    } finally {
      await subject.session.close?.();
    }
  });
});
