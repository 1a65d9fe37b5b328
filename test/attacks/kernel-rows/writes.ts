import { type KernelAttack, rows } from '../kernel-attack.js';

const write = rows({ confine: { writes: 'roots' }, effect: 'file', input: 'x\n' });
const change = rows({ confine: { writes: 'roots' }, effect: 'changed', watched: '{KEPT}', input: 'changed\n' });
const mark = rows({ confine: { writes: 'roots', exec: 'any' }, effect: 'marked', watched: '{KEPT}' });
const setting = rows({ confine: { writes: 'roots' }, effect: 'changed', root: true });

/** Writes that leave the roots. */
export const WRITE_ATTACKS: readonly KernelAttack[] = [
  write('outside', 'a path outside', ['tee', '{MARK}']),
  write('outside-any-program', 'a program that is not listed writes outside', ['env', 'tee', '{MARK}'], {
    confine: { writes: 'roots', exec: 'any' },
  }),
  write('link', 'a planted link to a file outside', ['tee', '{WORK}/link'], { setup: 'ln -s {MARK} link' }),
  write('link-folder', 'a planted link to a folder outside', ['tee', '{WORK}/link/mark'], {
    setup: 'ln -s {OUTSIDE} link',
  }),
  write('link-chain', 'a link to a link', ['tee', '{WORK}/b/mark'], { setup: 'ln -s {OUTSIDE} a; ln -s a b' }),
  write('dots', 'out of the workspace by ..', ['tee', '{WORK}/../outside/mark']),
  write('self-root', 'by the root in /proc/self', ['tee', '/proc/self/root{MARK}']),
  write('self-cwd', 'by the directory in /proc/self', ['tee', '/proc/self/cwd/../outside/mark']),
  write('thread-root', 'by the root in /proc/thread-self', ['tee', '/proc/thread-self/root{MARK}']),
  write('bind', 'through a folder outside that is mounted in the workspace', ['tee', '{WORK}/bound/mark'], {
    root: true,
    needs: ['tee', 'mount', 'umount'],
    setup: 'mkdir bound; mount --bind {OUTSIDE} bound',
    cleanup: 'umount bound',
  }),
  write('moved-out', 'a file of the workspace is moved out', ['mv', 'a', '{MARK}'], { files: { a: 'a\n' } }),
  write('linked-out', 'a hard link outside', ['ln', 'a', '{MARK}'], { files: { a: 'a\n' } }),
  write('symbolic-out', 'a symbolic link outside', ['ln', '-s', 'a', '{MARK}']),
  write('folder-out', 'a folder outside', ['mkdir', '{MARK}']),
  write('pipe-out', 'a named pipe outside', ['mkfifo', '{MARK}']),
  write('device-out', 'a device outside', ['mknod', '{MARK}', 'c', '1', '3'], { root: true }),
  write('truncated-out', 'a new file by truncate', ['truncate', '-s', '1', '{MARK}']),
  write('by-copy', 'a file outside by cp', ['cp', 'a', '{MARK}'], { files: { a: 'a\n' } }),
  change('reopened', 'what was opened for reading, again through /proc/self/fd', ['others', 'reopen', '{KEPT}']),
  change('overwritten', 'a file outside that everybody may write', ['tee', '{KEPT}']),
  change('emptied', 'the same file, emptied', ['truncate', '-s', '0', '{KEPT}']),
  change('removed', 'the same file, removed', ['unlink', '{KEPT}']),
  change('swapped', 'another file is put in its place', ['mv', '-f', 'a', '{KEPT}'], { files: { a: 'a\n' } }),
  change('taken', 'it is moved into the workspace', ['mv', '{KEPT}', 'a']),
  change(
    'hard-link-inside',
    'a hard link to it in the workspace, made by the command',
    [
      'find',
      '{KEPT}',
      '-maxdepth',
      '0',
      '-exec',
      'ln',
      '{KEPT}',
      'here',
      ';',
      '-exec',
      'truncate',
      '-s',
      '0',
      'here',
      ';',
    ],
    {
      allow: ['find', 'ln', 'truncate'],
      needs: ['find', 'ln', 'truncate'],
    },
  ),
  mark('mode', 'its mode', ['chmod', '600', '{KEPT}']),
  mark('times', 'its times', ['touch', '-d', '2001-01-01', '{KEPT}']),
  mark('attribute', 'an attribute of it', ['python3', '-c', "import os; os.setxattr('{KEPT}', 'user.a', b'b')"]),
  mark('list', 'who may do what with it', [
    'python3',
    '-c',
    // The list that says what the mode says, and that user 1 may read.
    "import os, struct; e = [(1, 6, -1), (2, 4, 1), (4, 6, -1), (16, 6, -1), (32, 6, -1)]; os.setxattr('{KEPT}', 'system.posix_acl_access', struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *a) for a in e))",
  ]),
  mark('flag', 'a flag of it', ['chattr', '+d', '{KEPT}']),
  setting('sysctl', 'a setting of the kernel', ['tee', '/proc/sys/vm/stat_interval'], {
    watched: '/proc/sys/vm/stat_interval',
    input: '7\n',
  }),
  setting('sysctl-ipv4', 'a setting of its network', ['tee', '/proc/sys/net/ipv4/tcp_fin_timeout'], {
    watched: '/proc/sys/net/ipv4/tcp_fin_timeout',
    input: '59\n',
  }),
  setting('sys', 'a file of /sys', ['tee', '/sys/kernel/mm/ksm/sleep_millisecs'], {
    watched: '/sys/kernel/mm/ksm/sleep_millisecs',
    input: '21\n',
  }),
];
