// Reads from a Linux binary (ELF, 64 bit, little endian) the fields that decide on which systems it runs. They are the fields that
// the loader reads, so stripped binaries have them, too.

const MAGIC = '7f454c46';
const CLASS_64 = 2;
const LITTLE_ENDIAN = 1;
const SEGMENT = { load: 1, dynamic: 2, interpreter: 3 };
/** Tags of entries in the dynamic section. */
const DYNAMIC_TAG = { needed: 1, strings: 5, versions: 0x6ffffffe, versionCount: 0x6fffffff };
const DYNAMIC_ENTRY_BYTES = 16;

/**
 * @typedef {object} Elf
 * @property {number} machine e_machine
 * @property {number} type 2 for a program at a fixed address, 3 for a shared object or a position-independent program
 * @property {boolean} starts whether it has an entry point
 * @property {string | undefined} interpreter path of the loader that a program asks for; undefined when linked statically
 * @property {string[]} needed names of the shared libraries it needs
 * @property {string[]} versions symbol versions that it requires of these libraries, e.g. `GLIBC_2.17`
 */

const number = (bytes, at) => Number(bytes.readBigUInt64LE(at));

function stringAt(bytes, at) {
  const end = bytes.indexOf(0, at);
  if (at < 0 || at >= bytes.length || end === -1) throw new RangeError('a name lies outside of the file');
  return bytes.toString('latin1', at, end);
}

function readSegments(bytes) {
  const [start, size, count] = [number(bytes, 32), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * size;
    return {
      type: bytes.readUInt32LE(at),
      offset: number(bytes, at + 8),
      address: number(bytes, at + 16),
      bytes: number(bytes, at + 32),
    };
  });
}

/** The file offset of a virtual address. */
function offsetOf(segments, address) {
  const segment = segments.find(
    (one) => one.type === SEGMENT.load && address >= one.address && address < one.address + one.bytes,
  );
  if (!segment) throw new RangeError(`address ${address} is in no segment`);
  return address - segment.address + segment.offset;
}

/** @returns {Array<[tag: number, value: number]>} */
function readDynamic(bytes, segments) {
  const dynamic = segments.find(({ type }) => type === SEGMENT.dynamic);
  if (!dynamic) return [];
  return Array.from({ length: Math.floor(dynamic.bytes / DYNAMIC_ENTRY_BYTES) }, (_, index) => {
    const at = dynamic.offset + index * DYNAMIC_ENTRY_BYTES;
    return [number(bytes, at), number(bytes, at + 8)];
  });
}

/** Reads two nested linked lists of known lengths: libraries, and the versions required of each. */
function readVersions(bytes, { start, libraries, strings }) {
  const versions = [];
  for (let library = 0, at = start; library < libraries; library += 1) {
    const count = bytes.readUInt16LE(at + 2);
    for (let version = 0, one = at + bytes.readUInt32LE(at + 8); version < count; version += 1) {
      versions.push(stringAt(bytes, strings + bytes.readUInt32LE(one + 8)));
      one += bytes.readUInt32LE(one + 12);
    }
    at += bytes.readUInt32LE(at + 12);
  }
  return versions;
}

export const isElf = (bytes) => bytes.toString('hex', 0, 4) === MAGIC;

/**
 * @param {Buffer} bytes the whole file
 * @returns {Elf}
 * @throws Error when it is no such file, or is inconsistent
 */
export function readElf(bytes) {
  if (!isElf(bytes)) throw new Error('it is no ELF file');
  if (bytes[4] !== CLASS_64 || bytes[5] !== LITTLE_ENDIAN) throw new Error('it is not of 64 bit, little endian');
  const segments = readSegments(bytes);
  const dynamic = readDynamic(bytes, segments);
  const value = (tag) => dynamic.find(([found]) => found === tag)?.[1];
  const interpreter = segments.find(({ type }) => type === SEGMENT.interpreter);
  const place = (tag) => offsetOf(segments, value(tag));
  const strings = value(DYNAMIC_TAG.strings) === undefined ? 0 : place(DYNAMIC_TAG.strings);
  return {
    machine: bytes.readUInt16LE(18),
    type: bytes.readUInt16LE(16),
    starts: number(bytes, 24) !== 0,
    interpreter: interpreter && stringAt(bytes, interpreter.offset),
    needed: dynamic.filter(([tag]) => tag === DYNAMIC_TAG.needed).map(([, at]) => stringAt(bytes, strings + at)),
    versions:
      value(DYNAMIC_TAG.versions) === undefined
        ? []
        : readVersions(bytes, {
            start: place(DYNAMIC_TAG.versions),
            libraries: value(DYNAMIC_TAG.versionCount) ?? 0,
            strings,
          }),
  };
}
