use super::*;

#[test]
fn lists_are_sorted_and_in_lower_case() {
    let lists = [
        NON_SECRET_ENDINGS,
        NON_SECRET_BEGINNINGS,
        SECRET_KEY_WORDS,
        JOINED_KEY_WORDS,
        LOOKUP_KEY_WORDS,
        LISTING_TOKEN_WORDS,
        NAME_WORDS,
        SECRET_NAME_WORDS,
        EMPTY_VALUE_WORDS,
        TYPE_NAMES,
        PROSE_WORDS,
        METAVARIABLES,
        DIRECTIVE_WORDS,
        ALGORITHM_NAMES,
    ];
    for list in lists {
        assert!(list.is_sorted(), "{list:?}");
        let upper = |word: &&str| has(list, word.to_ascii_uppercase().as_bytes());
        assert!(list.iter().all(upper), "{list:?}");
        assert!(!has(list, b"") && !has(list, b"zzz") && !has(list, b"-zzz"));
    }
}
