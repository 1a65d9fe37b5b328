/** Most letters that may be wrong in a name for another to be meant; fewer in a short one. */
const MAX_MISTAKES = 2;

/** Fewest letters that tell which name is begun. */
const MIN_BEGINNING = 3;

/**
 * The name that was probably meant by `given`: the nearest one, if it is near. The first of several.
 *
 * @param most Letters that may be wrong. Default: two.
 */
export function nearest(given: string, names: readonly string[], most = MAX_MISTAKES): string | undefined {
  const limit = Math.min(most, Math.floor(given.length / 2));
  const alike = names.filter((name) => Math.abs(name.length - given.length) <= limit);
  const distances = alike.map((name) => ({ name, mistakes: mistakes(given, name) }));
  const [best] = distances.sort((one, other) => one.mistakes - other.mistakes);
  return best !== undefined && best.mistakes <= limit ? best.name : undefined;
}

/** The name that `given` is near to, or the beginning of. */
export function meant(given: string, names: readonly string[]): string | undefined {
  return nearest(given, names) ?? names.find((name) => given.length >= MIN_BEGINNING && name.startsWith(given));
}

/** Letters that are too many, missing, wrong, or exchanged with their neighbour. */
function mistakes(given: string, name: string): number {
  const rows: number[][] = [Array.from({ length: name.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= given.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= name.length; column += 1) {
      const same = given[row - 1] === name[column - 1];
      const swapped =
        row > 1 && column > 1 && given[row - 1] === name[column - 2] && given[row - 2] === name[column - 1];
      line.push(
        Math.min(
          at(rows, row - 1, column) + 1,
          (line[column - 1] ?? 0) + 1,
          at(rows, row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(rows, row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(line);
  }
  return at(rows, given.length, name.length);
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}
