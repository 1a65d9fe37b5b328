//! Generates terminal output from a seed, together with the text that a terminal would show.

/// A generator of the same pseudo-random numbers in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

/// Output of programs, and its text on a screen.
#[derive(Default)]
pub(crate) struct Corpus {
    pub(crate) raw: Vec<u8>,
    pub(crate) clean: Vec<u8>,
}

impl Corpus {
    /// Adds the same text to the output and to the screen.
    fn both(&mut self, text: &str) {
        self.raw.extend_from_slice(text.as_bytes());
        self.clean.extend_from_slice(text.as_bytes());
    }

    /// At least `bytes` of lines made by `line`.
    pub(crate) fn of(bytes: usize, line: fn(&mut Corpus, &mut Numbers)) -> Corpus {
        let mut corpus = Corpus::default();
        let mut numbers = Numbers::new();
        while corpus.raw.len() < bytes {
            line(&mut corpus, &mut numbers);
        }
        corpus
    }
}

const MESSAGES: [&str; 6] = [
    "request finished",
    "cache miss, reading from the second level",
    "connection reused",
    "retry scheduled after a timeout of the upstream",
    "row written",
    "Compiling a-crate-of-many v1.2.3 (/home/user/project/crates/a-crate-of-many)",
];

const WORDS: [&str; 5] =
    ["größer als vorher", "日本語のログ", "✓ fertig", "« прошло »", "build 🚀 done"];

fn log_line(numbers: &mut Numbers) -> String {
    format!(
        "2026-03-14T09:{:02}:{:02}.{:03}Z INFO [worker-{}] {} status={} duration_ms={}",
        numbers.below(60),
        numbers.below(60),
        numbers.below(1000),
        numbers.below(16),
        MESSAGES[numbers.below(MESSAGES.len())],
        [200, 201, 304, 404][numbers.below(4)],
        numbers.below(900),
    )
}

/// A line of ASCII.
pub(crate) fn plain(corpus: &mut Corpus, numbers: &mut Numbers) {
    let line = log_line(numbers);
    corpus.both(&line);
    corpus.both("\n");
}

/// A line that ends with a carriage return and a newline.
pub(crate) fn crlf(corpus: &mut Corpus, numbers: &mut Numbers) {
    let line = log_line(numbers);
    corpus.both(&line);
    corpus.raw.extend_from_slice(b"\r\n");
    corpus.clean.push(b'\n');
}

/// A line with some coloured words.
pub(crate) fn coloured(corpus: &mut Corpus, numbers: &mut Numbers) {
    for word in log_line(numbers).split_inclusive(' ') {
        let coloured = numbers.below(3) == 0;
        if coloured {
            let start = format!("\x1b[{};{}m", numbers.below(2), 30 + numbers.below(8));
            corpus.raw.extend_from_slice(start.as_bytes());
        }
        corpus.both(word);
        if coloured {
            corpus.raw.extend_from_slice(b"\x1b[0m");
        }
    }
    corpus.both("\n");
}

/// A progress bar: a line that is overwritten several times.
pub(crate) fn progress(corpus: &mut Corpus, numbers: &mut Numbers) {
    let mut last = String::new();
    for percent in (0..=100).step_by(10) {
        let bar = "#".repeat(percent / 5);
        last = format!("downloading {percent:3} % [{bar:20}] {:4} KB/s", numbers.below(9999));
        corpus.raw.extend_from_slice(last.as_bytes());
        corpus.raw.push(b'\r');
    }
    corpus.raw.push(b'\n');
    corpus.clean.extend_from_slice(last.as_bytes());
    corpus.clean.push(b'\n');
}

/// A line with words of other scripts.
pub(crate) fn other_scripts(corpus: &mut Corpus, numbers: &mut Numbers) {
    let line = log_line(numbers);
    corpus.both(&line);
    for _ in 0..4 {
        corpus.both(" ");
        corpus.both(WORDS[numbers.below(WORDS.len())]);
    }
    corpus.both("\n");
}

/// A line with a byte that is not valid UTF-8.
pub(crate) fn invalid(corpus: &mut Corpus, numbers: &mut Numbers) {
    let line = log_line(numbers);
    corpus.both(&line);
    corpus.raw.push(0xff);
    corpus.clean.extend_from_slice("\u{fffd}".as_bytes());
    corpus.both(" and on\n");
}

/// Output of a build: mostly plain lines, about a third of them coloured, overwritten or of other kinds.
pub(crate) fn mixed(corpus: &mut Corpus, numbers: &mut Numbers) {
    match numbers.below(100) {
        0..68 => plain(corpus, numbers),
        68..88 => coloured(corpus, numbers),
        88..92 => crlf(corpus, numbers),
        92..94 => progress(corpus, numbers),
        94..99 => other_scripts(corpus, numbers),
        _ => invalid(corpus, numbers),
    }
}
