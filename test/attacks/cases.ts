/** Every attack that the kernel plan is measured against. Rows by kind are in `rows/`. */
import type { Attack } from './attack.js';
import { KEYS } from './rows/keys.js';
import { LOADED } from './rows/loaded.js';
import { NAMES } from './rows/names.js';
import { PROJECTS } from './rows/projects.js';
import { SCRIPTS } from './rows/scripts.js';
import { WRITES } from './rows/writes.js';

export const CASES: readonly Attack[] = [...KEYS, ...NAMES, ...LOADED, ...PROJECTS, ...SCRIPTS, ...WRITES];
