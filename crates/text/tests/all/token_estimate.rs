//! The estimate of tokens, beside counts of a tokenizer for `o200k`.

use handrail_text::{TokenBudget, estimate_tokens};

/// Most parts of a hundred by which the estimate is off.
const MAX_ERROR: usize = 15;

/// Bytes without order, the same in each run.
fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    std::iter::repeat_with(next).take(bytes).collect()
}

fn letters(bytes: &[u8], alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    bytes.iter().map(|&byte| alphabet[usize::from(byte) % alphabet.len()]).collect()
}

fn characters(range: std::ops::RangeInclusive<char>) -> String {
    range.collect()
}

fn log(lines: usize) -> String {
    let line = |i: usize| {
        format!(
            "2024-05-{:02}T12:{:02}:33.{i}Z INFO  worker[{}] handled request GET /api/v1/items/{} in {} ms\n",
            i % 28 + 1,
            i % 60,
            i * 13,
            i * 31,
            i % 97
        )
    };
    (0..lines).map(line).collect()
}

fn json(entries: usize) -> String {
    let entry = |i: usize| {
        format!(
            r#"{{"id":{},"name":"user{i}","active":{},"url":"https://example.com/items/{i}?q={}"}}"#,
            i * 7919,
            i.is_multiple_of(3),
            i * 3
        )
    };
    format!("[{}]", (0..entries).map(entry).collect::<Vec<_>>().join(","))
}

/// The texts, and how many tokens a tokenizer for `o200k` counts in each.
fn texts() -> Vec<(&'static str, String, usize)> {
    let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let noise = letters(&noise(20_000), base64);
    let rows = noise.as_bytes().chunks(76).map(|row| String::from_utf8_lossy(row).into_owned());
    let chinese = "构建失败：找不到模块。数据库连接超时，请稍后再试。服务器将于今晚进行维护，预计持续两个小时。\n";
    vec![
        ("base64", noise.clone(), 13_707),
        ("wrapped base64", rows.map(|row| row + "\n").collect(), 14_002),
        ("hexadecimal", letters(&self::noise(20_000), "0123456789abcdef"), 11_356),
        ("log", log(400), 15_090),
        ("JSON on one line", json(400), 11_141),
        (
            "colours",
            "\x1b[0m\x1b[32mPASS\x1b[39m \x1b[2mtest/\x1b[22m\x1b[1mcart.test.js\x1b[22m\n"
                .repeat(100),
            3_600,
        ),
        ("Chinese", chinese.repeat(60), 1_800),
        ("Braille", letters(&self::noise(2000), &characters('\u{2800}'..='\u{28ff}')), 5_939),
        ("icons", letters(&self::noise(2000), &characters('\u{e000}'..='\u{e0ff}')), 5_464),
        ("boxes", letters(&self::noise(2000), "─│┌┐└┘├┤┬┴┼╭╮╰╯"), 3_586),
        ("Amharic", "ሰላም ዓለም እንዴት ነህ ዛሬ ጥሩ ቀን ነው መጽሐፍ ማንበብ እወዳለሁ\n".repeat(20), 1_540),
        (
            "accents",
            letters(&self::noise(2000), &format!("ae{}", characters('\u{300}'..='\u{30d}'))),
            2_639,
        ),
    ]
}

#[test]
fn the_estimate_is_near_the_count_of_a_tokenizer() {
    for (name, text, tokens) in texts() {
        let estimate = estimate_tokens(text.as_bytes());
        let percent = estimate * 100 / tokens;
        // Of rare characters each is a token or more. Where common ones are counted like them, a reader gets less than there is room
        // for, never more.
        let most = if name == "Chinese" { 130 } else { 100 + MAX_ERROR };
        assert!((100 - MAX_ERROR..=most).contains(&percent), "{name}: {estimate} of {tokens}");
    }
}

#[test]
fn a_budget_pays_for_whole_texts_and_for_the_beginning_of_one() {
    for (name, text, tokens) in texts() {
        let whole = estimate_tokens(text.as_bytes());
        assert!(TokenBudget::new(whole).pay(text.as_bytes()), "{name}");
        assert!(!TokenBudget::new(whole - 1).pay(text.as_bytes()), "{name}");
        // What cannot be paid for costs nothing.
        let mut budget = TokenBudget::new(100);
        assert!(!budget.pay(text.as_bytes()) && budget.pay(b"a line\n"), "{name}");
        let end = TokenBudget::new(tokens / 2).beginning(&text);
        let beginning = estimate_tokens(&text.as_bytes()[..end]);
        assert!((tokens * 4 / 10..=tokens / 2).contains(&beginning), "{name}: {beginning}");
    }
    assert_eq!(TokenBudget::new(0).beginning("a"), 0);
    assert_eq!(TokenBudget::new(1).beginning(""), 0);
}

#[test]
fn a_row_of_equal_characters_is_cheap() {
    for text in [".".repeat(8_000), " ".repeat(8_000), "─".repeat(8_000), "\n".repeat(2_000)] {
        assert!(
            (64..=140).contains(&estimate_tokens(text.as_bytes())),
            "{:?}",
            text.chars().next()
        );
    }
}
