//! Known values of which a text holds the first part only.

use crate::support::letters;
use handrail_redact::{Cut, MIN_WRAPPED_BYTES, Options, Redactor};

/// Of a text that was cut the first part of a value is masked, on one line or broken over two, at every split. An ordinary
/// end shows it: that is the attack.
#[test]
fn the_first_part_of_a_value_is_masked_where_a_text_was_cut() {
    let secret = format!("{}-{}!", letters(9), letters(7));
    let redactor = Redactor::new(Options::default()).expect("valid options");
    redactor.add_secret("NAME", &secret).expect("a value that is accepted");
    let finished = |text: &str, split: usize, is_cut: bool| {
        let mut stream = redactor.stream();
        let mut shown = Vec::new();
        let mut sink = |bytes: &[u8]| shown.extend_from_slice(bytes);
        stream.push(&text.as_bytes()[..split], &mut sink);
        stream.push(&text.as_bytes()[split..], &mut sink);
        if is_cut {
            stream.finish_cut(&mut sink);
        } else {
            stream.finish(&mut sink);
        }
        String::from_utf8(shown).expect("text stays text")
    };
    for length in 4..secret.len() {
        for break_at in (5..length).map(Some).chain([None]) {
            let mut begun = secret[..length].to_owned();
            let mut expected = "one [REDACTED]".to_owned();
            if let Some(at) = break_at {
                begun.insert(at, '\n');
                expected += "\n[REDACTED]";
            }
            let text = format!("one {begun}");
            for split in 0..=text.len() {
                assert_eq!(finished(&text, split, true), expected, "{text} at {split}");
            }
            assert_eq!(finished(&text, 0, false), text);
            let whole = redactor.redact_cut(text.as_bytes(), Cut { start: false, end: true });
            assert_eq!(whole, Some(expected.into_bytes()));
        }
    }
    // What ends with a line is taken for cut only where the line ends with much of a value.
    for (length, is_masked) in [(MIN_WRAPPED_BYTES, true), (MIN_WRAPPED_BYTES - 1, false)] {
        let text = format!("one {}\n", &secret[..length]);
        assert_eq!(finished(&text, 0, true) != text, is_masked, "{text}");
    }
}
