/** Servers that real clients are tried with. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { LIVENESS_MS } from '../support/liveness.js';
import { sleep } from '../support/processes.js';
import { freePort } from '../support/redis.js';

const NOBODY = 65534;
const PAUSE_MS = 20;
const isRoot = process.getuid?.() === 0;

/** Where a server program is; these are in no search path of an ordinary user. */
export function serverProgram(name: string): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(':'),
    '/usr/sbin',
    ...versions.map((version) => `/usr/lib/postgresql/${version}/bin`),
  ];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Writes a package for npm, pip and cargo, and a repository of git, into a folder that a server shows. */
export function writePackages(files: string, folder: string): void {
  const write = (name: string, content: string): void => {
    mkdirSync(path.dirname(name), { recursive: true });
    writeFileSync(name, content);
  };
  const pack = (into: string, top: string): void => {
    mkdirSync(path.dirname(into), { recursive: true });
    execFileSync('tar', ['-czf', into, '-C', folder, top]);
  };
  write(path.join(folder, 'package/package.json'), '{"name":"demo","version":"1.0.0"}');
  write(path.join(folder, 'package/index.js'), '// from npm\n');
  pack(path.join(files, 'npm/demo-1.0.0.tgz'), 'package');

  const manifest = '[package]\nname = "demo"\nversion = "1.0.0"\nedition = "2021"\n';
  write(path.join(folder, 'demo-1.0.0/Cargo.toml'), manifest);
  write(path.join(folder, 'demo-1.0.0/src/lib.rs'), '// from cargo\n');
  const crate = path.join(files, 'crates/demo.crate');
  pack(crate, 'demo-1.0.0');
  const cksum = createHash('sha256').update(readFileSync(crate)).digest('hex');
  write(path.join(files, 'index/config.json'), '{"dl":"https://{HOST}/crates/{crate}.crate"}');
  const entry = { name: 'demo', vers: '1.0.0', deps: [], cksum, features: {}, yanked: false };
  write(path.join(files, 'index/de/mo/demo'), JSON.stringify(entry));

  const wheel = 'demo-1.0.0-py3-none-any.whl';
  write(path.join(files, 'simple/demo/index.html'), `<a href="${wheel}">${wheel}</a>`);
  const parts = {
    'demo.py': '# from pip\n',
    'demo-1.0.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: demo\nVersion: 1.0.0\n',
    'demo-1.0.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    'demo-1.0.0.dist-info/RECORD': '',
  };
  const zip =
    'import json, sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as z:\n  [z.writestr(*part) for part in json.loads(sys.argv[2]).items()]';
  execFileSync('python3', ['-c', zip, path.join(files, 'simple/demo', wheel), JSON.stringify(parts)]);
}

/** A server in a process of its own. */
export interface ServerProcess extends AsyncDisposable {
  readonly port: number;
}

async function serve(file: string, args: (port: number) => string[], uid?: number): Promise<ServerProcess> {
  const port = await freePort();
  const as = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(file, args(port), { stdio: ['ignore', 'ignore', 'pipe'], ...as, cwd: '/' });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said += bytes.toString('utf8');
  });
  const ended = once(child, 'exit');
  const started = performance.now();
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() - started > LIVENESS_MS) throw new Error(`${file}: ${said}`);
    await sleep(PAUSE_MS);
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** A server of `ssh` for this very user, and the keys with which one enters. */
export interface SshServer extends ServerProcess {
  readonly key: string;
  readonly publicKey: string;
}

/** Starts one with the keys in this folder, which are made first. */
export async function sshServer(folder: string): Promise<SshServer> {
  const [host, user] = ['host', 'user'].map((name) => path.join(folder, name)) as [string, string];
  for (const file of [host, user].filter((name) => !existsSync(name))) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  }
  const settings = {
    HostKey: host,
    AuthorizedKeysFile: `${user}.pub`,
    StrictModes: 'no',
    UsePAM: 'no',
    PidFile: 'none',
    PermitRootLogin: 'yes',
    ListenAddress: '127.0.0.1',
  };
  // What the package's unit makes before it starts the server.
  if (isRoot) mkdirSync('/run/sshd', { recursive: true });
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const program = serverProgram('sshd') ?? 'sshd';
  const server = await serve(program, (port) => ['-D', '-e', '-f', '/dev/null', '-p', String(port), ...options]);
  return { ...server, key: readFileSync(user, 'utf8'), publicKey: readFileSync(`${host}.pub`, 'utf8') };
}

/** Starts a PostgreSQL with a user `test` that needs no password. It refuses to run as root. */
export function postgresServer(folder: string): Promise<ServerProcess> {
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => serverProgram(name) ?? name) as [string, string];
  const uid = isRoot ? NOBODY : undefined;
  mkdirSync(folder);
  if (uid !== undefined) chownSync(folder, uid, uid);
  chmodSync(folder, 0o700);
  const as = uid === undefined ? {} : { uid, gid: uid };
  const options = ['-D', folder, '-U', 'test', '-A', 'trust', '-N', '--no-instructions'];
  execFileSync(initdb, options, { stdio: 'ignore', cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...as });
  const quiet = ['-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1'];
  return serve(postgres, (port) => ['-D', folder, '-p', String(port), ...quiet], uid);
}

/** The name of the user who runs the servers. */
export const LOGIN = os.userInfo().username;
