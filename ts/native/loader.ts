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

/** The input of the search for native files. Only tests give another one. */
export interface LoadOptions {
  readonly host: Platform;
  /** The folder of the package that the native files belong to. */
  readonly root: string;
  /** The release that the native files must have. */
  readonly version: string;
}

const SUPERVISOR_NAME = 'handrail-supervisor';

/**
 * Finds and loads the native files.
 *
 * @throws HandrailError `ERR_NOT_SUPPORTED`, `ERR_NATIVE_MISSING` or `ERR_NATIVE_VERSION`; each
 * message has the problem, its likely cause and the remedy.
 */
export function findNative(options: LoadOptions): Native {
  const triples = nativeTriples(options.host);
  const folders = nativeFolders(options.root, triples);
  const chosen = folders.length > 1 ? folderForCLibrary(folders) : folders[0];
  if (chosen === undefined) throw missingProblem(options.root, fittingTriple(triples), options.version);
  if (chosen.isPackage) assertRelease(releaseIn(chosen.folder), chosen, options);

  const binding = loadBinding(chosen, triples, options);
  assertRelease(binding.version(), chosen, options);
  const supervisorPath = path.join(chosen.folder, SUPERVISOR_NAME);
  assertExecutable(supervisorPath);
  return { binding, supervisorPath };
}

/** The folder for the C library of this process, where an installer that cannot tell C libraries apart has installed both. */
function folderForCLibrary(folders: readonly NativeFolder[]): NativeFolder | undefined {
  const triple = fittingTriple(folders.map((folder) => folder.triple));
  return folders.find((folder) => folder.triple === triple);
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

/** Throws now where this process may not execute the file, instead of with the first command. */
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
 * The native files, once they were loaded. A loaded addon is shared by the whole process in any case; this spares the file
 * checks. It is the same for every caller and has no configuration.
 */
let loaded: Native | undefined;

/** Why there are no native files. Files that appear later are ignored: redactors of this process are in the WASM module. */
let absentError: HandrailError | undefined;

/** The native files of this installation, loaded on first use. Importing Handrail loads nothing. */
export function loadNative(): Native {
  if (absentError !== undefined) throw absentError;
  try {
    loaded ??= findNative({
      host: { platform: process.platform, arch: process.arch },
      root: ownPackage(),
      version: VERSION,
    });
    return loaded;
  } catch (error) {
    if (isWithoutNative(error)) absentError = error;
    throw error;
  }
}
