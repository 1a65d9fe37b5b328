import { type KernelAttack, rows } from '../kernel-attack.js';

const device = rows({ confine: { writes: 'none', network: 'none' }, effect: 'said', anywhere: true });
const loop = rows({ confine: { writes: 'roots' }, effect: 'said', root: true, anywhere: true });

/** Terminals of the user and devices of the machine. */
export const DEVICE_ATTACKS: readonly KernelAttack[] = [
  device('terminal-frozen', 'the output of a terminal is stopped', ['device', 'freeze', '{TERMINAL}']),
  device('terminal-read', 'what is typed into a terminal', ['device', 'read', '{TERMINAL}']),
  device('terminal-written', 'a prompt that the terminal’s program did not write', ['device', 'write', '{TERMINAL}']),
  device('terminal-modes', 'how a terminal behaves after the run', ['device', 'modes', '{TERMINAL}']),
  loop('loop', 'a loop device by read-only descriptors', ['device', 'loop', '/dev/loop-control']),
  loop('block-device', 'a device that file systems lie on', ['device', 'open', '{BLOCK}']),
];
