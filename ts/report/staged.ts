/** Why a place could not be brought over; `LayerConflictReason` of a transaction. */
export interface StagedConflict {
  /** Where it is, secrets masked. */
  readonly path: string;
  /** Why, such as `changed`: somebody else has changed it since. */
  readonly reason: string;
}

/**
 * What became of the changes of a command, a job or a session, with `changes: 'staged'` of the toolkit. Paths have their secrets
 * masked.
 */
export interface StagedChanges {
  /** Whether they are in the roots now. Where they are not, the roots are as they were, and nothing of them is lost. */
  readonly committed: boolean;
  /** Id of the commit, by which `toolkit.undo()` takes it back. Absent where nothing was changed or kept for that. */
  readonly id?: string;
  /** Id among those of `toolkit.staged()`, where they wait for a decision. Absent where they are committed. */
  readonly staged?: string;
  /** Number of entries that were created, those in new folders included. */
  readonly created: number;
  /** Number of files and links whose content changed. */
  readonly changed: number;
  /** Number of entries that were removed. */
  readonly deleted: number;
  /** Number of entries of which only owner, mode, attributes or time changed. */
  readonly attributes: number;
  /** The first places, at most 10. */
  readonly paths: readonly string[];
  /** What stands against a commit, at most 10 places. */
  readonly conflicts: readonly StagedConflict[];
  /** Number of all of these. */
  readonly conflictCount: number;
  /** Why they are not committed, where it is not for a conflict. */
  readonly problem?: string;
}

/** Most places that a line names. */
const MAX_NAMED_PLACES = 3;

/** What others did to a place. */
const OTHERS: Readonly<Record<string, string>> = {
  changed: 'was changed by somebody else meanwhile',
  gone: 'was removed by somebody else meanwhile',
};

/** A line about what became of changes. None where only times, modes and their like were changed. */
export function stagedNotes(staged: StagedChanges | undefined): string[] {
  if (staged === undefined) return [];
  const { committed, created, changed, deleted, attributes, paths, conflicts, conflictCount, problem } = staged;
  if (!committed) {
    const [first] = conflicts;
    const why = first === undefined ? (problem ?? 'they could not be brought over') : conflictText(first);
    const more = conflictCount > 1 ? `, and ${conflictCount - 1} more` : '';
    const isOthers = first !== undefined && first.reason in OTHERS;
    return [
      `[what it changed was not kept: ${why}${more}.${isOthers ? ' Look at it, and run the command again' : ''}]`,
    ];
  }
  const counts = [
    [created, 'created'],
    [changed, 'changed'],
    [deleted, 'removed'],
  ] as const;
  const sum = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (sum.length === 0) return [];
  const named = paths.slice(0, MAX_NAMED_PLACES);
  const left = created + changed + deleted + attributes - named.length;
  return [`[files: ${sum.join(', ')}: ${named.join(', ')}${left > 0 ? ', ...' : ''}]`];
}

function conflictText({ path, reason }: StagedConflict): string {
  return `${path} ${OTHERS[reason] ?? `cannot be changed (${reason})`}`;
}
