/** Where the sockets of offers are: a folder that only this user enters, outside of every root. */
import { randomInt } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { hostEnvironment } from '../config/host-environment.js';
import { makeFolder } from '../config/own-folder.js';
import { HandrailError } from '../errors.js';
import { folderOutside, foldersOutside } from '../terminal/state-folder.js';

const OWN = 0o700;
const OTHERS = 0o077;

const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 8;

/**
 * Makes the folder where there is none.
 *
 * @throws HandrailError `ERR_SYSTEM` where it belongs to others, or every place for it lies in a root.
 */
export function ownAttachFolder(roots: readonly string[]): string {
  const above = folderOutside(roots, runtimeFolders());
  if (above === undefined) {
    const tried = foldersOutside(runtimeFolders()).join(', ');
    throw new HandrailError(
      'ERR_SYSTEM',
      `Nobody can attach: no folder for the socket lies outside of the roots (${tried})`,
    );
  }
  const folder = attachFolder(above);
  makeFolder(folder);
  // A command that may write anywhere can have opened it to others.
  if (isOf(folder)) chmodSync(folder, OWN);
  if (!isOwn(folder)) {
    throw new HandrailError('ERR_SYSTEM', `Nobody can attach: ${folder} belongs to others. Remove it, and try again`);
  }
  removeLeftSockets(folder);
  return folder;
}

/** Removes the sockets of hosts that were killed. */
function removeLeftSockets(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(name.split('-')[0]))) rmSync(path.join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
  return true;
}

/** Removes the folder where no other offer is in it. */
export function removeAttachFolder(roots: readonly string[]): void {
  const above = folderOutside(roots, runtimeFolders());
  if (above === undefined) return;
  try {
    rmdirSync(attachFolder(above));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** A new id: the process of this host, and something random. */
export function newId(): string {
  const random = Array.from({ length: ID_LENGTH }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join('');
  return `${process.pid}-${random}`;
}

/** The sockets that an id may mean, of which at most one is there, and the process of its host. Undefined for no id. */
export function socketsOf(id: string): { readonly pid: number; readonly files: readonly string[] } | undefined {
  const [number = '', random = '', ...more] = id.split('-');
  const pid = Number(number);
  const isId = String(pid) === number && Number.isInteger(pid) && pid > 0 && more.length === 0;
  if (!isId || random.length !== ID_LENGTH || [...random].some((letter) => !ID_LETTERS.includes(letter)))
    return undefined;
  const folders = foldersOutside(runtimeFolders()).map(attachFolder).filter(isOwn);
  return { pid, files: folders.map((folder) => path.join(folder, id)) };
}

function attachFolder(above: string): string {
  return path.join(above, `handrail-attach-${process.geteuid?.() ?? ''}`);
}

function runtimeFolders(): readonly string[] {
  const { XDG_RUNTIME_DIR: folder = '' } = hostEnvironment();
  return path.isAbsolute(folder) ? [folder] : [];
}

/** Whether a folder is there, and this user alone enters it. */
function isOwn(folder: string): boolean {
  return isOf(folder) && (lstatSync(folder).mode & OTHERS) === 0;
}

function isOf(folder: string): boolean {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  return status?.isDirectory() === true && status.uid === process.geteuid?.();
}
