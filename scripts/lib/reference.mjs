// Compares the generated API reference with the committed one.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesBelow } from './fingerprint.mjs';

/** @returns {Map<string, string>} texts by their paths below `folder`; empty when the folder does not exist */
function textsOf(folder) {
  return new Map(filesBelow(folder).map((file) => [relative(folder, file), readFileSync(file, 'utf8')]));
}

/** The first line in which two texts differ, counted from 1. */
function firstDifference(left, right) {
  const leftLines = left.split('\n');
  const rightLines = right.split('\n');
  const index = leftLines.findIndex((line, at) => line !== rightLines[at]);
  return (index === -1 ? leftLines.length : index) + 1;
}

/**
 * @param {string} generatedFolder
 * @param {string} committedFolder may be missing
 * @returns {string[]} one line per file that differs
 */
export function differences(generatedFolder, committedFolder) {
  const generatedTexts = textsOf(generatedFolder);
  const committedTexts = textsOf(committedFolder);
  const names = [...new Set([...generatedTexts.keys(), ...committedTexts.keys()])].sort();
  return names.flatMap((name) => {
    const generated = generatedTexts.get(name);
    const committed = committedTexts.get(name);
    if (generated === committed) return [];
    if (generated === undefined) return [`${name}: no longer part of the reference`];
    if (committed === undefined) return [`${name}: missing`];
    return [`${name}:${firstDifference(generated, committed)}: differs from the doc comments`];
  });
}
