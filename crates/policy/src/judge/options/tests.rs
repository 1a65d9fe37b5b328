use super::*;

const GRAMMAR: Grammar = Grammar { short: "xk:o::", long: "kill-after= keep optional? verbose" };

fn read(text: &str, options_end: OptionsEnd) -> (Vec<String>, Vec<String>, bool) {
    let words: Vec<Word> =
        text.split(' ').map(|text| Word { text: text.to_owned(), span: (0, 0) }).collect();
    let parsed = parse(&words, GRAMMAR, options_end);
    let given = parsed.given.iter().map(|given| match &given.value {
        Some(value) => format!("{}={}", given.name, value.text),
        None => given.name.clone(),
    });
    let operands = parsed.operands.iter().map(|word| word.text.clone());
    (given.collect(), operands.collect(), parsed.unknown.is_some())
}

#[test]
fn reads_like_getopt_long() {
    let cases: &[(&str, &[&str], &[&str], bool)] = &[
        ("-x a -x", &["x"], &["a", "-x"], false),
        ("-xk 1 a", &["x", "k=1"], &["a"], false),
        ("-xk1 a", &["x", "k=1"], &["a"], false),
        ("-o a", &["o"], &["a"], false),
        ("-oa b", &["o=a"], &["b"], false),
        ("--kill-after=1 a", &["kill-after=1"], &["a"], false),
        ("--ki 1 a", &["kill-after=1"], &["a"], false),
        ("--k 1 a", &[], &["1", "a"], true),
        ("--optional a", &["optional"], &["a"], false),
        ("--verb -- -x", &["verbose"], &["-x"], false),
        ("-5 a", &[], &["a"], false),
        ("-z a", &[], &["a"], true),
        ("--nope a", &[], &["a"], true),
        ("- a", &[], &["-", "a"], false),
    ];
    for (text, given, operands, unknown) in cases {
        let read = read(text, OptionsEnd::FirstOperand);
        assert_eq!(read.0, *given, "{text}");
        assert_eq!(read.1, *operands, "{text}");
        assert_eq!(read.2, *unknown, "{text}");
    }
    assert_eq!(read("a -x b", OptionsEnd::Anywhere).0, ["x"]);
}
