use std::fmt::Write;

use handrail_text::{Excerpt, Excerpts};
use proptest::prelude::*;

fn excerpt(text: &str, tokens: usize) -> Excerpt {
    let mut excerpts = Excerpts::new();
    excerpts.push(text.as_bytes());
    excerpts.finish(tokens)
}

/// Lines that the notices stand for, and lines that are none.
fn counted(text: &str) -> (u64, u64) {
    text.lines().fold((0, 0), |(omitted, shown), line| {
        let count = line.strip_prefix('[').and_then(|line| line.split_once(" line"));
        match count.and_then(|(count, _)| count.parse::<u64>().ok()) {
            Some(count) => (omitted + count, shown),
            None => (omitted, shown + 1),
        }
    })
}

/// A log of many alike lines with something at one place.
fn log(lines: usize, at: usize, place: &str) -> String {
    (0..lines).fold(String::new(), |mut text, line| {
        if line == at {
            text.push_str(place);
        }
        writeln!(text, "12:00:{:02} GET /items/{line} 200 in {} ms", line % 60, line % 7)
            .expect("a text");
        text
    })
}

#[test]
fn what_fits_is_whole() {
    for text in ["", "\n", "a", "a\n", "a\n\n\nb", "é\n  indented\n\ttab\n"] {
        let whole = excerpt(text, 1_000);
        assert_eq!(whole.text, text);
        assert!(!whole.truncated);
        assert_eq!(whole.total_lines, whole.shown_lines);
    }
}

#[test]
fn an_error_in_the_middle_is_shown_with_what_follows_it() {
    let place = "TypeError: x is not a function\n    at handler (server.js:10:3)\n";
    let text = log(50_000, 25_000, place);
    let chosen = excerpt(&text, 500);
    assert!(chosen.text.contains(place), "{}", chosen.text);
    assert_eq!(chosen.total_lines, 50_002);
    assert!(chosen.text.starts_with("12:00:00 GET /items/0 200"), "{}", chosen.text);
    assert!(chosen.text.ends_with("GET /items/49999 200 in 5 ms\n"), "{}", chosen.text);
}

#[test]
fn a_line_unlike_all_others_is_shown() {
    let place = "12:00:30 connection pool exhausted, waiting for a client\n";
    let chosen = excerpt(&log(50_000, 31_007, place), 500);
    assert!(chosen.text.contains(place), "{}", chosen.text);
}

/// A table of alike rows, whose values `cells` gives, with one row in the middle that differs.
fn table(rows: usize, odd: &str, cells: impl Fn(usize) -> String) -> String {
    (0..rows).fold(String::new(), |mut text, row| {
        let cells = if row == rows / 2 { odd.to_owned() } else { cells(row) };
        writeln!(text, "{cells}").expect("a text");
        text
    })
}

#[test]
fn a_value_that_is_rare_in_its_column_is_shown() {
    let request = |row: usize| format!("GET /items/{row} {} {} ms", [200, 304][row % 2], row % 50);
    let texts = [
        table(200_000, "GET /items/100000 503 12 ms", request),
        table(5_000, "row-77aa1 tampered 7", |row| format!("row-{row}aa1 good {}", row % 9)),
        table(5_000, "10.0.0.9 - tcp 80", |row| format!("10.0.0.{} - tcp 80", row % 8)),
    ];
    for (text, odd) in texts.iter().zip(["503", "tampered", "10.0.0.9"]) {
        let chosen = excerpt(text, 500);
        assert!(chosen.text.contains(odd), "{}", chosen.text);
        assert!(chosen.text.len() < 4_000);
    }
}

#[test]
fn an_extreme_number_is_shown() {
    for odd in ["case 1500 in 58.733 s", "case 1500 in -4.1 s"] {
        let text = table(3_000, odd, |row| format!("case {row} in 0.{:03} s", row * 7919 % 997));
        let chosen = excerpt(&text, 300);
        assert!(chosen.text.contains(odd), "{}", chosen.text);
    }
}

#[test]
fn ids_are_no_rare_values() {
    let text = table(2_000, "pod web-5x2k9 is Pending", |row| {
        format!("pod web-{:05x} is Running", row.wrapping_mul(2_654_435_761) % 0xf_ffff)
    });
    let chosen = excerpt(&text, 400);
    assert!(chosen.text.contains("Pending"), "{}", chosen.text);
    assert!(chosen.text.len() < 1_200, "{}", chosen.text);
}

