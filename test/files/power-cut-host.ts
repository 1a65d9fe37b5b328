/**
 * Changes files on an ext4 file system of its own, and tells what a power cut would leave of them. Run in a mount
 * namespace of its own: whatever ends it, its mounts and its loop devices end with it.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Files } from '../../ts/files/files.js';

/** What is asked for: a folder for the images, and the times after the changes at which the power is cut. */
export interface PowerCutRequest {
  readonly folder: string;
  readonly timesMs: readonly number[];
}

/** What is left of the files. */
export interface Left {
  old: number;
  new: number;
  empty: number;
  /** Neither the old content nor the new one, or no file at all. */
  mixed: number;
}

/** What is left at each of the times, with and without `sync`; and of files that went to another file system. */
export interface PowerCutAnswer {
  readonly synced: Record<string, Left>;
  readonly unsynced: Record<string, Left>;
  readonly movedSynced: Moved;
  readonly movedUnsynced: Moved;
}

/** How many files are whole in one place or in both, and how many are in none. */
export interface Moved {
  readonly whole: number;
  readonly gone: number;
}

const IMAGE_BYTES = 2 ** 26;
const FILES_EACH_WAY = 30;
const FILES_OF_A_PATCH = 10;
const MAX_COPIES = 20;
const FILLER = 'a line that stays as it is\n'.repeat(150);

const run = promisify(execFile);
const numbers = Array.from({ length: FILES_EACH_WAY }, (_, index) => index);
const content = (way: string, index: number, state: string): string => `${way} ${index} is ${state}\n${FILLER}`;

/** Each changes its files, of which the old content is there. */
const WAYS: Record<string, (files: Files) => AsyncIterable<{ readonly ok: boolean }>> = {
  async *write(files) {
    for (const index of numbers) yield await files.write(`write/${index}`, content('write', index, 'new'));
  },
  async *edit(files) {
    for (const index of numbers) {
      yield await files.edit(`edit/${index}`, [{ old: `edit ${index} is old`, new: `edit ${index} is new` }]);
    }
  },
  async *patch(files) {
    for (let start = 0; start < FILES_EACH_WAY; start += FILES_OF_A_PATCH) {
      const updates = numbers
        .slice(start, start + FILES_OF_A_PATCH)
        .map((index) => `*** Update File: patch/${index}\n@@\n-patch ${index} is old\n+patch ${index} is new\n`);
      yield await files.patch(`*** Begin Patch\n${updates.join('')}*** End Patch\n`);
    }
  },
};

async function mounted(image: string): Promise<string> {
  const folder = `${image}.mounted`;
  mkdirSync(folder);
  await run('mount', ['-o', 'loop', image, folder]);
  return folder;
}

/** The image as it is at one moment: a copy that the image still equals after it was made. */
async function copyOf(image: string, copy: string): Promise<void> {
  for (let tries = 0; tries < MAX_COPIES; tries += 1) {
    await run('cp', ['--sparse=always', image, copy]);
    const isSame = await run('cmp', ['--silent', image, copy]).then(
      () => true,
      () => false,
    );
    if (isSame) return;
  }
  throw new Error(`${image} is written to all the time`);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** What is there once the journal was replayed. */
async function leftIn(image: string): Promise<Left> {
  const folder = await mounted(image);
  const left: Left = { old: 0, new: 0, empty: 0, mixed: 0 };
  for (const way of Object.keys(WAYS)) {
    for (const index of numbers) {
      const text = textOf(path.join(folder, way, String(index)));
      if (text === content(way, index, 'old')) left.old += 1;
      else if (text === content(way, index, 'new')) left.new += 1;
      else if (text === '') left.empty += 1;
      else left.mixed += 1;
    }
  }
  await run('umount', [folder]);
  return left;
}

async function newImage(image: string): Promise<string> {
  writeFileSync(image, '');
  truncateSync(image, IMAGE_BYTES);
  await run('mkfs.ext4', ['-q', image]);
  return image;
}

/** Moves files to another file system, and cuts the power when the one that they came from is on the disk. */
async function moveAndCutPower(folder: string, sync: boolean): Promise<Moved> {
  const names = ['from', 'to'].map((name) => path.join(folder, `${name}-${sync}`));
  const images = await Promise.all(names.map(newImage));
  const [from = '', to = ''] = await Promise.all(images.map(mounted));
  for (const index of numbers) writeFileSync(path.join(from, String(index)), content('move', index, 'old'));
  await run('sync', ['--file-system', from]);
  const files = new Files({ roots: [from, to], sync });
  const moves = numbers.map((index) => `*** Update File: ${index}\n*** Move to: ${to}/${index}\n`);
  const { ok } = await files.patch(`*** Begin Patch\n${moves.join('')}*** End Patch\n`);
  if (!ok) throw new Error('the move was refused');
  await run('sync', ['--file-system', from]);
  const copies = images.map((image) => `${image}.copy`);
  for (const [index, image] of images.entries()) await copyOf(image, copies[index] ?? '');
  await files.close();
  const places = await Promise.all(copies.map(mounted));
  const isWhole = (index: number): boolean =>
    places.some((place) => textOf(path.join(place, String(index))) === content('move', index, 'old'));
  const whole = numbers.filter(isWhole).length;
  for (const place of [from, to, ...places]) await run('umount', [place]);
  return { whole, gone: numbers.length - whole };
}

async function cutPower({ folder, timesMs }: PowerCutRequest, sync: boolean): Promise<Record<string, Left>> {
  const image = await newImage(path.join(folder, sync ? 'synced' : 'unsynced'));
  const root = await mounted(image);
  for (const way of Object.keys(WAYS)) {
    mkdirSync(path.join(root, way));
    for (const index of numbers) writeFileSync(path.join(root, way, String(index)), content(way, index, 'old'));
  }
  await run('sync', ['--file-system', root]);
  const files = new Files({ roots: [root], sync });
  for (const change of Object.values(WAYS)) {
    for await (const { ok } of change(files)) if (!ok) throw new Error('a change was refused');
  }
  const changed = performance.now();
  const left: Record<string, Left> = {};
  for (const time of timesMs) {
    await sleep(Math.max(0, changed + time - performance.now()));
    const copy = `${image}.${time}`;
    await copyOf(image, copy);
    left[time] = await leftIn(copy);
  }
  await files.close();
  await run('umount', [root]);
  return left;
}

const request = JSON.parse(process.argv[2] ?? '') as PowerCutRequest;
const movedSynced = await moveAndCutPower(request.folder, true);
const movedUnsynced = await moveAndCutPower(request.folder, false);
const [synced, unsynced] = await Promise.all([cutPower(request, true), cutPower(request, false)]);
const answer: PowerCutAnswer = { synced, unsynced, movedSynced, movedUnsynced };
process.stdout.write(JSON.stringify(answer));
