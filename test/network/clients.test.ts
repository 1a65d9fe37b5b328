/** Real clients and real servers: what is allowed is served, what is not is refused. As root and as an ordinary user. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { hostProgram, USERS } from '../attacks/hosts.js';
import { isRequired } from '../support/programs.js';
import { HAS_REDIS, RedisServer } from '../support/redis.js';
import { ALLOWED, CLIENTS, type Client, REFUSED } from './clients.js';
import type { ClientAnswer, ClientRun, ClientsRequest } from './clients-host.js';
import { type Internet, internet, writeRepository } from './host.js';
import { LOGIN, postgresServer, type ServerProcess, serverProgram, sshServer, writePackages } from './servers.js';

const host = await hostProgram<ClientsRequest, ClientAnswer[]>('../network/clients-host.ts');
// Where another user may enter.
const folder = mkdtempSync('/tmp/handrail-real-clients-');
const files = path.join(folder, 'files');
const HAS_SSH = serverProgram('sshd') !== undefined && serverProgram('ssh') !== undefined;
const HAS_POSTGRES = serverProgram('postgres') !== undefined && serverProgram('psql') !== undefined;

/** Two servers of each kind: the port of one is allowed, that of the other is not. */
const ports: Record<string, [listed: number, unlisted: number]> = {};
const open: AsyncDisposable[] = [];
let net: Internet;
let request: Omit<ClientsRequest, 'network' | 'runs'>;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  mkdirSync(files);
  writePackages(files, mkdtempSync(path.join(folder, 'packages-')));
  writeRepository(path.join(files, 'repository.git'));
  const ssh = HAS_SSH ? await sshServer(folder) : undefined;
  net = await internet(files, folder, ssh === undefined ? {} : { ':22': ssh.port });
  open.push(net);
  if (ssh !== undefined) await addServers('ssh', ssh, () => sshServer(folder));
  if (HAS_POSTGRES) {
    const [one, other] = ['postgres-1', 'postgres-2'].map((name) => path.join(folder, name)) as [string, string];
    await addServers('psql', await postgresServer(one), () => postgresServer(other));
  }
  if (HAS_REDIS) await addServers('redis-cli', await redis(), redis);
  const known = [ALLOWED, REFUSED].map((name) => `${name} ${ssh?.publicKey.trim()}\n`).join('');
  request = {
    proxy: net.proxy,
    texts: { CERTIFICATE: net.certificate, KEY: ssh?.key ?? '', KNOWN: known },
    places: { LOGIN, FILES: files },
  };
});

afterAll(async () => {
  for (const server of open) await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function addServers(kind: string, listed: ServerProcess, next: () => Promise<ServerProcess>): Promise<void> {
  const unlisted = await next();
  open.push(listed, unlisted);
  ports[kind] = [listed.port, unlisted.port];
}

async function redis(): Promise<ServerProcess> {
  const server = new RedisServer();
  await server.start();
  return { port: server.port, [Symbol.asyncDispose]: () => server.remove() };
}

/** The ports of the servers that a client is tried with. */
const portsOf = ({ id }: Client): readonly [listed: number, unlisted: number] =>
  ports[id.split(' ')[0] ?? ''] ?? [0, 0];

const runOf = (client: Client, isListed: boolean): ClientRun => ({
  client,
  host: isListed ? ALLOWED : REFUSED,
  port: portsOf(client)[isListed ? 0 : 1],
});

/** Whether this user can start a program: tool chains in the home of another cannot be entered. */
function canStart(uid: number, program: string): boolean {
  if (serverProgram(program) === undefined) return false;
  const as = process.getuid?.() === uid ? {} : { uid, gid: uid };
  try {
    execFileSync('bash', ['-c', `command -v ${program}`], { ...as, stdio: 'ignore', cwd: '/' });
    return true;
  } catch {
    return program === 'sshd' || program === 'postgres';
  }
}

for (const [name, has] of [
  ['sshd', HAS_SSH],
  ['postgres', HAS_POSTGRES],
] as const) {
  it.runIf(isRequired(name))(`there is ${name}, as HANDRAIL_REQUIRE_${name.toUpperCase()} says`, () => {
    expect(has).toBe(true);
  });
}

describe.each(USERS)('as uid %i', (uid) => {
  const clients = CLIENTS.filter(
    ({ needs, isSlow = false }) => needs.every((program) => canStart(uid, program)) && (!isSlow || uid === USERS[0]),
  );
  const listed = (): string[] => [
    ALLOWED,
    `${ALLOWED}:22`,
    ...Object.values(ports).map(([port]) => `localhost:${port}`),
  ];

  it('the clients of this machine are tried', () => {
    expect(clients.map(({ id }) => id)).toEqual(expect.arrayContaining(['git clone over https']));
  });

  it('what is allowed is served', async () => {
    const runs = clients.map((client) => runOf(client, true));
    for (const { id, ok, output } of await host(uid, { ...request, network: listed(), runs })) {
      const { served } = CLIENTS.find((client) => client.id === id) as Client;
      expect({ id, ok, output }).toEqual({ id, ok: true, output: expect.stringMatching(served) });
    }
  });

  it('what is not allowed is refused, the client says why, and without the guard it is served', async () => {
    const runs = clients.map((client) => runOf(client, false));
    const asked = net.asked.length;
    for (const { id, ok, output, blocked } of await host(uid, { ...request, network: listed(), runs })) {
      const { refused, isByProxy } = CLIENTS.find((client) => client.id === id) as Client;
      expect({ id, ok, output }).toEqual({ id, ok: false, output: expect.stringMatching(refused) });
      if (isByProxy) {
        expect({ id, blocked }).toEqual({ id, blocked: [expect.stringMatching(/^network: other\.example\.com:/)] });
      }
    }
    expect(net.asked.slice(asked)).toEqual([]);
    // ssh knows the machine's proxy as little as ours, so for ssh the guard is off where the list names the other host.
    const lifted = [...listed(), `${REFUSED}:22`];
    for (const [network, isWanted] of [
      ['any', (id: string) => id !== 'ssh' && id !== 'git clone over ssh'],
      [lifted, (id: string) => id === 'ssh' || id === 'git clone over ssh'],
    ] as const) {
      const wanted = runs.filter(({ client }) => isWanted(client.id));
      for (const { id, ok, output } of await host(uid, { ...request, network, runs: wanted })) {
        const { served } = CLIENTS.find((client) => client.id === id) as Client;
        expect({ id, ok, output }).toEqual({ id, ok: true, output: expect.stringMatching(served) });
      }
    }
  });

  it.runIf(HAS_SSH)(
    'under a list of programs, where roots alone are read, ssh needs no shell, and its shell starts none',
    async () => {
      const ssh = CLIENTS.find(({ id }) => id === 'ssh') as Client;
      const shell = {
        id: 'shell',
        command: "python3 -c \"import os; os.execv(os.environ['SHELL'], [os.environ['SHELL'], '-c', 'echo ran'])\"",
      };
      const runs = [runOf(ssh, true), { client: shell, host: ALLOWED, port: 0 }];
      const [reached, started] = await host(uid, { ...request, network: listed(), runs, listed: ['ssh', 'python3'] });
      expect(reached).toMatchObject({ ok: true, output: expect.stringMatching(ssh.served) });
      expect(started).toMatchObject({ ok: false, output: expect.stringContaining('handrail: Permission denied') });
    },
  );
});
