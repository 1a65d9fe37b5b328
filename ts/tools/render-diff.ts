/** What differs in changed files, for a model and for a person. */
import type { DiffOmission, FileDiff } from '../files/answers.js';

const OMITTED: Readonly<Record<DiffOmission, string>> = {
  binary: 'it is no text',
  tooLarge: 'it has more than 1 MiB',
  noRoom: 'there is no room left',
  protected: 'it may not be read',
  unreadable: 'it cannot be read',
  changedSince: 'somebody has changed it since, and what the call left is not known',
  notKept: 'what was replaced is not kept',
  folder: 'it is a folder that was changed as a whole',
};

/** A file or link, and what differs in it where that was asked for. */
interface ChangedContent {
  readonly path: string;
  readonly diff?: FileDiff;
}

/** What differs in a file, in lines, with what they lack. */
function diffLines({ text, added, removed, masked, truncated, recoded, omitted }: FileDiff): readonly string[] {
  if (omitted !== undefined) return [`[not shown: ${OMITTED[omitted]}]`];
  const other = text === '' && masked > 0 ? 'nothing else differs; ' : '';
  return [
    ...(text === '' ? [] : text.slice(0, -1).split('\n')),
    ...(truncated ? [`[cut; in all ${added} lines added, ${removed} removed]`] : []),
    ...(recoded ? ['[the encoding or the byte order mark differs]'] : []),
    ...(masked > 0 ? [`[${other}what is masked is not compared]`] : []),
  ];
}

/** What differs in the files for which that was asked, each below its path. */
export function fileDiffLines(files: readonly ChangedContent[]): readonly string[] {
  return files.flatMap(({ path, diff }) => (diff === undefined ? [] : [`--- ${path}`, ...diffLines(diff)]));
}
