// The platforms that Handrail is published for. Everything that names a platform takes it from here.

/**
 * @typedef {object} Target
 * @property {string} triple as npm packages and Node name it, also in the names of the native files
 * @property {string} rust as rustc and cargo name it
 * @property {'linux' | 'darwin'} os `process.platform`
 * @property {'x64' | 'arm64'} cpu `process.arch`
 * @property {'glibc' | 'musl'} [libc] undefined where there is only one
 */

/** @type {readonly Target[]} */
export const TARGETS = Object.freeze([
  { triple: 'linux-x64-gnu', rust: 'x86_64-unknown-linux-gnu', os: 'linux', cpu: 'x64', libc: 'glibc' },
  { triple: 'linux-x64-musl', rust: 'x86_64-unknown-linux-musl', os: 'linux', cpu: 'x64', libc: 'musl' },
  { triple: 'linux-arm64-gnu', rust: 'aarch64-unknown-linux-gnu', os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { triple: 'linux-arm64-musl', rust: 'aarch64-unknown-linux-musl', os: 'linux', cpu: 'arm64', libc: 'musl' },
  { triple: 'darwin-x64', rust: 'x86_64-apple-darwin', os: 'darwin', cpu: 'x64' },
  { triple: 'darwin-arm64', rust: 'aarch64-apple-darwin', os: 'darwin', cpu: 'arm64' },
]);

/** Name of the package with the native files of a platform. */
export const nativePackageName = (triple) => `@handrail/native-${triple}`;

/** Name of the file with the binding of a platform. */
export const bindingName = (triple) => `handrail.${triple}.node`;
