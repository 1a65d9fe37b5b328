import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { type HandrailError, isWithoutNative } from '../errors.js';
import { VERSION } from '../version.js';
import type { NativeBinding } from './binding.js';
import { bindingName, type NativeFolder, nativeFolders, ownPackage, releaseIn } from './installation.js';
import { bindingProblem, missingProblem, releaseProblem, supervisorProblem } from './installation-problems.js';
import { fittingTriple, nativeTriples, type Platform } from './platform.js';

/** The loaded binding and the executable that goes with it. */
export interface Native {
  readonly binding: NativeBinding;
  /** Absolute path of the supervisor executable. */
  readonly supervisorPath: string;
}

/** What the search depends on; replaced by tests only. */
export interface LoadOptions {
  readonly host: Platform;
  /** The folder of the package that the native files belong to. */
  readonly root: string;
  /** Release the native files must have. */
  readonly version: string;
}

const SUPERVISOR_NAME = 'handrail-supervisor';

/**
 * Finds and loads the native files.
 *
 * @throws HandrailError `ERR_NOT_SUPPORTED`, `ERR_NATIVE_MISSING` or `ERR_NATIVE_VERSION`; each
 * message says what is wrong, why it is likely so and what to do.
 */
export function findNative(options: LoadOptions): Native {
  const triples = nativeTriples(options.host);
  const found = nativeFolders(options.root, triples);
  const chosen = found.length > 1 ? fitting(found) : found[0];
  if (chosen === undefined) throw missingProblem(options.root, fittingTriple(triples), options.version);
  if (chosen.isPackage) assertRelease(releaseIn(chosen.folder), chosen, options);

  const binding = loadBinding(chosen, triples, options);
  assertRelease(binding.version(), chosen, options);
  const supervisorPath = path.join(chosen.folder, SUPERVISOR_NAME);
  assertExecutable(supervisorPath);
  return { binding, supervisorPath };
}

/** An installer that knows nothing of C libraries installs both. */
function fitting(found: readonly NativeFolder[]): NativeFolder | undefined {
  const triple = fittingTriple(found.map((folder) => folder.triple));
  return found.find((folder) => folder.triple === triple);
}

function assertRelease(found: string | undefined, { triple }: NativeFolder, { root, version }: LoadOptions): void {
  if (found !== version) throw releaseProblem(root, triple, version, found);
}

function loadBinding(
  { folder, triple }: NativeFolder,
  triples: readonly string[],
  options: LoadOptions,
): NativeBinding {
  const file = path.join(folder, bindingName(triple));
  try {
    return createRequire(import.meta.url)(file) as NativeBinding;
  } catch (cause) {
    throw bindingProblem(options.root, file, triple, fittingTriple(triples), options.version, cause);
  }
}

/** Whoever has not the right to run it learns so now, not with the first command. */
function assertExecutable(file: string): void {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status?.isFile() !== true) throw supervisorProblem(file, undefined, undefined);
  try {
    accessSync(file, constants.X_OK);
  } catch (cause) {
    throw supervisorProblem(file, status.mode, cause);
  }
}

/**
 * A loaded addon is process-wide whatever is done here; keeping the answer spares the file checks.
 * It is the same for every caller and holds no configuration.
 */
let loaded: Native | undefined;

/** Why there are none. Files that appear later are for the next process: redactors of this one are in the WASM module. */
let absent: HandrailError | undefined;

/** The native files of this installation, loaded on first use. Importing Handrail loads nothing. */
export function loadNative(): Native {
  if (absent !== undefined) throw absent;
  try {
    loaded ??= findNative({
      host: { platform: process.platform, arch: process.arch },
      root: ownPackage(),
      version: VERSION,
    });
    return loaded;
  } catch (error) {
    if (isWithoutNative(error)) absent = error;
    throw error;
  }
}
