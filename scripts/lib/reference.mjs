// Compares the API reference that was generated with the one that is committed.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesBelow } from './fingerprint.mjs';

/** @returns {Map<string, string>} texts by path below `folder`, none when there is no such folder */
function textsOf(folder) {
  return new Map(filesBelow(folder).map((file) => [relative(folder, file), readFileSync(file, 'utf8')]));
}

/** The first line in which two texts differ, counted from 1. */
function firstDifference(left, right) {
  const others = right.split('\n');
  const lines = left.split('\n');
  const index = lines.findIndex((line, at) => line !== others[at]);
  return (index === -1 ? lines.length : index) + 1;
}

/**
 * @param {string} should folder with what was generated
 * @param {string} is folder with what is committed; may be missing
 * @returns {string[]} one line per file that is not what it should be
 */
export function differences(should, is) {
  const wanted = textsOf(should);
  const found = textsOf(is);
  const names = [...new Set([...wanted.keys(), ...found.keys()])].sort();
  return names.flatMap((name) => {
    const text = wanted.get(name);
    const present = found.get(name);
    if (text === present) return [];
    if (text === undefined) return [`${name}: no longer part of the reference`];
    if (present === undefined) return [`${name}: missing`];
    return [`${name}:${firstDifference(text, present)}: differs from the doc comments`];
  });
}
