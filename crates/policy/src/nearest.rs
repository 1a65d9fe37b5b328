//! Finds the name that was probably meant by a misspelled one.

/// Most mistakes in a name that is still recognised. In a short name, half of its letters.
const MAX_MISTAKES: usize = 2;
/// Longest name that is compared.
const MAX_BYTES: usize = 40;

/// The first of the names with the fewest mistakes, when these are few enough.
pub(crate) fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = MAX_MISTAKES.min(given.len() / 2);
    let candidates = names.filter(|name| {
        given.len() <= MAX_BYTES && name.len().abs_diff(given.len()) <= limit && *name != given
    });
    let counted = candidates.map(|name| (mistakes(given.as_bytes(), name.as_bytes()), name));
    counted
        .filter(|(mistakes, _)| *mistakes <= limit)
        .min_by_key(|(mistakes, _)| *mistakes)
        .map(|(_, name)| name)
}

/// Counts letters that are missing, superfluous, wrong, or exchanged with their neighbour. Time and memory grow with
/// the product of the lengths.
pub fn mistakes<Letter: PartialEq>(given: &[Letter], name: &[Letter]) -> usize {
    let mut row_before_last: Vec<usize> = Vec::new();
    let mut last_row: Vec<usize> = (0..=name.len()).collect();
    for row in 1..=given.len() {
        let mut row_counts = vec![row];
        for column in 1..=name.len() {
            let differs = usize::from(given[row - 1] != name[column - 1]);
            let mut fewest = (last_row[column] + 1)
                .min(row_counts[column - 1] + 1)
                .min(last_row[column - 1] + differs);
            let is_exchanged = row > 1
                && column > 1
                && given[row - 1] == name[column - 2]
                && given[row - 2] == name[column - 1];
            if is_exchanged {
                fewest = fewest.min(row_before_last[column - 2] + 1);
            }
            row_counts.push(fewest);
        }
        row_before_last = std::mem::replace(&mut last_row, row_counts);
    }
    last_row[name.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_meant_if_it_is_near() {
        let names = ["status", "stash", "show", "log"];
        for (given, meant) in [
            ("statsu", Some("status")),
            ("stauts", Some("status")),
            ("stashh", Some("stash")),
            ("lgo", Some("log")),
            ("status", None),
            ("frobnicate", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(given, names.into_iter()), meant, "{given}");
        }
    }
}
