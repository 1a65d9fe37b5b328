/** Secrets in every place of the sandbox for the Agents SDK: what commands write, manifests, states and wrong arguments. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Manifest } from '@openai/agents/sandbox';
import { Redactor } from '../../ts/index.js';
import {
  type HandrailSandboxClient,
  type HandrailSandboxSession,
  handrailSandbox,
} from '../../ts/openai-sandbox/index.js';
import type { Planting } from './files.js';

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

/** Writes the secret in two pieces, so that it stands in no command. */
const writes = (secret: string): string => `printf '%s' ${secret.slice(0, 9)}; echo ${secret.slice(9)}`;

const withClient = (use: (client: HandrailSandboxClient, secret: string) => unknown) =>
  (async (secret) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'handrail-sandbox-leaks-'));
    try {
      const client = handrailSandbox({
        workspaceBaseDir: folder,
        snapshot: { type: 'local', baseDir: path.join(folder, 'snapshots') },
        terminal: { deny: ['rm'], trustInterpreters: ['bash'] },
        redaction: new Redactor({ secrets: { PLANTED: secret } }),
      });
      return await Promise.allSettled([use(client, secret)]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }) satisfies Planting;

const withSession = (
  use: (session: HandrailSandboxSession, secret: string, client: HandrailSandboxClient) => unknown,
) =>
  withClient(async (client, secret) => {
    const session = await client.create();
    try {
      return await Promise.allSettled([use(session, secret, client)]);
    } finally {
      await session.close();
    }
  });

