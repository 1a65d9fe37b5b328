// Hand-made native files: nothing but what a loader reads to know where they run. They start nowhere.

const BASE = 0x400000;
const HEADER = 64;
const SEGMENT = 56;

/** Strings one after the other, each with an end, and where each starts. */
function stringTable(strings) {
  const places = new Map();
  let at = 1;
  for (const string of strings) {
    places.set(string, at);
    at += Buffer.byteLength(string) + 1;
  }
  return {
    bytes: Buffer.from(`\0${strings.map((string) => `${string}\0`).join('')}`),
    at: (string) => places.get(string),
  };
}

function dynamicSection(entries) {
  const bytes = Buffer.alloc((entries.length + 1) * 16);
  for (const [index, [tag, value]] of entries.entries()) {
    bytes.writeBigUInt64LE(BigInt(tag), index * 16);
    bytes.writeBigUInt64LE(BigInt(value), index * 16 + 8);
  }
  return bytes;
}

/** One library that is asked for all of the versions. */
function versionSection(library, versions, strings) {
  const bytes = Buffer.alloc(16 + versions.length * 16);
  bytes.writeUInt16LE(1, 0);
  bytes.writeUInt16LE(versions.length, 2);
  bytes.writeUInt32LE(strings.at(library), 4);
  bytes.writeUInt32LE(16, 8);
  for (const [index, version] of versions.entries()) {
    bytes.writeUInt32LE(strings.at(version), 16 + index * 16 + 8);
    bytes.writeUInt32LE(index + 1 === versions.length ? 0 : 16, 16 + index * 16 + 12);
  }
  return bytes;
}

/** @param {[type: number, offset: number, bytes: number][]} segments */
function elfHeader({ type, machine, starts }, segments) {
  const header = Buffer.alloc(HEADER + segments.length * SEGMENT);
  header.write('7f454c46020101', 'hex');
  header.writeUInt16LE(type, 16);
  header.writeUInt16LE(machine, 18);
  header.writeBigUInt64LE(starts ? BigInt(BASE) : 0n, 24);
  header.writeBigUInt64LE(BigInt(HEADER), 32);
  header.writeUInt16LE(SEGMENT, 54);
  header.writeUInt16LE(segments.length, 56);
  for (const [index, [kind, offset, length]] of segments.entries()) {
    const at = HEADER + index * SEGMENT;
    header.writeUInt32LE(kind, at);
    header.writeBigUInt64LE(BigInt(offset), at + 8);
    header.writeBigUInt64LE(BigInt(BASE + offset), at + 16);
    header.writeBigUInt64LE(BigInt(length), at + 32);
  }
  return header;
}

/** @param {{machine?: number, type?: number, starts?: boolean, interpreter?: string, needed?: string[], versions?: string[]}} what */
export function fakeElf({ machine = 62, type = 3, starts = false, interpreter, needed = [], versions = [] }) {
  const strings = stringTable([...needed, ...versions]);
  const loader = Buffer.from(interpreter ? `${interpreter}\0` : '');
  const asked = versions.length > 0 ? versionSection(needed[0], versions, strings) : Buffer.alloc(0);
  const start = HEADER + 3 * SEGMENT;
  const [stringsAt, versionsAt] = [start + loader.length, start + loader.length + strings.bytes.length];
  const dynamicAt = versionsAt + asked.length;
  const dynamic = dynamicSection([
    ...needed.map((name) => [1, strings.at(name)]),
    [5, BASE + stringsAt],
    ...(versions.length > 0
      ? [
          [0x6ffffffe, BASE + versionsAt],
          [0x6fffffff, 1],
        ]
      : []),
  ]);
  const size = dynamicAt + dynamic.length;
  // A segment of kind 0 is one that loaders pass over.
  const segments = [
    [1, 0, size],
    [2, dynamicAt, dynamic.length],
    [interpreter ? 3 : 0, start, loader.length],
  ];
  return Buffer.concat([elfHeader({ type, machine, starts }, segments), loader, strings.bytes, asked, dynamic]);
}

function machCommand(type, size, write) {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32LE(type, 0);
  bytes.writeUInt32LE(size, 4);
  write(bytes);
  return bytes;
}

/** @param {{cpu?: number, type?: number, libraries?: string[], signed?: boolean, macos?: [number, number] | null}} what */
export function fakeMachO({
  cpu = 0x0100000c,
  type = 6,
  libraries = ['/usr/lib/libSystem.B.dylib'],
  signed = true,
  macos = [11, 0],
}) {
  const commands = libraries.map((library) =>
    machCommand(0x0c, 64, (bytes) => {
      bytes.writeUInt32LE(24, 8);
      bytes.write(library, 24);
    }),
  );
  if (macos)
    commands.push(machCommand(0x32, 24, (bytes) => bytes.writeUInt32LE((macos[0] << 16) | (macos[1] << 8), 12)));
  if (signed) commands.push(machCommand(0x1d, 16, () => undefined));
  const header = Buffer.alloc(32);
  header.writeUInt32LE(0xfeedfacf, 0);
  header.writeUInt32LE(cpu, 4);
  header.writeUInt32LE(type, 12);
  header.writeUInt32LE(commands.length, 16);
  header.writeUInt32LE(Buffer.concat(commands).length, 20);
  return Buffer.concat([header, ...commands]);
}
