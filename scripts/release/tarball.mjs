// Reads what is about to be published: a gzipped tar file (ustar) as `npm pack` writes it. The gate has to see what npm
// sees: whatever two readers could take for different files is refused.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;
/** `ustar`, its end and its version: other readers know no prefix of a path without it. */
const MAGIC = { from: 257, value: 'ustar\u000000' };
const CHECKSUM = { from: 148, length: 8 };
const PLAIN_FILE = '0';
/** Everything in a package is below this folder. */
const TOP = 'package/';
/** A package of ours is a few megabytes: what unpacks to more is not one. */
const MAX_UNPACKED_BYTES = 256 * (1 << 20);

/**
 * @typedef {object} PackedFile
 * @property {string} path below the package, with `/`
 * @property {number} mode permission bits
 * @property {Buffer} bytes
 */

const isZero = (bytes) => bytes.every((byte) => byte === 0);

/** A field of text, filled up with zeros; some readers would take what stands behind the first for a part of it. */
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

/** The sum of all bytes, with blanks where it stands itself. */
function checksum(header) {
  const blank = Buffer.from(header).fill(' ', CHECKSUM.from, CHECKSUM.from + CHECKSUM.length);
  return blank.reduce((total, byte) => total + byte, 0);
}

function ustarPath(header) {
  const prefix = text(header, 345, 155);
  return prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
}

/** Readers disagree about what is behind a lone block of zeros, so nothing may be there. */
function checkEnd(rest) {
  if (rest.length < 2 * BLOCK) throw new Error('the tar file has no end');
  if (!isZero(rest)) throw new Error('the tar file goes on behind its end');
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

/** npm packs no links and no folders, and a pax header (x, g) only for paths longer than any of ours: it may say anything. */
function packedFile({ header, bytes, type }) {
  const path = ustarPath(header);
  if (type !== PLAIN_FILE) throw new Error(`${JSON.stringify(path)} is no plain file (type ${JSON.stringify(type)})`);
  const names = path.split('/');
  const isPlain = /^[\x20-\x7e]+$/.test(path) && !path.includes('\\');
  if (!isPlain || names.some((name) => ['', '.', '..'].includes(name))) {
    throw new Error(`${JSON.stringify(path)} is no plain path`);
  }
  if (!path.startsWith(TOP)) throw new Error(`${path} is outside of ${TOP}`);
  return { path: path.slice(TOP.length), mode: octal(header, 100, 8), bytes };
}

/**
 * @param {Buffer} tar
 * @returns {PackedFile[]}
 * @throws Error when it is cut short, goes on behind its end, or holds anything else than files below `package/`
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
