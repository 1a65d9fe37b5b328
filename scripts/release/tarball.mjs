// Reads a tarball before it is published: a gzipped tar file (ustar) as `npm pack` writes it. The gate has to see the same files as
// npm, so a tarball that two readers could read differently is refused.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;
/** `ustar`, a zero byte, and the version `00`. Without it, some readers ignore the prefix of a path. */
const MAGIC = { from: 257, value: 'ustar\u000000' };
const CHECKSUM = { from: 148, length: 8 };
const PLAIN_FILE = '0';
/** The folder that all files of a package are in. */
const TOP_FOLDER = 'package/';
/** Packages of Handrail have a few megabytes unpacked. */
const MAX_UNPACKED_BYTES = 256 * (1 << 20);

/**
 * @typedef {object} PackedFile
 * @property {string} path below the package, with `/`
 * @property {number} mode permission bits
 * @property {Buffer} bytes
 */

const isZero = (bytes) => bytes.every((byte) => byte === 0);

/** A text field that is padded with zeros. Other bytes after the first zero are refused, as readers differ on them. */
function text(header, from, length) {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  if (end === -1) return field.toString();
  if (!isZero(field.subarray(end))) throw new Error('a text of the tar file goes on behind its end');
  return field.toString('utf8', 0, end);
}

function octal(header, from, length) {
  const field = header.toString('latin1', from, from + length);
  const digits = /^ *([0-7]+)[\0 ]*$/.exec(field)?.[1];
  if (digits === undefined) throw new Error('a number of the tar file is none');
  return Number.parseInt(digits, 8);
}

/** The sum of all header bytes, with the checksum field counted as spaces. */
function checksum(header) {
  const blank = Buffer.from(header).fill(' ', CHECKSUM.from, CHECKSUM.from + CHECKSUM.length);
  return blank.reduce((total, byte) => total + byte, 0);
}

function ustarPath(header) {
  const prefix = text(header, 345, 155);
  return prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
}

/** Checks that only zeros follow the last entry, as readers differ on data after a block of zeros. */
function checkEnd(remaining) {
  if (remaining.length < 2 * BLOCK) throw new Error('the tar file has no end');
  if (!isZero(remaining)) throw new Error('the tar file goes on behind its end');
}

/** The next entry of a tar file, or undefined at its end. */
function readEntry(tar, at) {
  const header = tar.subarray(at, at + BLOCK);
  if (header.length < BLOCK) throw new Error('the tar file has no end');
  if (isZero(header)) return checkEnd(tar.subarray(at));
  if (checksum(header) !== octal(header, CHECKSUM.from, CHECKSUM.length)) throw new Error('a checksum is wrong');
  if (header.toString('latin1', MAGIC.from, MAGIC.from + MAGIC.value.length) !== MAGIC.value) {
    throw new Error('an entry is not of the format ustar');
  }
  const size = octal(header, 124, 12);
  const bytes = tar.subarray(at + BLOCK, at + BLOCK + size);
  const next = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  if (bytes.length !== size) throw new Error('the tar file is cut short');
  return { header, bytes, type: header.toString('latin1', 156, 157), next };
}

/** Gives a plain file. npm packs no links or folders; pax headers (x, g), which could change any field, are refused as well. */
function packedFile({ header, bytes, type }) {
  const path = ustarPath(header);
  if (type !== PLAIN_FILE) throw new Error(`${JSON.stringify(path)} is no plain file (type ${JSON.stringify(type)})`);
  const names = path.split('/');
  const hasPlainCharacters = /^[\x20-\x7e]+$/.test(path) && !path.includes('\\');
  if (!hasPlainCharacters || names.some((name) => ['', '.', '..'].includes(name))) {
    throw new Error(`${JSON.stringify(path)} is no plain path`);
  }
  if (!path.startsWith(TOP_FOLDER)) throw new Error(`${path} is outside of ${TOP_FOLDER}`);
  return { path: path.slice(TOP_FOLDER.length), mode: octal(header, 100, 8), bytes };
}

/**
 * @param {Buffer} tar
 * @returns {PackedFile[]}
 * @throws Error when it is cut short, has data after its end, or contains anything but plain files below `package/`
 */
export function readTar(tar) {
  const files = [];
  for (let entry = readEntry(tar, 0); entry; entry = readEntry(tar, entry.next)) files.push(packedFile(entry));
  return files;
}

/** @param {string} path a .tgz file */
export function readTarball(path) {
  const packed = readFileSync(path);
  const { buffer, engine } = gunzipSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES, info: true });
  if (engine.bytesWritten !== packed.length) throw new Error('the gzip file goes on behind its end');
  return readTar(buffer);
}
