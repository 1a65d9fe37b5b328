/** Real clients, what each is asked to do, and what it says when the host is not allowed. */

/** The name that is allowed, and one that is not. */
export const ALLOWED = 'packages.example.com';
export const REFUSED = 'other.example.com';

/**
 * A client. `{HOST}` stands for the name of a server, `{PORT}` for the port of a server of this kind on this machine, `{TO}` for
 * a new folder, `{FILES}` for what the servers show, `{LOGIN}` for who runs them, `{KEY}` and `{KNOWN}` for files of `ssh`.
 */
export interface Client {
  readonly id: string;
  /** What has to be there; without, the row is not tried. */
  readonly needs: readonly string[];
  /** Files of the directory in which it runs. */
  readonly files?: Readonly<Record<string, string>>;
  /** A script. */
  readonly command: string;
  /** What it prints when it was served. */
  readonly served: RegExp;
  /** What it prints when the host is not allowed: the reason, where the client shows one. */
  readonly refused: RegExp;
  /** Whether it goes through the proxy, which says why it refuses. */
  readonly isByProxy: boolean;
  /** Whether one user is enough: it takes long, and differs from another row in nothing that depends on the user. */
  readonly isSlow?: boolean;
}

const NOT_ALLOWED = /other\.example\.com:\d+ is not allowed \(network\.allow\)/;
/** Nothing listens at a port of the loopback of its own. */
const UNREACHABLE = /Connection refused|Connection closed/;
const SSH = 'ssh -i {KEY} -o UserKnownHostsFile={KNOWN} -o BatchMode=yes';

export const CLIENTS: readonly Client[] = [
  {
    id: 'npm ci',
    needs: ['npm'],
    files: {
      'package.json': '{"name":"app","version":"1.0.0","dependencies":{"demo":"1.0.0"}}',
      'package-lock.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: {
          '': { name: 'app', version: '1.0.0', dependencies: { demo: '1.0.0' } },
          'node_modules/demo': { version: '1.0.0', resolved: 'https://{HOST}/npm/demo-1.0.0.tgz' },
        },
      }),
    },
    command:
      'npm ci --no-audit --no-fund --fetch-retries=0 --registry=https://{HOST}/npm/ && cat node_modules/demo/index.js',
    served: /from npm/,
    refused: NOT_ALLOWED,
    isByProxy: true,
    isSlow: true,
  },
  {
    id: 'pip install',
    needs: ['pip'],
    command:
      'pip install --no-input --disable-pip-version-check --retries 1 --no-deps --target {TO} --index-url https://{HOST}/simple/ demo && cat {TO}/demo.py',
    served: /from pip/,
    refused: NOT_ALLOWED,
    isByProxy: true,
    isSlow: true,
  },
  {
    id: 'cargo fetch',
    needs: ['cargo'],
    files: {
      'Cargo.toml':
        '[package]\nname = "app"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\ndemo = { version = "1.0.0", registry = "test" }\n',
      'src/lib.rs': '',
    },
    command:
      'export CARGO_NET_RETRY=0 CARGO_REGISTRIES_TEST_INDEX=sparse+https://{HOST}/index/; cargo fetch && cat "$HOME"/.cargo/registry/src/*/demo-1.0.0/src/lib.rs',
    served: /from cargo/,
    refused: /403/,
    isByProxy: true,
    isSlow: true,
  },
  {
    id: 'git clone over https',
    needs: ['git'],
    command: 'git clone -q https://{HOST}/repository.git {TO} && git -C {TO} log --format=%s',
    served: /first/,
    refused: /403/,
    isByProxy: true,
  },
  {
    id: 'git clone over ssh',
    needs: ['git', 'ssh', 'sshd'],
    command: `export GIT_SSH_COMMAND='${SSH}'; git clone -q "ssh://{LOGIN}@{HOST}:22{FILES}/repository.git" {TO} && git -C {TO} log --format=%s`,
    served: /first/,
    refused: NOT_ALLOWED,
    isByProxy: true,
  },
  {
    id: 'ssh',
    needs: ['ssh', 'sshd'],
    command: `${SSH} {LOGIN}@{HOST} echo from ssh`,
    served: /from ssh/,
    refused: NOT_ALLOWED,
    isByProxy: true,
  },
  {
    id: 'ssh to a port of this machine',
    needs: ['ssh', 'sshd'],
    command: `${SSH} -o StrictHostKeyChecking=no -p {PORT} {LOGIN}@localhost echo from ssh`,
    served: /from ssh/,
    refused: UNREACHABLE,
    isByProxy: false,
  },
  {
    id: 'psql',
    needs: ['psql', 'postgres'],
    command: 'psql -h 127.0.0.1 -p {PORT} -U test -d postgres -Atc "select 6 * 7 as answer"',
    served: /^42$/m,
    refused: UNREACHABLE,
    isByProxy: false,
  },
  {
    id: 'redis-cli',
    needs: ['redis-cli', 'redis-server'],
    command: 'redis-cli -h localhost -p {PORT} ping',
    served: /PONG/,
    refused: UNREACHABLE,
    isByProxy: false,
  },
];
