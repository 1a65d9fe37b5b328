// Reads from a macOS binary (Mach-O, 64 bit, one architecture) the fields that decide on which systems it runs.

const MAGIC = 0xfeedfacf;
const HEADER_BYTES = 32;
const COMMAND = { load: 0x0c, signature: 0x1d, oldVersion: 0x24, loadWeak: 0x80000018, version: 0x32 };

/**
 * @typedef {object} MachO
 * @property {number} cpu cputype
 * @property {number} type 2 for a program, 6 for a library, 8 for a bundle
 * @property {string[]} libraries paths of the libraries it needs
 * @property {boolean} signed macOS ends unsigned programs on arm64 at once
 * @property {[major: number, minor: number] | undefined} oldest the first macOS that it runs on
 */

/** A packed version: 16 bits for the major number, 8 for the minor, 8 for the patch number. */
const version = (packed) => [packed >>> 16, (packed >>> 8) & 0xff];

function readCommands(bytes) {
  const commands = [];
  const end = HEADER_BYTES + bytes.readUInt32LE(20);
  for (let at = HEADER_BYTES, commandsLeft = bytes.readUInt32LE(16); commandsLeft > 0; commandsLeft -= 1) {
    const size = bytes.readUInt32LE(at + 4);
    if (size < 8 || at + size > end || end > bytes.length) throw new RangeError('a command lies outside of the file');
    commands.push({ type: bytes.readUInt32LE(at), body: bytes.subarray(at, at + size) });
    at += size;
  }
  return commands;
}

function libraryOf(body) {
  return body
    .subarray(body.readUInt32LE(8))
    .toString('utf8')
    .replace(/\0[\s\S]*$/, '');
}

export const isMachO = (bytes) => bytes.length >= HEADER_BYTES && bytes.readUInt32LE(0) === MAGIC;

/**
 * @param {Buffer} bytes the whole file
 * @returns {MachO}
 * @throws Error when it is no such file, or is inconsistent
 */
export function readMachO(bytes) {
  if (!isMachO(bytes)) throw new Error('it is no Mach-O file of 64 bit');
  const commands = readCommands(bytes);
  const find = (type) => commands.find((command) => command.type === type);
  const oldest = find(COMMAND.version)?.body.readUInt32LE(12) ?? find(COMMAND.oldVersion)?.body.readUInt32LE(8);
  return {
    cpu: bytes.readUInt32LE(4),
    type: bytes.readUInt32LE(12),
    libraries: commands
      .filter(({ type }) => type === COMMAND.load || type === COMMAND.loadWeak)
      .map(({ body }) => libraryOf(body)),
    signed: find(COMMAND.signature) !== undefined,
    oldest: oldest === undefined ? undefined : version(oldest),
  };
}
