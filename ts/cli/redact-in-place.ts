import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { HandrailError } from '../errors.js';
import type { Redactor } from '../redaction/redactor.js';
import { readDescriptor, unreadable } from './input-source.js';
import type { RedactWork } from './redact-work.js';
import { shownPath } from './shown-path.js';

/** All permission bits. */
const PERMISSIONS = 0o7777;
/** The permission bits without set-user-ID, set-group-ID and the sticky bit, which are meant for the old owner. */
const PLAIN_PERMISSIONS = 0o777;

/** Masks the secrets in each file. A file without secrets is not touched. */
export async function replaceAll(work: RedactWork): Promise<void> {
  for (const file of work.request.files) {
    if (work.stop.aborted) return;
    replace(file, work);
    // Lets a signal arrive between two files.
    await new Promise(setImmediate);
  }
}

function replace(file: string, { redactor, tally, outputs }: RedactWork): void {
  const name = shownPath(file, (text) => redactor.redact(text));
  const { bytes, status } = readFile(file, name, redactor);
  const stream = redactor.stream();
  const maskedPieces = [stream.write(bytes), stream.end()];
  tally.bytes.read += bytes.length;
  tally.add(stream.counts);
  if (stream.findings === 0) return;
  replaceFile(file, name, maskedPieces, status);
  tally.bytes.written += maskedPieces.reduce((sum, piece) => sum + piece.length, 0);
  if (status.nlink > 1) {
    void outputs.remark(
      `handrail: ${name} was one of ${status.nlink} names of a file; the others keep what they had\n`,
    );
  }
}

function readFile(file: string, name: string, redactor: Redactor): { bytes: Buffer; status: Stats } {
  let descriptor: number | undefined;
  try {
    const link = lstatSync(file);
    if (link.isSymbolicLink()) {
      const target = shownPath(readlinkSync(file), (text) => redactor.redact(text));
      throw new HandrailError('ERR_SYSTEM', `${name} is a symbolic link to ${target}: name the file itself`);
    }
    if (!link.isFile() && !link.isDirectory()) {
      throw new HandrailError('ERR_SYSTEM', `${name} is no regular file: it cannot be replaced`);
    }
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    return { bytes: readDescriptor(descriptor, name), status };
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Replaces the file in one step: nobody sees a half-written file, and a failure leaves the old file. */
function replaceFile(file: string, name: string, pieces: readonly Uint8Array[], status: Stats): void {
  const next = path.join(path.dirname(file), `.handrail-${randomBytes(8).toString('hex')}`);
  try {
    const descriptor = openSync(next, 'wx', 0o600);
    try {
      for (const piece of pieces) writeAll(descriptor, piece);
      keepOwnerAndMode(descriptor, status);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    assertUnchanged(file, name, status);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    if (error instanceof HandrailError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
    throw new HandrailError('ERR_SYSTEM', `${name} cannot be replaced: ${code}`, { cause: error });
  }
}

function writeAll(descriptor: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at);
}

function keepOwnerAndMode(descriptor: number, { uid, gid, mode }: Stats): void {
  const newFileStatus = fstatSync(descriptor);
  let permissions = mode & PERMISSIONS;
  if (newFileStatus.uid !== uid || newFileStatus.gid !== gid) {
    try {
      fchownSync(descriptor, uid, gid);
    } catch {
      // Only root may give a file to another owner.
      permissions = mode & PLAIN_PERMISSIONS;
    }
  }
  fchmodSync(descriptor, permissions);
}

/** Fails when the file was changed since it was read: the change must not be lost. */
function assertUnchanged(file: string, name: string, status: Stats): void {
  const now = lstatSync(file);
  const isSameFile = now.dev === status.dev && now.ino === status.ino && now.size === status.size;
  if (isSameFile && now.mtimeMs === status.mtimeMs && now.ctimeMs === status.ctimeMs) return;
  throw new HandrailError('ERR_SYSTEM', `${name} was changed while it was read, and is left as it is`);
}
