// Checks that a native file runs on the platform of its package, also on the oldest systems that Node supports.
import { readElf } from './elf.mjs';
import { readMachO } from './mach-o.mjs';

/** The highest glibc version that a native file may require. Every system on which Node 20 runs has a newer one. */
export const GLIBC_FLOOR = [2, 17];
/** The oldest macOS that Node 20 runs on. */
export const MACOS_FLOOR = [11, 0];

const ELF_MACHINE = { x64: 62, arm64: 183 };
const ELF_SHARED = 3;
const ELF_FIXED = 2;
const MACH_CPU = { x64: 0x01000007, arm64: 0x0100000c };
const MACH_PROGRAM = 2;
const MACH_LOADABLE = [6, 8];

/** Libraries that exist on every system with Node, also in slim container images. */
const LIBRARIES = {
  glibc: /^(lib(c|m)\.so\.6|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1|libgcc_s\.so\.1|ld-linux-[\w-]+\.so\.\d)$/,
  musl: /^(libc\.so|libc\.musl-\w+\.so\.1|libgcc_s\.so\.1)$/,
  darwin: /^\/(usr\/lib|System\/Library)\//,
};
const LOADER = { glibc: /\/ld-linux-[\w-]+\.so\.\d$/, musl: /^\/lib\/ld-musl-\w+\.so\.1$/ };

const isAbove = ([major, minor], [floorMajor, floorMinor]) =>
  major > floorMajor || (major === floorMajor && minor > floorMinor);

const unexpectedLibraries = (names, allowed) =>
  names.filter((name) => !allowed.test(name)).map((name) => `it needs ${name}, which is not on every machine`);

/** The number of a version such as `GLIBC_2.17`; infinity for one without a number, such as GLIBC_PRIVATE, which is never allowed. */
function glibcNumber(version) {
  const [major, minor = 0] = version.slice('GLIBC_'.length).split('.').map(Number);
  return major >= 0 ? [major, minor] : [Number.POSITIVE_INFINITY, 0];
}

function glibcProblems(versions, libc) {
  const glibc = versions.filter((version) => version.startsWith('GLIBC_'));
  const numbers = new Map(glibc.map((version) => [version, glibcNumber(version)]));
  const [newest] = glibc.sort((a, b) => (isAbove(numbers.get(a), numbers.get(b)) ? -1 : 1));
  if (newest === undefined) return [];
  if (libc === 'musl') return [`it is for musl and asks for ${newest}`];
  const isNewer = isAbove(numbers.get(newest), GLIBC_FLOOR);
  return isNewer ? [`it asks for ${newest}, above the floor of ${GLIBC_FLOOR.join('.')}`] : [];
}

function elfProblems(bytes, { cpu, libc }, isProgram) {
  const elf = readElf(bytes);
  const problems = [...unexpectedLibraries(elf.needed, LIBRARIES[libc]), ...glibcProblems(elf.versions, libc)];
  if (elf.machine !== ELF_MACHINE[cpu]) problems.push(`it is for machine ${elf.machine}, not ${cpu}`);
  if (isProgram && !(elf.starts && [ELF_FIXED, ELF_SHARED].includes(elf.type))) problems.push('it is no program');
  if (!isProgram && (elf.type !== ELF_SHARED || elf.interpreter)) problems.push('it is no shared library');
  if (elf.interpreter && !LOADER[libc].test(elf.interpreter)) {
    problems.push(`it is for ${libc} and asks for the loader ${elf.interpreter}`);
  }
  // A statically linked program needs no library, but a shared library always needs the C library.
  if (!isProgram && elf.needed.length === 0) problems.push('it names no C library');
  return problems;
}

function machProblems(bytes, { cpu }, isProgram) {
  const file = readMachO(bytes);
  const problems = unexpectedLibraries(file.libraries, LIBRARIES.darwin);
  if (file.cpu !== MACH_CPU[cpu]) problems.push(`it is for cpu 0x${file.cpu.toString(16)}, not ${cpu}`);
  if (isProgram && file.type !== MACH_PROGRAM) problems.push('it is no program');
  if (!isProgram && !MACH_LOADABLE.includes(file.type)) problems.push('it is no library');
  if (cpu === 'arm64' && !file.signed) problems.push('it is not signed, and macOS on arm64 starts nothing unsigned');
  if (!file.oldest) problems.push('it does not say which macOS it is for');
  else if (isAbove(file.oldest, MACOS_FLOOR)) {
    problems.push(`it is for macOS ${file.oldest.join('.')}, above the floor of ${MACOS_FLOOR.join('.')}`);
  }
  return problems;
}

/**
 * @param {Buffer} bytes a native file
 * @param {import('../lib/package/targets.mjs').Target} target
 * @param {'program' | 'library'} kind
 * @returns {string[]} one sentence per problem
 */
export function binaryProblems(bytes, target, kind) {
  try {
    return (target.os === 'darwin' ? machProblems : elfProblems)(bytes, target, kind === 'program');
  } catch (error) {
    return [`it cannot be read: ${error.message}`];
  }
}