#[test]
fn a_long_line_is_divided_into_pieces() {
    let items =
        table(8_000, r#"{"id":4000,"state":"disputed","cents":700,"at":"2026-11-08"},"#, |row| {
            format!(r#"{{"id":{row},"state":"paid","cents":{},"at":"2026-11-08"}},"#, row % 100)
        });
    let line = format!("file.json:1:[{}]", items.trim_end().replace('\n', ""));
    for (before, after) in [("", ""), ("first\n", "\nlast\n")] {
        let chosen = excerpt(&format!("{before}{line}{after}"), 400);
        let shown = chosen.text.lines().find(|line| line.starts_with("file.json:1:[{\"id\":0,"));
        let shown = shown.unwrap_or_else(|| panic!("{}", chosen.text));
        assert!(shown.contains(r#""state":"disputed""#), "{shown}");
        // What is shown and what is counted are the whole line.
        let (mut at, mut rest) = (0, shown);
        while let Some((text, after)) = rest.split_once("[... ") {
            assert!(line[at..].starts_with(text));
            let (omitted, after) = after.split_once(" characters ...]").expect("a number");
            at += text.len() + omitted.parse::<usize>().expect("a number");
            rest = after;
        }
        assert_eq!(&line[at..], rest);
        assert_eq!(chosen.total_lines, chosen.shown_lines);
        assert!(chosen.truncated);
    }
}

#[test]
fn headings_are_shown_from_the_whole_length() {
    let text = (0..40).fold(String::new(), |mut text, section| {
        let names = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"];
        writeln!(text, "chapter {} {}", names[section / 8], names[section % 8]).expect("a text");
        (0..50).for_each(|line| writeln!(text, "  entry {line} of many").expect("a text"));
        text
    });
    let chosen = excerpt(&text, 900);
    let shown = chosen.text.lines().filter(|line| line.starts_with("chapter")).count();
    assert!(shown >= 20, "{}", chosen.text);
}

#[test]
fn alike_lines_are_counted_as_such() {
    let chosen = excerpt(&log(1_000, 0, ""), 300);
    assert!(chosen.text.contains(" lines like this]"), "{}", chosen.text);
    let turns =
        (0..500).fold(String::new(), |text, turn| text + &format!("ping {turn}\npong {turn}\n"));
    let chosen = excerpt(&turns, 200);
    assert!(chosen.text.contains(" lines like these]"), "{}", chosen.text);
    let various = (0..999).fold(String::new(), |mut text, line| {
        let letter = |at: usize| char::from(b'a' + u8::try_from(at % 26).unwrap());
        writeln!(text, "{}{}{} word", letter(line), letter(line / 26), letter(line * 7))
            .expect("a text");
        text
    });
    assert!(!excerpt(&various, 200).text.contains("like"), "{}", excerpt(&various, 200).text);
}

#[test]
fn a_long_line_is_shortened_and_counted() {
    for line in ["x".repeat(1_000_000), "é".repeat(500_000), "ab é".repeat(2_000)] {
        let chosen = excerpt(&format!("before\n{line}\nafter\n"), 4_000);
        let shown = chosen.text.lines().nth(1).unwrap();
        let (head, rest) = shown.split_once("[... ").unwrap();
        let (count, tail) = rest.split_once(" characters ...]").unwrap();
        let omitted = count.parse::<usize>().unwrap();
        assert_eq!(head.chars().count() + omitted + tail.chars().count(), line.chars().count());
        assert!(line.starts_with(head) && line.ends_with(tail));
        assert!(shown.chars().count() < 1_100);
        assert!(chosen.truncated);
    }
}

#[test]
fn a_mask_is_not_divided() {
    let line = format!("{}[REDACTED:generic-secret]{}", "x".repeat(690), "y".repeat(5_000));
    let chosen = excerpt(&line, 4_000);
    assert!(
        !chosen.text.contains("[REDACTED") || chosen.text.contains("[REDACTED:generic-secret]")
    );
}

#[test]
fn every_line_is_shown_or_counted_whatever_comes() {
    let unique = (0..20_000_u32).fold(String::new(), |mut text, line| {
        let hash = |salt: u32| (line.wrapping_add(salt)).wrapping_mul(2_654_435_761);
        let words = [1, 2, 3].map(|salt| {
            let letters =
                (0..6).map(|place| b'a' + (hash(salt) >> (place * 5)).to_le_bytes()[0] % 26);
            String::from_utf8(letters.collect()).unwrap()
        });
        writeln!(text, "{}", words.join(" ")).expect("a text");
        text
    });
    let errors = (0..20_000).fold(String::new(), |text, line| text + &format!("error: {line}\n"));
    for text in [unique, errors, log(20_000, 7, "\n\n"), "\n".repeat(20_000)] {
        for tokens in [100, 4_000] {
            let chosen = excerpt(&text, tokens);
            let (omitted, shown) = counted(&chosen.text);
            assert_eq!(chosen.total_lines, text.lines().count() as u64);
            assert_eq!(
                (omitted, shown),
                (chosen.total_lines - chosen.shown_lines, chosen.shown_lines)
            );
            // Tokens of English are about four bytes, those of made-up words fewer.
            assert!(chosen.text.len() < tokens * 8, "{} bytes", chosen.text.len());
        }
    }
}

proptest! {
    #[test]
    fn the_choice_does_not_depend_on_the_pieces(
        lines in prop::collection::vec("[a-c ]{0,6}(error: )?[0-9]{0,3}(é|/tmp/x)?", 0..300),
        cuts in prop::collection::vec(1..3_000_usize, 1..40),
        tokens in 20..2_000_usize,
        ended: bool,
        separator in "\n|, |\\},\\{|;|é",
    ) {
        // With another separator than a line end it is one long line.
        let text = lines.join(&separator) + if ended { "\n" } else { "" };
        let mut excerpts = Excerpts::new();
        let mut rest = text.as_bytes();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at(rest.len().min(*cut));
            excerpts.push(piece);
            rest = after;
        }
        let chosen = excerpts.finish(tokens);
        prop_assert_eq!(&chosen, &excerpt(&text, tokens));
        let (omitted, shown) = counted(&chosen.text);
        prop_assert_eq!(omitted + shown, chosen.total_lines);
    }
}

/// A stream that is too long to be read whole, in pieces of this size.
fn in_pieces(text: &str, size: usize) -> Excerpt {
    let mut excerpts = Excerpts::new();
    text.as_bytes().chunks(size).for_each(|piece| excerpts.push(piece));
    excerpts.finish(500)
}

#[test]
fn of_a_long_stream_errors_are_found_wherever_they_are() {
    let error = "fatal: the disk is full\n";
    let mut text = log(150_000, 0, "");
    let place = text.len() - 20_000;
    let place = place + text[place..].find('\n').unwrap() + 1;
    text.insert_str(place, error);
    assert!(text.len() > 5 << 20, "{}", text.len());
    let whole = in_pieces(&text, usize::MAX);
    assert!(whole.text.contains(error), "{}", whole.text);
    assert_eq!(whole.total_lines, 150_001);
    let (omitted, shown) = counted(&whole.text);
    assert_eq!(omitted + shown, whole.total_lines);
    for size in [7, 1_000, 4_096, 65_536, 1 << 20] {
        assert_eq!(in_pieces(&text, size), whole, "{size}");
    }
}

#[test]
fn a_long_stream_of_new_shapes_is_sampled_alike_however_it_is_divided() {
    let letters = |number: usize| {
        number.to_string().bytes().map(|digit| char::from(digit + 49)).collect::<String>()
    };
    let mut text = (0..120_000).fold(String::new(), |mut text, line| {
        let signs = ["-", "=", ":", "/", "(", ")", "<", ">", "|", "*"];
        let shape = (0..9).map(|place| signs[line / 10_usize.pow(place % 5) % 10]);
        let words = shape.collect::<Vec<_>>().join(&letters(line));
        writeln!(text, "{words}{}", if line % 5_000 == 777 { " fatal" } else { "" })
            .expect("a text");
        if line % 9_000 == 0 {
            writeln!(text, "{}", format!("{words}, ").repeat(90)).expect("a text");
        }
        text
    });
    // Shapes that are known: they are read as a whole again.
    text.push_str(&log(20_000, 9_000, "12:00:30 GET /items/1 503 in 1 ms\n"));
    assert!(text.len() > 6 << 20, "{}", text.len());
    let whole = in_pieces(&text, usize::MAX);
    assert!(whole.text.contains("fatal"), "{}", whole.text);
    for size in [13, 1_000, 4_097, 65_536] {
        assert_eq!(in_pieces(&text, size), whole, "{size}");
    }
}

#[test]
fn a_line_of_short_pieces_is_divided_into_readable_ones() {
    let rows = |odd: usize| {
        let row = |id| {
            let state = if id == odd { "FAILED" } else { "ok" };
            format!(r#"{{"id":{id},"s":"{state}"}}"#)
        };
        (0..3_000).map(row).collect::<Vec<_>>().join(",")
    };
    let words = "a word of many that say nothing at all ";
    let text = format!("{}ERROR disk full fatal {}", words.repeat(1_500), words.repeat(1_500));
    for (text, telling) in [(format!("[{}]", rows(1_234)), "FAILED"), (text, "ERROR disk full")] {
        let excerpt = excerpt(&text, 4_000);
        assert!(excerpt.text.contains(telling), "{telling}: {}", &excerpt.text[..200]);
    }
}

#[test]
fn an_extreme_of_a_long_array_of_numbers_is_shown() {
    for (odd, separator) in [("58733", ","), ("-41", ","), ("58733.5", ", "), ("9999", " ")] {
        let number = |row: usize| {
            if row == 12_345 { odd.to_owned() } else { (10 + row * 7919 % 89).to_string() }
        };
        let numbers: Vec<String> = (0..40_000).map(number).collect();
        for (before, after) in [("[", "]"), ("{\"ms\":[", "]}")] {
            let chosen = excerpt(&format!("{before}{}{after}", numbers.join(separator)), 500);
            assert!(chosen.text.contains(odd), "{odd}: {}", chosen.text);
            assert!(chosen.truncated);
        }
    }
}

#[test]
fn something_of_a_long_line_is_shown_however_small_the_budget_is() {
    let base64 = "Zm9vYmFyQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo";
    for text in
        ["word ".repeat(20_000), base64.repeat(2_000), "第次构建失败找不到模块".repeat(3_000)]
    {
        for tokens in [100, 200, 400] {
            let excerpt = excerpt(&text, tokens);
            assert_eq!((excerpt.shown_lines, excerpt.truncated), (1, true), "{tokens}");
            assert!(excerpt.text.starts_with(&text[..15]), "{tokens}: {}", excerpt.text);
        }
    }
}
