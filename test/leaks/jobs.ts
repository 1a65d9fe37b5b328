/** Secrets in every place of jobs: what is sent, what commands write, and wrong options. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as handrail from '../../ts/index.js';
import type { Planting } from './files.js';

const { createToolkit, Redactor } = handrail;

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

/** Writes the secret in two pieces, so that it stands in no command. */
const writes = (secret: string): string => `printf '%s' ${secret.slice(0, 9)}; echo ${secret.slice(9)}`;

const withJobs = (use: (jobs: handrail.Jobs, secret: string) => unknown) =>
  (async (secret) => {
    await using toolkit = await createToolkit({
      workspace: '.',
      terminal: { allow: ['printf', 'echo', 'cat'], shell: 'bash' },
      redaction: new Redactor({ secrets: { PLANTED: secret } }),
    });
    return await Promise.allSettled([use(toolkit.jobs, secret)]);
  }) satisfies Planting;

const job = (use: (started: handrail.Job, secret: string) => unknown) =>
  withJobs(async (jobs, secret) => {
    const started = await jobs.start(`${writes(secret)}; cat`);
    await started.wait({ until: { quietMs: 300 } });
    return [await Promise.allSettled([use(started, secret)]), started.read(0), await started.end()];
  });

export const JOB_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  'Jobs.start': {
    'what a command writes': withJobs(async (jobs, secret) => (await jobs.start(writes(secret))).wait()),
    'a program that is not listed': withJobs(async (jobs, secret) => (await jobs.start(`rm ${secret}`)).result),
    'an unknown option': withJobs((jobs, secret) => jobs.start('echo', wrong({ [secret]: secret }))),
    'no command': withJobs((jobs, secret) => jobs.start(wrong({ secret }))),
  },
  'Jobs.get': { 'no name': withJobs((jobs, secret) => jobs.get(wrong([secret]))) },
  'Jobs.list': { 'no jobs': withJobs((jobs) => jobs.list()) },
  'Jobs.[asyncIterator]': {
    'a job that wrote it': withJobs(async (jobs, secret) => {
      const ended = jobs[Symbol.asyncIterator]().next();
      await jobs.start(writes(secret));
      return (await ended).value?.result;
    }),
  },
  'Job.wait': {
    'what a command wrote': job((started) => started.wait({ timeoutMs: 0 })),
    'an unknown option': job((started, secret) => started.wait(wrong({ [secret]: secret }))),
    'a text that does not come': job((started) => started.wait({ until: { text: 'never' }, timeoutMs: 0 })),
  },
  'Job.read': { 'no position': job((started, secret) => started.read(wrong(secret))) },
  'Job.send': {
    'what comes back': job(async (started, secret) => {
      await started.send(`${secret}\n`);
      return await started.wait({ until: { text: '\n' } });
    }),
    'no string': job((started, secret) => started.send(wrong([secret]))),
    'a job that has ended': job(async (started, secret) => {
      await started.end();
      return await started.send(secret);
    }),
  },
  'Job.commit': {
    'a job without a layer': job((started, secret) => started.commit(wrong({ [secret]: secret }))),
    'names of files, and options': async (secret) => {
      const workspace = mkdtempSync(path.join(tmpdir(), 'handrail-leaks-'));
      await using toolkit = await createToolkit({
        workspace,
        changes: 'staged',
        terminal: { allow: ['echo', 'cat'], shell: 'bash' },
        redaction: new Redactor({ secrets: { PLANTED: secret } }),
      });
      const started = await toolkit.jobs.start(`echo ours > ${secret}; cat`);
      await started.wait({ until: { quietMs: 300 } });
      const commits = [started.commit(wrong({ [secret]: secret })), started.commit(), started.end()];
      const answers = await Promise.allSettled(commits);
      rmSync(workspace, { recursive: true });
      return answers;
    },
  },
  'Job.end': { 'what a command wrote': job((started) => started.end()) },
  'Job.[asyncDispose]': { 'what a command wrote': job((started) => started[Symbol.asyncDispose]()) },
};
