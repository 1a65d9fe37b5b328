import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { HandrailError } from '../errors.js';
import { VERSION } from '../version.js';
import type { NativeBinding } from './binding.js';
import { bindingTriples, cLibrary, type Platform } from './platform.js';
import { type RawBinding, readReports } from './raw.js';

/** The loaded binding and the executable that goes with it. */
export interface Native {
  readonly binding: NativeBinding;
  /** Absolute path of the supervisor executable. */
  readonly supervisorPath: string;
}

/** What the search depends on; replaced by tests only. */
export interface LoadOptions {
  readonly host: Platform;
  /** Folders that may hold the native files, best first. */
  readonly folders: readonly string[];
  /** Release the binding must have. */
  readonly version: string;
}

const SUPERVISOR_NAME = 'handrail-supervisor';

const REMEDY =
  'Reinstall handrail on this machine without --omit=optional and without a lock file made on ' +
  'another platform; in a checkout of the repository run `npm run build`';

/**
 * The folders this copy of Handrail takes native code from: the one this file was built into, or,
 * when the sources run directly, the one the build writes to. No environment variable changes
 * this: whoever could set one could load any code into the host.
 */
function nativeFolders(): readonly string[] {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return import.meta.url.endsWith('.ts') ? [path.resolve(here, '../../dist/native')] : [here];
}

/**
 * Finds and loads the native files.
 *
 * @throws HandrailError `ERR_NOT_SUPPORTED`, `ERR_NATIVE_MISSING` or `ERR_NATIVE_VERSION`; each
 * message says what is wrong, why it is likely so and what to do.
 */
export function findNative(options: LoadOptions): Native {
  const triples = bindingTriples(options.host);
  const present = options.folders.flatMap((folder) =>
    triples.map((triple) => path.join(folder, `handrail.${triple}.node`)).filter(existsSync),
  );
  const file = present.length > 1 ? chooseByCLibrary(present) : present[0];
  if (file === undefined) throw missingBinding(options.folders, triples);

  const binding = loadBinding(file);
  const found = binding.version();
  if (found !== options.version) {
    throw new HandrailError(
      'ERR_NATIVE_VERSION',
      `The native binding is of release ${found}, handrail is ${options.version}. ` +
        `Most likely an update was cut short. ${REMEDY}.`,
      { data: { expected: options.version, found } },
    );
  }
  const supervisorPath = path.join(path.dirname(file), SUPERVISOR_NAME);
  assertExecutable(supervisorPath);
  return { binding: readReports(binding), supervisorPath };
}

function chooseByCLibrary(files: readonly string[]): string | undefined {
  const ending = cLibrary() === 'glibc' ? '-gnu.node' : '-musl.node';
  return files.find((file) => file.endsWith(ending)) ?? files[0];
}

function loadBinding(file: string): RawBinding {
  try {
    return createRequire(import.meta.url)(file) as RawBinding;
  } catch (cause) {
    throw new HandrailError(
      'ERR_NATIVE_MISSING',
      `The native binding ${path.basename(file)} is there but could not be loaded. ` +
        `Most likely it was built for another system or C library. ${REMEDY}.`,
      { data: { looked: [file] }, cause },
    );
  }
}

function missingBinding(folders: readonly string[], triples: readonly string[]): HandrailError {
  return new HandrailError(
    'ERR_NATIVE_MISSING',
    `The native binding of handrail (${triples.map((triple) => `handrail.${triple}.node`).join(' or ')}) ` +
      `is missing. Most likely the package was installed for another platform or was not built. ${REMEDY}.`,
    { data: { looked: [...folders] } },
  );
}

function assertExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch (cause) {
    throw new HandrailError(
      'ERR_NATIVE_MISSING',
      `The executable ${SUPERVISOR_NAME}, which starts and ends all commands, is missing or not ` +
        `executable beside the native binding. Most likely a packaging step dropped it. ${REMEDY}.`,
      { data: { looked: [file] }, cause },
    );
  }
}

/**
 * A loaded addon is process-wide whatever is done here; keeping the answer spares the file checks.
 * It is the same for every caller and holds no configuration.
 */
let loaded: Native | undefined;

/** The native files of this installation, loaded on first use. Importing Handrail loads nothing. */
export function loadNative(): Native {
  loaded ??= findNative({
    host: { platform: process.platform, arch: process.arch },
    folders: nativeFolders(),
    version: VERSION,
  });
  return loaded;
}
