/** Every attack that has to fail under a kernel plan and works without one. Rows by kind are in `kernel-rows/`. */
import type { KernelAttack } from './kernel-attack.js';
import { DEVICE_ATTACKS } from './kernel-rows/devices.js';
import { EXECUTE_ATTACKS } from './kernel-rows/executes.js';
import { HARMLESS as EVERYDAY } from './kernel-rows/harmless.js';
import { OTHER_ATTACKS } from './kernel-rows/others.js';
import { PLACE_ATTACKS, PLACE_USES } from './kernel-rows/places.js';
import { LOOPBACK_ATTACKS, REACH_ATTACKS } from './kernel-rows/reaches.js';
import { WRITE_ATTACKS } from './kernel-rows/writes.js';

export const KERNEL_ATTACKS: readonly KernelAttack[] = [
  ...WRITE_ATTACKS,
  ...EXECUTE_ATTACKS,
  ...PLACE_ATTACKS,
  ...REACH_ATTACKS,
  ...LOOPBACK_ATTACKS,
  ...DEVICE_ATTACKS,
  ...OTHER_ATTACKS,
];

/** What has to work all the same. */
export const HARMLESS: readonly KernelAttack[] = [...EVERYDAY, ...PLACE_USES];
