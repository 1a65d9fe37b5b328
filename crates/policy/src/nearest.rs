//! Finds the name that was probably meant by a misspelled one.

/// Shortest name, in bytes, in which two letters may be exchanged.
const MIN_EXCHANGED_BYTES: usize = 3;
/// Shortest name, in bytes, of which one letter may be wrong. Many shorter names differ in one letter and are different
/// programs: `tee` and `tree`, `zip` and `pip`.
const MIN_WRONG_BYTES: usize = 5;
/// Longest name that is compared.
const MAX_BYTES: usize = 40;

/// The first of the names of which the given one is a slip of the fingers.
pub(crate) fn nearest<'a>(
    given: &str,
    mut names: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    names.find(|name| is_slip(given.as_bytes(), name.as_bytes()))
}

/// Whether two neighbouring letters are exchanged, or one letter of a longer word that begins alike is missing, superfluous
/// or wrong.
fn is_slip(given: &[u8], name: &[u8]) -> bool {
    if given == name || given.len() > MAX_BYTES || name.len().abs_diff(given.len()) > 1 {
        return false;
    }
    let is_exchanged = given.len() == name.len() && {
        let mut different = (0..given.len()).filter(|&at| given[at] != name[at]);
        match (different.next(), different.next(), different.next()) {
            (Some(first), Some(second), None) => {
                second == first + 1 && given[first] == name[second] && given[second] == name[first]
            }
            _ => false,
        }
    };
    let begins_alike = given.first() == name.first();
    (is_exchanged && given.len() >= MIN_EXCHANGED_BYTES)
        || (begins_alike && given.len() >= MIN_WRONG_BYTES && mistakes(given, name) == 1)
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
    fn a_name_is_meant_if_the_given_one_is_a_slip() {
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
            ("stat", None),
            ("stashes", None),
            ("tatus", None),
        ] {
            assert_eq!(nearest(given, names.into_iter()), meant, "{given}");
        }
    }

    #[test]
    fn other_programs_are_no_slips() {
        let names = ["node", "zip", "patch", "find", "od", "tee", "cmake", "sed", "vi", "ls"];
        for given in
            ["code", "pip", "watch", "ping", "dd", "tree", "make", "sudo", "vim", "less", "ed"]
        {
            assert_eq!(nearest(given, names.into_iter()), None, "{given}");
        }
    }
}
