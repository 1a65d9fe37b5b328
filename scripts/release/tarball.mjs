// Reads what is about to be published: a gzipped tar file as `npm pack` writes it (ustar, with pax headers for long names).
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;
/** Types of entries that say something about the next one, or about all. */
const PAX = 'x';
const PAX_GLOBAL = 'g';
const CHECKSUM = { from: 148, length: 8 };
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

const text = (header, from, length) => {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
};
const octal = (header, from, length) => Number.parseInt(text(header, from, length).trim() || '0', 8);

/** The sum of all bytes, with blanks where it stands itself. */
function checksum(header) {
  const blank = Buffer.from(header).fill(' ', CHECKSUM.from, CHECKSUM.from + CHECKSUM.length);
  return blank.reduce((total, byte) => total + byte, 0);
}

/** The `path` of a pax header, a list of `<length> <key>=<value>\n`. */
function paxPath(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('utf8', at, blank));
    if (blank === -1 || !(length > 0)) throw new Error('a pax header is broken');
    const record = bytes.toString('utf8', blank + 1, at + length - 1);
    if (record.startsWith('path=')) return record.slice('path='.length);
    at += length;
  }
  return;
}

function ustarPath(header) {
  const prefix = text(header, 345, 155);
  return prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
}

/** The next entry of a tar file, or undefined at its end. */
function readEntry(tar, at) {
  const header = tar.subarray(at, at + BLOCK);
  if (header.length < BLOCK) throw new Error('the tar file has no end');
  if (header.every((byte) => byte === 0)) return;
  if (checksum(header) !== octal(header, CHECKSUM.from, CHECKSUM.length)) throw new Error('a checksum is wrong');
  const size = octal(header, 124, 12);
  const bytes = tar.subarray(at + BLOCK, at + BLOCK + size);
  if (bytes.length !== size) throw new Error('the tar file is cut short');
  return { header, bytes, type: text(header, 156, 1), next: at + BLOCK + Math.ceil(size / BLOCK) * BLOCK };
}

function packedFile({ header, bytes, type }, path) {
  // npm itself packs no links and no folders; whatever else is there was not put there by it.
  if (type !== '' && type !== '0') throw new Error(`${path} is no plain file (type ${type})`);
  if (!path.startsWith(TOP)) throw new Error(`${path} is outside of ${TOP}`);
  return { path: path.slice(TOP.length), mode: octal(header, 100, 8) & 0o7777, bytes };
}

/**
 * @param {Buffer} tar
 * @returns {PackedFile[]}
 * @throws Error when it is cut short, or holds anything else than files below `package/`
 */
export function readTar(tar) {
  const files = [];
  let longPath;
  for (let entry = readEntry(tar, 0); entry; entry = readEntry(tar, entry.next)) {
    if (entry.type === PAX) {
      longPath = paxPath(entry.bytes);
    } else if (entry.type !== PAX_GLOBAL) {
      files.push(packedFile(entry, longPath ?? ustarPath(entry.header)));
      longPath = undefined;
    }
  }
  return files;
}

/** @param {string} path a .tgz file */
export function readTarball(path) {
  return readTar(gunzipSync(readFileSync(path), { maxOutputLength: MAX_UNPACKED_BYTES }));
}
