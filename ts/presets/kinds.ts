/** The presets by kind. */
import { GO } from './go.js';
import { NODE } from './node.js';
import type { Preset, ProjectKind } from './preset.js';
import { PYTHON } from './python.js';
import { RUST } from './rust.js';

export const PRESETS: Readonly<Record<ProjectKind, Preset>> = { node: NODE, python: PYTHON, rust: RUST, go: GO };

export const PROJECT_KINDS = Object.keys(PRESETS) as readonly ProjectKind[];
