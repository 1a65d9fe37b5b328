/** Problems of an installation, as errors that name the package, the likely cause and the remedy. */
import path from 'node:path';
import { HandrailError } from '../errors.js';
import { installedTriples, isBundled, isCheckout, packageName } from './installation.js';

const ANY_EXECUTE_BIT = 0o111;

/** The package for this machine is not installed. */
export function missingProblem(root: string, triple: string, version: string): HandrailError {
  const others = installedTriples(root);
  const data = { package: packageName(triple), platform: triple, looked: [root] };
  if (isCheckout(root)) {
    const message =
      `The native files of handrail for this machine (${triple}) were not built. ` +
      'Run `npm run build` in the checkout.';
    return new HandrailError('ERR_NATIVE_MISSING', message, { data });
  }
  if (isBundled(root)) {
    const message =
      `handrail's native files for this machine (${triple}) cannot be found from ${root}. Most likely a bundler has ` +
      'put this code into another file. Mark handrail as external, and install it beside the bundle.';
    return new HandrailError('ERR_NATIVE_MISSING', message, { data });
  }
  const cause =
    others.length > 0
      ? `${others.map(packageName).join(' and ')} ${others.length === 1 ? 'is' : 'are'} there instead: most likely ` +
        'node_modules was copied from another machine, or the lock file was made on one'
      : 'Most likely it was left out by --omit=optional or --no-optional, or by a lock file that was made on another ' +
        'platform';
  return new HandrailError(
    'ERR_NATIVE_MISSING',
    `The package ${packageName(triple)}@${version}, which holds handrail's native files for this machine, is not ` +
      `installed. ${cause}. ${installRemedy(triple, version)}`,
    { data },
  );
}

/** The package is of another release than this code. */
export function releaseProblem(
  root: string,
  triple: string,
  version: string,
  found: string | undefined,
): HandrailError {
  const what = isCheckout(root) ? 'The native binding' : `The package ${packageName(triple)}`;
  const remedy = isCheckout(root) ? 'Run `npm run build` in the checkout.' : installRemedy(triple, version);
  if (found === undefined) {
    const message = `${what} is damaged: its package.json does not say its release. ${remedy}`;
    return new HandrailError('ERR_NATIVE_MISSING', message, {
      data: { package: packageName(triple), platform: triple, looked: [root] },
    });
  }
  return new HandrailError(
    'ERR_NATIVE_VERSION',
    `${what} is of release ${found}, handrail is ${version}; they must be equal. Most likely an update was cut ` +
      `short, or one of them is pinned. ${remedy}`,
    { data: { expected: version, found } },
  );
}

/** The binding exists, and the loader of the system refuses it. */
export function bindingProblem(
  root: string,
  file: string,
  triple: string,
  fitting: string,
  version: string,
  cause: unknown,
): HandrailError {
  const said = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
  if (isForbidden(cause)) {
    const message =
      `The native binding ${path.basename(file)} may not be loaded: this process runs under Node's permission model. ` +
      'Give it --allow-addons.';
    return new HandrailError('ERR_NATIVE_MISSING', message, { data: { looked: [file] }, cause });
  }
  const why =
    triple === fitting
      ? 'Most likely the file is damaged, the C library of this system is older than glibc 2.17, or the folder is on a ' +
        'file system that is mounted noexec'
      : `It is for ${triple}, this machine is ${fitting}: most likely node_modules was copied, or the lock file was made ` +
        'on another platform';
  const remedy = isCheckout(root) ? 'Run `npm run build` in the checkout.' : installRemedy(fitting, version);
  return new HandrailError(
    'ERR_NATIVE_MISSING',
    `The native binding ${path.basename(file)} is there but could not be loaded (${said}). ${why}. ${remedy}`,
    { data: { package: packageName(fitting), platform: fitting, looked: [file] }, cause },
  );
}

function isForbidden(cause: unknown): boolean {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return code === 'ERR_DLOPEN_DISABLED' || code === 'ERR_ACCESS_DENIED';
}

/**
 * The supervisor cannot be executed.
 *
 * @param mode Its file mode. Undefined when it does not exist, or is no file.
 */
export function supervisorProblem(file: string, mode: number | undefined, cause: unknown): HandrailError {
  const name = `The executable ${path.basename(file)}, which starts and ends all commands,`;
  return new HandrailError('ERR_NATIVE_MISSING', `${name} ${supervisorState(file, mode)}`, {
    data: { looked: [file] },
    cause,
  });
}

function supervisorState(file: string, mode: number | undefined): string {
  if (mode === undefined) {
    return 'is missing beside the native binding. Most likely a packaging step dropped it. Reinstall handrail.';
  }
  if ((mode & ANY_EXECUTE_BIT) === 0) {
    return `has lost its run bit. Most likely an archive or a copy dropped it. Run \`chmod +x ${file}\`, or reinstall handrail.`;
  }
  return (
    'may not be executed by this process. Most likely its folder is on a file system that is mounted noexec, or ' +
    'belongs to another user. Install handrail where programs may be executed.'
  );
}

function installRemedy(triple: string, version: string): string {
  return (
    'Remove node_modules and install again on this machine with optional dependencies; or add the one package: ' +
    `\`npm install ${packageName(triple)}@${version}\`.`
  );
}
