use super::*;

#[test]
fn a_value_ends_at_the_quote_of_its_own_document() {
    for (opened, text, length) in [
        (r#"\""#, r#"ab\","#, 2),
        (r#"\""#, r#"a\\\"b\","#, 6),
        (r#"\""#, r#"a\\\\\","#, 5),
        (r#"\\\""#, r#"ab\\\","#, 2),
        (r#"\\\""#, r#"a\\\\\\\"b\\\","#, 10),
        (r#"\\\""#, r#"ab\""#, 2),
        (r#"\\\\\\\""#, r#"ab\\\\\\\""#, 2),
    ] {
        let Some((Quote::Escaped(mut walk), _)) = Quote::at(opened.as_bytes()) else {
            panic!("{opened}")
        };
        let end = walk.run(text.as_bytes());
        assert_eq!(end - walk.held(), length, "{opened} {text}");
        for cut in 0..=end {
            let Some((Quote::Escaped(mut walk), _)) = Quote::at(opened.as_bytes()) else {
                panic!("{opened}")
            };
            assert_eq!(walk.run(&text.as_bytes()[..cut]), cut);
            assert_eq!(walk.run(&text.as_bytes()[cut..]), end - cut, "{text} {cut}");
        }
    }
}

#[test]
fn quotes_are_known_in_every_spelling_up_to_the_bound() {
    for spelling in SPELLED_QUOTES {
        assert_eq!(Quote::at(spelling), Some((Quote::Spelled(spelling), spelling.len())));
    }
    assert!(Quote::at(b"%2Bx").is_none() && Quote::at(b"&amp;").is_none());
    let deep = |depth: usize| [vec![b'\\'; depth], vec![b'"']].concat();
    assert!(Quote::at(&deep(MAX_BACKSLASHES)).is_some());
    assert!(Quote::at(&deep(MAX_BACKSLASHES + 1)).is_none());
}
