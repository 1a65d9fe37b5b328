import { RUN } from '../attack.js';
import { type KernelAttack, rows } from '../kernel-attack.js';

const execute = rows({ confine: { exec: 'listed' }, effect: 'ran' });
const LOADER = '/lib64/ld-linux-x86-64.so.2';
const COPY = 'cp /usr/bin/touch copy';

/** Programs that are not listed, started by the one that is. */
export const EXECUTE_ATTACKS: readonly KernelAttack[] = [
  execute('plain', 'execve', ['execute', 'plain', '/usr/bin/touch', '{RAN}']),
  execute('loader', 'the loader is given the program', ['env', LOADER, '/usr/bin/touch', '{RAN}'], {
    needs: ['env', LOADER],
  }),
  execute('loader-copy', 'the loader is given a copy in the workspace', ['env', LOADER, '{WORK}/copy', '{RAN}'], {
    needs: ['env', LOADER],
    setup: COPY,
  }),
  execute('preload', 'a library of the workspace in front of all others', ['env', 'LD_PRELOAD={LIB}', 'env']),
  execute('audit', 'a library of the workspace that watches the loader', ['env', 'LD_AUDIT={LIB}', 'env']),
  execute('opened', 'a library of the workspace, opened by an interpreter', [
    'python3',
    '-c',
    'import ctypes; ctypes.CDLL("{LIB}")',
  ]),
  execute('copy', 'a copy in the workspace', ['env', '{WORK}/copy', '{RAN}'], { setup: COPY }),
  execute('copy-by-link', 'a copy under the name of a listed program', ['env', '{WORK}/env/env', '{RAN}'], {
    setup: 'mkdir env; cp /usr/bin/touch env/env',
  }),
  execute('hard-link', 'a hard link in the workspace', ['env', '{WORK}/linked', '{RAN}'], {
    root: true,
    // Only on one file system; elsewhere a bind mount does the same.
    needs: ['env', 'mount', 'umount'],
    setup: ': > linked; mount --bind /usr/bin/touch linked',
    cleanup: 'umount linked',
  }),
  execute('copy-temporary', 'a copy in the temporary folder', ['execute', 'temporary', '/usr/bin/touch', '{RAN}']),
  execute('copy-memory', 'a copy in /dev/shm', ['execute', 'shared-memory', '/usr/bin/touch', '{RAN}']),
  execute('memory', 'a copy in memory, by its descriptor', ['execute', 'memory', '/usr/bin/touch', '{RAN}']),
  execute('memory-path', 'a copy in memory, by /proc/self/fd', ['execute', 'memory-path', '/usr/bin/touch', '{RAN}']),
  execute('descriptor', 'a program by its descriptor', ['execute', 'descriptor', '/usr/bin/touch', '{RAN}']),
  execute('descriptor-path', 'a program by a descriptor that only names it', [
    'execute',
    'at',
    '/usr/bin/touch',
    '{RAN}',
  ]),
  execute('input', 'the standard input, made executable', ['execute', 'input'], { input: RUN }),
  execute('script', 'a script of the workspace with a first line', ['env', '{WORK}/x'], { files: { x: RUN } }),
  execute(
    'script-of-shell',
    'a script without a first line, which env hands to no shell but execvp does',
    ['find', '/dev/null', '-exec', '{WORK}/x', ';'],
    { files: { x: '#! /bin/sh\n: >{RAN}\n' } },
  ),
  execute('perl', 'exec of Perl', ['perl', '-e', 'exec "touch", "{RAN}"']),
  execute('perl-shell', 'a shell of Perl', ['perl', '-e', 'system "touch {RAN} "']),
  execute('perl-pipe', 'a file name of Perl', ['perl', '-e', 'open F, "touch {RAN}|"; <F>']),
  execute('python', 'a process of Python', ['python3', '-c', 'import os; os.execvp("touch", ["touch", "{RAN}"])']),
  execute('node', 'a process of Node', [
    'node',
    '-e',
    'require("node:child_process").execFileSync("touch", ["{RAN}"])',
  ]),
  execute('git-alias', 'an alias of git', ['git', '-c', 'alias.x=!touch {RAN}', 'x']),
  execute('git-ssh', 'a program for the connections of git', [
    'git',
    '-c',
    'core.sshCommand=touch {RAN};',
    'ls-remote',
    'ssh://h/x',
  ]),
  execute('find', 'find -exec', ['find', '/dev/null', '-exec', 'touch', '{RAN}', ';']),
  execute('awk', 'system() of awk', ['awk', 'BEGIN { system("touch {RAN}") }']),
  execute('awk-pipe', 'a pipe of awk', ['awk', 'BEGIN { print | "touch {RAN}" }']),
  execute('sed', 'the e of sed', ['sed', '1e touch {RAN}', 'a'], { files: { a: 'a\n' } }),
  execute('make', 'a recipe', ['make', '-f', 'm'], { files: { m: 'all:\n\ttouch {RAN}\n' } }),
  execute('make-direct', 'a recipe that make starts itself', ['make', '-f', 'm'], {
    files: { m: 'SHELL = {WORK}/x\nall:\n\ttouch it;\n', x: RUN },
  }),
  execute(
    'tar',
    'an action at a checkpoint',
    ['tar', 'cf', '/dev/null', '--checkpoint=1', '--checkpoint-action=exec=touch {RAN}', 'a'],
    { files: { a: 'a\n' } },
  ),
  execute('tar-program', 'a program that packs', ['tar', '-cf', 'b', '-I', 'touch {RAN};', 'a'], {
    files: { a: 'a\n', b: '' },
  }),
  execute('xargs', 'xargs', ['xargs', 'touch'], { input: '{RAN}' }),
  execute(
    'sort',
    'a program that packs what sort puts aside',
    ['sort', '-S1', '--batch-size=2', '--compress-program={WORK}/x', 'a'],
    { files: { x: RUN }, setup: 'seq 20000 > a' },
  ),
  execute('split', 'a filter of split', ['split', '--filter=touch {RAN}', 'a'], { files: { a: 'a\n' } }),
  execute('ssh', 'a command in the place of a connection', ['ssh', '-o', 'ProxyCommand=touch {RAN}', 'h']),
  execute('vim', 'a command of an editor', ['vim', '-nes', '-u', 'NONE', '-c', '!touch {RAN}', '-c', 'q!']),
  execute('gdb', 'a command of a debugger', ['gdb', '-nx', '-batch', '-ex', 'shell touch {RAN}']),
  execute('interpreter-line', 'a script whose first line names a copy', ['env', '{WORK}/x'], {
    files: { x: '#!{WORK}/copy {RAN}\n' },
    setup: COPY,
  }),
];
