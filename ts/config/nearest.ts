/** Most wrong letters with which a name still counts as a mistyped one; fewer in a short name. */
const MAX_MISTAKES = 2;

/** Fewest letters that count as the beginning of a name. */
const MIN_PREFIX_CHARS = 3;

/**
 * The name that was probably meant by `typedName`: the nearest one within the limit, and the first of several equally
 * near ones.
 *
 * @param most Most wrong letters. Default: two.
 */
export function nearest(typedName: string, names: readonly string[], most = MAX_MISTAKES): string | undefined {
  const limit = Math.min(most, Math.floor(typedName.length / 2));
  const similarNames = names.filter((name) => Math.abs(name.length - typedName.length) <= limit);
  const distances = similarNames.map((name) => ({ name, distance: editDistance(typedName, name) }));
  const [best] = distances.sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= limit ? best.name : undefined;
}

/** The name that was probably meant by `typedName`: a near one, or one that begins with it. */
export function probableName(typedName: string, names: readonly string[]): string | undefined {
  return (
    nearest(typedName, names) ??
    names.find((name) => typedName.length >= MIN_PREFIX_CHARS && name.startsWith(typedName))
  );
}

/** The number of letters that are added, missing, wrong or exchanged with their neighbour. */
function editDistance(typedName: string, name: string): number {
  const rows: number[][] = [Array.from({ length: name.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= typedName.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= name.length; column += 1) {
      const isSameLetter = typedName[row - 1] === name[column - 1];
      const isSwapped =
        row > 1 && column > 1 && typedName[row - 1] === name[column - 2] && typedName[row - 2] === name[column - 1];
      line.push(
        Math.min(
          at(rows, row - 1, column) + 1,
          (line[column - 1] ?? 0) + 1,
          at(rows, row - 1, column - 1) + (isSameLetter ? 0 : 1),
          isSwapped ? at(rows, row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(line);
  }
  return at(rows, typedName.length, name.length);
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}
