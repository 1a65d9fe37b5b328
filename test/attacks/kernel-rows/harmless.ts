import { type KernelAttack, rows } from '../kernel-attack.js';

const PLAN = { confine: { writes: 'roots', exec: 'listed', network: 'none' }, effect: 'ran' } as const;
const harmless = rows({ ...PLAN, anywhere: true });
/** The first version of Landlock moves nothing to another folder; without a namespace memory has no name, and no terminal is made. */
const newer = rows(PLAN);

/** What has to work under every plan of the attacks: without it, a plan would pass by stopping everything. */
export const HARMLESS: readonly KernelAttack[] = [
  harmless('writes-inside', 'a file in the workspace', ['tee', '{RAN}'], { input: 'x\n' }),
  harmless('writes-deep', 'a file in a folder of the workspace', ['mkdir', '-p', 'a/b', '{RAN}']),
  harmless('writes-nowhere', 'the null device', ['tee', '/dev/null', '{RAN}']),
  newer('moves-inside', 'a file is moved from folder to folder', ['mv', 'a/b', '{RAN}'], { files: { 'a/b': '' } }),
  newer(
    'renames-inside',
    'a file is renamed into another folder, without a copy',
    ['perl', '-e', 'rename "a/b", "{RAN}" or die'],
    { files: { 'a/b': '' } },
  ),
  newer('hard-links-inside', 'a hard link in another folder', ['ln', 'a/b', '{RAN}'], { files: { 'a/b': '' } }),
  newer('shares-memory', 'memory and semaphores by name', [
    'python3',
    '-c',
    'import multiprocessing; multiprocessing.Lock(); open("{RAN}", "w")',
  ]),
  harmless('links-inside', 'a link in the workspace that leads to a place in it', ['tee', '{WORK}/link'], {
    setup: 'ln -s {RAN} link',
  }),
  harmless('temporary', 'a file in the temporary folder', [
    'perl',
    '-e',
    'open A, ">", "$ENV{TMPDIR}/a" or die; open B, ">", "{RAN}" or die',
  ]),
  harmless('listed-starts-listed', 'a listed program starts another', ['find', '.', '-exec', 'touch', '{RAN}', ';'], {
    allow: ['find', 'touch'],
    needs: ['find', 'touch'],
  }),
  harmless('make-listed', 'make with its shell and its program listed', ['make', '-f', 'm'], {
    allow: ['make', 'sh', 'touch'],
    files: { m: 'all:\n\ttouch {RAN}; true\n' },
  }),
  harmless('git-listed', 'git with what belongs to it', ['git', 'init', '-q', '--template=', '{RAN}']),
  harmless('perl-file', 'an interpreter writes a file', ['perl', '-e', 'open F, ">", "{RAN}"']),
  harmless('python-file', 'an interpreter writes a file', ['python3', '-c', 'open("{RAN}", "w")']),
  harmless('node-file', 'an interpreter with threads writes a file', [
    'node',
    '-e',
    'require("node:fs").writeFileSync("{RAN}", "")',
  ]),
  harmless('socket-pair', 'a pair of sockets of its own', [
    'python3',
    '-c',
    'import socket; a, b = socket.socketpair(); a.sendall(b"x"); b.recv(1); open("{RAN}", "w")',
  ]),
  harmless('interfaces', 'the interfaces of the network are listed', [
    'node',
    '-e',
    'require("node:os").networkInterfaces(); require("node:fs").writeFileSync("{RAN}", "")',
  ]),
  harmless('own-limit', 'its own limits', ['prlimit', '--nofile=50:50', 'touch', '{RAN}'], {
    allow: ['prlimit', 'touch'],
  }),
  harmless('own-nice', 'its own weight', ['nice', '-n', '5', 'touch', '{RAN}'], { allow: ['nice', 'touch'] }),
  harmless('own-ioprio', 'its own weight at disks', ['ionice', '-c', '3', 'touch', '{RAN}'], {
    allow: ['ionice', 'touch'],
  }),
  harmless('own-affinity', 'its own processors', [
    'python3',
    '-c',
    'import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); open("{RAN}", "w")',
  ]),
  harmless('devices', 'the devices that keep nothing', [
    'python3',
    '-c',
    'import os; os.read(os.open("/dev/urandom", os.O_RDONLY), 1); os.isatty(os.open("/dev/null", os.O_RDWR)); open("{RAN}", "w")',
  ]),
  newer('own-terminal', 'a terminal that it makes', [
    'python3',
    '-c',
    'import os; a, b = os.openpty(); os.isatty(b) and os.open(os.ttyname(b), os.O_RDWR); os.write(a, b"x\\n"); os.read(b, 2); open("{RAN}", "w")',
  ]),
];
