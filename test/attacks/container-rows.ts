/** Containers, pods and distributions that take from a host what confinement needs, and attacks that show what is left. */
import { rows } from './kernel-attack.js';
import { EXECUTE_ATTACKS } from './kernel-rows/executes.js';
import { OTHER_ATTACKS } from './kernel-rows/others.js';
import { REACH_ATTACKS } from './kernel-rows/reaches.js';
import { WRITE_ATTACKS } from './kernel-rows/writes.js';

export const NOBODY = 65_534;

/** By the first two cells of a row of docs/containers.md: what `container.c` calls it, and the user. */
export const CONTAINERS: Readonly<Record<string, readonly [row: string, uid: number]>> = {
  'Docker, root': ['docker', 0],
  'Docker, ordinary user': ['docker', NOBODY],
  'Docker with the line for root, root': ['docker-added', 0],
  'Docker with the line for users, ordinary user': ['docker-unconfined', NOBODY],
  'Podman, root': ['podman', 0],
  'Podman, ordinary user': ['podman', NOBODY],
  'Kubernetes (restricted), ordinary user': ['kubernetes', NOBODY],
  'Kubernetes with the line for users, ordinary user': ['kubernetes-added', NOBODY],
  'Ubuntu 24.04, ordinary user': ['ubuntu', NOBODY],
  'A kernel without Landlock, root': ['no-landlock', 0],
  'A kernel without Landlock, ordinary user': ['no-landlock', NOBODY],
};

const LOADER = '/lib64/ld-linux-x86-64.so.2';
const execute = rows({ confine: { exec: 'listed' }, effect: 'ran' });
const EXECUTED = `os.execv("${LOADER}", ["${LOADER}", "/usr/bin/touch", "{RAN}"])`;

/** Ways to hand a program to the loader. */
const LOADER_ATTACKS = [
  execute('loader-link', 'by a link', ['env', '{WORK}/link', '/usr/bin/touch', '{RAN}'], {
    setup: `ln -s ${LOADER} link`,
  }),
  execute('loader-descriptor', 'by a descriptor', [
    'sh',
    '-c',
    `exec 3<${LOADER}; /proc/self/fd/3 /usr/bin/touch {RAN}`,
  ]),
  execute('loader-make', 'by a recipe', ['make', '-f', 'm'], {
    allow: ['make', 'sh'],
    files: { m: `all:\n\t${LOADER} /usr/bin/touch {RAN}; true\n` },
  }),
  execute('loader-vfork', 'by a child that shares the memory of its parent', [
    'python3',
    '-c',
    `import subprocess; subprocess.run(["${LOADER}", "/usr/bin/touch", "{RAN}"])`,
  ]),
  execute('loader-thread', 'by a thread', [
    'python3',
    '-c',
    `import os, threading, time; threading.Thread(target=lambda: ${EXECUTED}).start(); time.sleep(1)`,
  ]),
];

const named = (all: typeof WRITE_ATTACKS, ids: readonly string[]) => all.filter(({ id }) => ids.includes(id));
const other = rows({ confine: {}, effect: 'victim' });

const works = rows({ confine: { exec: 'listed' }, effect: 'said' });

/** What the watch over programs must not disturb: many at once, signals meanwhile, stops, calls that fail, tracers of the run. */
export const WATCHED_USES = [
  works('uses-many', 'many programs at once', ['bash', '-c', 'seq 60 | xargs -P 8 -n 1 env true && echo done'], {
    allow: ['bash', 'seq', 'xargs', 'env', 'true'],
  }),
  works(
    'uses-signals',
    'signals while programs are executed',
    [
      'python3',
      '-c',
      [
        'import signal, subprocess',
        'signal.signal(signal.SIGALRM, lambda *a: None)',
        'signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)',
        'codes = [subprocess.run(["true"]).returncode for _ in range(50)]',
        'signal.setitimer(signal.ITIMER_REAL, 0)',
        'print("done" if not any(codes) else codes)',
      ].join('\n'),
    ],
    { allow: ['python3', 'true'] },
  ),
  works(
    'uses-stops',
    'jobs that stop and go on',
    ['bash', '-c', 'set -m; for i in 1 2 3; do env sleep 0.1 & kill -STOP %%; kill -CONT %%; done; wait && echo done'],
    { allow: ['bash', 'env', 'sleep'] },
  ),
  works('uses-failures', 'programs that are not executed', ['bash', '-c', './none; ./a; env true && echo done'], {
    allow: ['bash', 'env', 'true'],
    files: { a: 'text\n' },
  }),
  works(
    'uses-thread',
    'a thread that executes a program',
    [
      'python3',
      '-c',
      'import os, threading, time; threading.Thread(target=lambda: os.execvp("echo", ["echo", "done"])).start(); time.sleep(1)',
    ],
    { allow: ['python3', 'echo'] },
  ),
  works('uses-tracer', 'a tracer of its own', ['strace', '-f', '-o', '/dev/null', 'env', 'echo', 'done'], {
    allow: ['strace', 'env', 'echo'],
  }),
];

/** By the guarantee that stops them. */
export const CONTAINER_ATTACKS = {
  writes: named(WRITE_ATTACKS, ['outside', 'link', 'moved-out', 'overwritten', 'removed', 'mode', 'attribute']),
  exec: [
    ...named(EXECUTE_ATTACKS, ['plain', 'loader', 'loader-copy', 'preload', 'copy', 'memory', 'make']),
    ...LOADER_ATTACKS,
  ],
  network: named(REACH_ATTACKS, ['tcp', 'udp', 'unix-stream', 'abstract-stream', 'listening', 'io_uring']),
  host: named(OTHER_ATTACKS, ['limit', 'oom', 'users']),
  remove: [
    rows({ confine: { remove: 'no' }, effect: 'changed' })('unlink', 'a file of the workspace', ['unlink', 'kept'], {
      files: { kept: 'kept\n' },
      watched: '{WORK}/kept',
    }),
  ],
  signals: [other('killed', 'a process of the host is ended', ['sh', '-c', 'kill -KILL {VICTIM}'])],
  environ: [
    rows({ confine: {}, effect: 'said' })('environ', 'variables of a process of the host', [
      'python3',
      '-c',
      'open("/proc/{HOST}/environ").read(); print("done")',
    ]),
  ],
} as const;