export const SANDBOX_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  handrailSandbox: {
    'an unknown option': (secret) => handrailSandbox(wrong({ [secret]: secret })),
    'a workspace that is not there': (secret) => handrailSandbox({ workspace: `/nowhere/${secret}` }),
    'no port': (secret) => handrailSandbox({ exposedPorts: [wrong(secret)] }),
  },
  'HandrailSandboxClient.capabilities': { 'a client': withClient((client) => client.capabilities().length) },
  'HandrailSandboxClient.create': {
    'an unknown option': withClient((client, secret) => client.create({ options: wrong({ [secret]: secret }) })),
    'archive limits': withClient((client, secret) => client.create({ archiveLimits: wrong({ maxMembers: secret }) })),
    'a file of the host that is not there': withClient((client, secret) =>
      client.create(new Manifest({ entries: { a: { type: 'local_file', src: `/nowhere/${secret}` } } })),
    ),
    'a file of the host in a folder of that name': withClient((client, secret) =>
      client.create(new Manifest({ entries: { [secret]: { type: 'local_dir', src: secret } } })),
    ),
    'a path grant': withClient((client, secret) =>
      client.create(new Manifest({ extraPathGrants: [{ path: `/${secret}`, hostPath: `/x/${secret}` }] })),
    ),
    'an entry of no kind': withClient((client, secret) =>
      client.create(new Manifest({ entries: { a: wrong({ type: secret }) } })),
    ),
    'limits on concurrency': withClient((client, secret) =>
      client.create({ concurrencyLimits: wrong({ manifestEntries: secret }) }),
    ),
  },
  'HandrailSandboxClient.serializeSessionState': {
    'a file of the workspace': withSession(async (session, secret, client) => {
      await session.execCommand({ cmd: `${writes(secret)} > file` });
      return await client.serializeSessionState(session.state);
    }),
    'a store that fails': withSession((session, secret, client) => {
      const fail = (): never => {
        throw Object.assign(new Error(secret), { details: { id: secret }, cause: secret });
      };
      const snapshotSpec = wrong({ type: 'remote', store: { save: fail, load: fail } });
      return client.serializeSessionState({ ...session.state, snapshotSpec });
    }),
    'a workspace that is gone': withSession((session, secret, client) =>
      client.serializeSessionState({ ...session.state, workspaceRootPath: `/nowhere/${secret}` }),
    ),
  },
  'HandrailSandboxClient.deserializeSessionState': {
    'no state': withClient((client, secret) => client.deserializeSessionState({ [secret]: secret })),
    'a workspace': withClient((client, secret) => client.deserializeSessionState({ workspaceRootPath: `/${secret}` })),
    'a manifest': withSession((session, secret, client) =>
      client.deserializeSessionState({
        workspaceRootPath: session.state.workspaceRootPath,
        manifest: { root: session.state.workspaceRootPath, entries: { [`../${secret}`]: { type: secret } } },
      }),
    ),
  },
  'HandrailSandboxClient.canPersistOwnedSessionState': {
    'a state': withSession((session, _, client) => client.canPersistOwnedSessionState(session.state)),
  },
  'HandrailSandboxClient.validateSessionStateForResume': {
    'a workspace': withClient((client, secret) =>
      client.validateSessionStateForResume({ state: wrong({ workspaceRootPath: `/${secret}` }) } as never),
    ),
  },
  'HandrailSandboxClient.resume': {
    'a workspace': withClient((client, secret) => client.resume(wrong({ workspaceRootPath: `/${secret}` }))),
  },
  'HandrailSandboxClient.delete': {
    'a workspace': withClient((client, secret) => client.delete(wrong({ workspaceRootPath: `/${secret}` }))),
  },
  'HandrailSandboxSession.start': { 'a session': withSession((session) => session.start()) },
  'HandrailSandboxSession.running': { 'a session': withSession((session) => session.running()) },
  'HandrailSandboxSession.supportsPty': { 'a session': withSession((session) => session.supportsPty()) },
  'HandrailSandboxSession.exec': {
    'what a command writes': withSession((session, secret) => session.exec({ cmd: writes(secret) })),
    'what is denied': withSession((session, secret) => session.exec({ cmd: `rm ${secret}` })),
  },
  'HandrailSandboxSession.execCommand': {
    'what a command writes': withSession((session, secret) => session.execCommand({ cmd: writes(secret) })),
    'what is denied': withSession((session, secret) => session.execCommand({ cmd: `rm ${secret}` })),
    'a folder that is not there': withSession((session, secret) =>
      session.execCommand({ cmd: 'true', workdir: `/nowhere/${secret}` }),
    ),
  },
  'HandrailSandboxSession.writeStdin': {
    'no session': withSession((session, secret) => session.writeStdin({ sessionId: wrong(secret), chars: secret })),
    'what comes back': withSession(async (session, secret) => {
      await session.execCommand({ cmd: 'cat', tty: true, yieldTimeMs: 250 });
      return await session.writeStdin({ sessionId: 1, chars: `${secret}\n`, yieldTimeMs: 500 });
    }),
    'what comes back without a terminal': withSession(async (session, secret) => {
      await session.execCommand({ cmd: 'read line; echo "$line"', yieldTimeMs: 10 });
      return await session.writeStdin({ sessionId: 1, chars: `${secret}\n`, yieldTimeMs: 20_000 });
    }),
    'what a shell is not sent': withSession(async (session, secret) => {
      await session.execCommand({ cmd: 'bash', yieldTimeMs: 10 });
      return await session.writeStdin({ sessionId: 1, chars: `rm ${secret}\n` });
    }),
  },
  'HandrailSandboxSession.resolveSandboxPath': {
    'a path outside': withSession((session, secret) => session.resolveSandboxPath(`/nowhere/${secret}`)),
  },
  'HandrailSandboxSession.createEditor': {
    'a file that is not there': withSession((session, secret) =>
      session.createEditor().deleteFile({ type: 'delete_file', path: secret }),
    ),
    'a user': withSession((session, secret) => session.createEditor(secret)),
  },
  'HandrailSandboxSession.viewImage': {
    'a file that is not there': withSession((session, secret) => session.viewImage({ path: secret })),
  },
  'HandrailSandboxSession.readFile': {
    'a file that is not there': withSession((session, secret) => session.readFile({ path: secret })),
    'a file outside': withSession((session, secret) => session.readFile({ path: `/nowhere/${secret}` })),
    'what it holds': withSession(async (session, secret) => {
      await session.execCommand({ cmd: `(${writes(secret)}) > file` });
      return Buffer.from(await session.readFile({ path: 'file' })).toString();
    }),
  },
  'HandrailSandboxSession.listDir': {
    'a folder that is not there': withSession((session, secret) => session.listDir({ path: secret })),
  },
  'HandrailSandboxSession.pathExists': {
    'a path outside': withSession((session, secret) => session.pathExists(`/nowhere/${secret}`)),
  },
  'HandrailSandboxSession.directoryExists': {
    'a path outside': withSession((session, secret) => session.directoryExists(`/nowhere/${secret}`)),
  },
  'HandrailSandboxSession.materializeEntry': {
    'a path outside': withSession((session, secret) =>
      session.materializeEntry({ path: `../${secret}`, entry: { type: 'file', content: secret } }),
    ),
    'no entry': withSession((session, secret) =>
      session.materializeEntry({ path: 'x', entry: wrong({ type: secret }) }),
    ),
  },
  'HandrailSandboxSession.applyManifest': {
    'a user': withSession((session, secret) => session.applyManifest(new Manifest(), secret)),
  },
  'HandrailSandboxSession.persistWorkspace': {
    'an empty workspace': withSession(async (session) => (await session.persistWorkspace()).length),
  },
  'HandrailSandboxSession.hydrateWorkspace': {
    'no archive': withSession((session, secret) => session.hydrateWorkspace(Buffer.from(secret))),
  },
  'HandrailSandboxSession.setArchiveLimits': {
    'no limits': withSession((session, secret) => session.setArchiveLimits(wrong({ maxMembers: secret }))),
  },
  'HandrailSandboxSession.resolveExposedPort': {
    'no port': withSession((session, secret) => session.resolveExposedPort(wrong(secret))),
  },
  'HandrailSandboxSession.stop': { 'a session': withSession((session) => session.stop()) },
  'HandrailSandboxSession.shutdown': { 'a session': withSession((session) => session.shutdown()) },
  'HandrailSandboxSession.delete': { 'a session': withSession((session) => session.delete()) },
  'HandrailSandboxSession.close': {
    'a call behind it': withSession(async (session, secret) => {
      await session.close();
      return await session.execCommand({ cmd: `echo ${secret}` });
    }),
  },
};
