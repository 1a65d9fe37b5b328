// The table of soak tests: each row has the full number of repetitions and the tests that repeat.

/**
 * @typedef {object} SoakRow
 * @property {string} name
 * @property {string} description
 * @property {string} full the full count in words
 * @property {'vitest' | 'cargo'} runner
 * @property {string[]} args file filters of vitest, or unique names of Rust tests that print `soak: …`
 * @property {number} ci per cent of the full count that `npm run soak -- ci` runs; 0 leaves the row out
 */

/** @type {SoakRow[]} */
export const SOAK_ROWS = [
  {
    name: 'runs',
    description: 'commands of all kinds on one toolkit leave nothing behind',
    full: '100,000 commands',
    runner: 'vitest',
    args: ['test/toolkit/many-runs.test.ts'],
    ci: 3,
  },
  {
    name: 'kills',
    description: 'commands that try to outlive their run, side by side, leave nothing',
    full: '200 rounds of the corpus',
    runner: 'vitest',
    args: ['test/kill/again.test.ts'],
    ci: 10,
  },
  {
    name: 'storms',
    description: 'many descendants and chains of fork and die leave nothing',
    full: '1,000 descendants, 100 chains of 2,000',
    runner: 'vitest',
    args: ['test/alone/storms.test.ts'],
    ci: 0,
  },
  {
    name: 'attacks',
    description: 'commands that the judgement lets pass, and the corpus unjudged, are stopped by the plan alone',
    full: '207 commands, 202 cases under 1 to 4 plans as two users',
    runner: 'vitest',
    args: ['test/attacks/attack.test.ts', 'test/attacks/corpus.test.ts', 'test/attacks/held.test.ts'],
    ci: 100,
  },
  {
    name: 'frozen',
    description: 'a terminal whose processes cannot act is closed all the same, and nothing survives',
    full: '7 ways to be frozen',
    runner: 'vitest',
    args: ['test/kill/frozen.test.ts'],
    ci: 0,
  },
  {
    name: 'deadlines',
    description: 'deadlines of 1 and 3 ms on a machine that is busy are all kept',
    full: '5,000 rounds',
    runner: 'vitest',
    args: ['test/alone/short-deadlines.test.ts'],
    ci: 3,
  },
  {
    name: 'host-death',
    description: 'kill -9 of a host with 20 commands that try to outlive it leaves nothing, and how soon',
    full: '100 hosts',
    runner: 'vitest',
    args: ['test/kill/host-death.test.ts'],
    ci: 0,
  },
  {
    name: 'jobs',
    description:
      'each job that ends is told to its waiter, to listeners and to loops, with all of its output, and none is left',
    full: '10,000 jobs in rows of 100',
    runner: 'vitest',
    args: ['test/jobs/many.test.ts'],
    ci: 3,
  },
  {
    name: 'sessions-tail',
    description: 'what a program writes to its terminal right before it ends is there, however busy the host is',
    full: '200 programs of 20 KB',
    runner: 'vitest',
    args: ['test/session/tail.test.ts'],
    ci: 10,
  },
  {
    name: 'sessions-flood',
    description: 'a program that writes without an end to a terminal that nobody reads costs no memory',
    full: '10 seconds',
    runner: 'vitest',
    args: ['test/session/flood.test.ts'],
    ci: 20,
  },
  {
    name: 'left-files',
    description: 'a run that leaves files in its private folders delays no other',
    full: '210,000 files',
    runner: 'vitest',
    args: ['test/kill/left-files.test.ts'],
    ci: 0,
  },
  {
    name: 'wasm-splits',
    description: 'however a text is split, the WASM module redacts it as the native binding does a whole one',
    full: '100,000 random splits',
    runner: 'vitest',
    args: ['test/wasm/same.test.ts'],
    ci: 0,
  },
  {
    name: 'wasm-hosts',
    description: 'in every kind of host the WASM module answers each case of the test data as the native binding does',
    full: 'all cases in 7 hosts',
    runner: 'vitest',
    args: ['test/wasm/hosts.test.ts'],
    ci: 100,
  },
  {
    name: 'everyday',
    description: 'ordinary work in four projects goes on under their presets as without Handrail, and the walls hold',
    full: '135 rows and 14 walls as two users',
    runner: 'vitest',
    args: ['test/everyday/everyday.test.ts'],
    ci: 0,
  },
  {
    name: 'examples',
    description: 'every example of the doc comments, the README and the pages of docs runs and prints what it says',
    full: 'all examples',
    runner: 'vitest',
    args: ['test/examples/code-blocks.test.ts'],
    ci: 100,
  },
  {
    name: 'typed',
    description: 'command lines as people type them, in bash',
    full: 'all lines',
    runner: 'vitest',
    args: ['test/cli/typed.test.ts'],
    ci: 100,
  },
  {
    name: 'redact-splits',
    description: 'however a text is split, it is redacted as a whole one; every single split of each fixture',
    full: '1,000,000 random splits',
    runner: 'cargo',
    args: ['splits::random_splits_give_the_same', 'streaming::every_single'],
    ci: 10,
  },
  {
    name: 'redact-twice',
    description: 'texts of pieces that are begun and broken off, redacted twice',
    full: '1,000,000 compositions',
    runner: 'cargo',
    args: ['splits::redacting_twice'],
    ci: 10,
  },
  {
    name: 'redact-pauses',
    description: 'a stream that pauses anywhere shows nothing that is masked in the end',
    full: '200,000 dialogues',
    runner: 'cargo',
    args: ['idle::pauses_change_nothing'],
    ci: 10,
  },
  {
    name: 'text-splits',
    description: 'however the bytes of a terminal are split, they are cleaned and bounded as whole ones',
    full: '1,000,000 random splits for each',
    runner: 'cargo',
    args: ['splits::random_splits_of_'],
    ci: 10,
  },
  {
    name: 'files-races',
    description:
      'folders and files exchanged for links while tools read and write beneath them: nothing leaves the root',
    full: '100,000 calls of each kind',
    runner: 'cargo',
    args: ['races::'],
    ci: 3,
  },
  {
    name: 'power-cut',
    description: 'files that were written, edited and patched on ext4 are the old or the new ones after a power cut',
    full: '30 files each way, cut 1, 3, 8, 20 and 45 seconds after',
    runner: 'vitest',
    args: ['test/files/power-cut.test.ts'],
    ci: 0,
  },
  {
    name: 'files-masks',
    description:
      'files with 1 to 40 secrets, equal ones too, are rewritten: each secret lands where its mask was put, or nothing does',
    full: '20,000 files, each rewritten honestly and otherwise',
    runner: 'cargo',
    args: ['rewrites::rewrites_of'],
    ci: 3,
  },
  {
    name: 'redact-json',
    description: 'JSON documents of what the rules look at stay what they are when they are redacted',
    full: '200,000 documents',
    runner: 'cargo',
    args: ['json::documents_say'],
    ci: 10,
  },
  {
    name: 'redact-documents',
    description: 'JSON and YAML documents stay what they are when they are redacted',
    full: '200,000 documents of each',
    runner: 'vitest',
    args: ['test/redaction/documents.test.ts'],
    ci: 10,
  },
];
