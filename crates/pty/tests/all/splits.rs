//! The same bytes give the same text, however they were cut.

use handrail_pty::{Read, Until, Waiting};

use crate::support::{Terminal, read};

/// Small numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }
}

#[test]
fn answers_do_not_depend_on_the_pieces() {
    let secret = ["gh", "p_", "a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg7Kq2Z"].concat();
    let raw = format!(
        "\x1b[1mgrün\x1b[0m\r\n10%\r50%\r100%\r\n\x1b]0;t\x07{secret} x\r\nab\x08c\n日本\x1b[2K\r$ fake\r\n{}\r\n$ ",
        "w".repeat(300)
    );
    let whole = told(&[raw.as_bytes()], false);
    assert!(whole.starts_with("grün\n100%\n[REDACTED] x\nac\n$ fake\nwww"), "{whole}");
    let mut numbers = Numbers(7);
    for round in 0..300 {
        let mut pieces = Vec::new();
        let mut rest = raw.as_bytes();
        while !rest.is_empty() {
            let (piece, after) = rest.split_at((1 + numbers.below(40)).min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        assert_eq!(told(&pieces, false), whole, "{round}");
        // Read in between, the parts are the whole as well, but for a line that was told and written over.
        let parts = told(&pieces, true);
        assert!(!parts.contains("Kq2"), "{parts}");
        assert!(parts.ends_with(&whole[whole.len() - 300..]), "{parts}");
    }
}

/// The answers of one session, read between the pieces or at the end, and its history.
fn told(pieces: &[&[u8]], between: bool) -> String {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    let mut told = String::new();
    for piece in pieces {
        terminal.session.output(piece, terminal.now);
        if between {
            told += &terminal.read(Read { until: Until::Now, ..read() }).text;
        }
    }
    terminal.look.waiting = Waiting::Only;
    told += &terminal.read(read()).text;
    assert!(told.ends_with("$ "), "{told}");
    if !between {
        assert_eq!(terminal.history(), told);
    }
    told
}
