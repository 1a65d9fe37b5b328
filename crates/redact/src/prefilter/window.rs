//! Choosing the window of a literal: the four bytes that are rarest in logs and source.

use std::sync::LazyLock;

/// The number of bytes in a window. In a literal of three bytes the last one is open.
pub(super) const WINDOW_BYTES: usize = 4;

/// The bit that differs between upper and lower case.
pub(super) const FOLD: u8 = 0x20;

/// How much less rare than the rarest window a window may be if other literals share it.
const MAX_RARITY_LOSS: f32 = 2.0;

/// Four folded bytes as a number. The first byte is the lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Window {
    pub(super) gram: u32,
    /// Whether the last byte is open: the literal ends before it.
    pub(super) is_short: bool,
}

impl Window {
    /// The window of a literal at an offset.
    pub(super) fn at(literal: &[u8], offset: usize) -> Self {
        Self { gram: gram_at(literal, offset), is_short: literal.len() < offset + WINDOW_BYTES }
    }

    /// Whether the window fits these bytes.
    #[inline]
    pub(super) fn has(self, gram: u32) -> bool {
        let differs = self.gram ^ gram;
        differs == 0 || self.is_short && differs << 8 == 0
    }

    /// How rare the window is, as a logarithm.
    pub(super) fn rarity(self) -> f32 {
        let bytes = self.gram.to_le_bytes().into_iter();
        let closed = bytes.take(WINDOW_BYTES - usize::from(self.is_short));
        let sum: f32 = closed.map(|byte| RARITIES[usize::from(byte)]).sum();
        let is_frequent = !self.is_short && FREQUENT_GRAMS.binary_search(&self.gram).is_ok();
        if is_frequent { sum - FREQUENT_GRAM_RARITY_LOSS } else { sum }
    }
}

/// Four bytes as a folded number.
#[inline]
pub(super) fn gram(bytes: [u8; WINDOW_BYTES]) -> u32 {
    u32::from_le_bytes(bytes) | u32::from_le_bytes([FOLD; WINDOW_BYTES])
}

/// The four bytes at `at` as a folded number. Zeros follow the end of the text.
#[inline]
pub(super) fn gram_at(text: &[u8], at: usize) -> u32 {
    match text[at..].first_chunk() {
        Some(&bytes) => gram(bytes),
        None => gram(std::array::from_fn(|place| text.get(at + place).copied().unwrap_or(0))),
    }
}

/// How rare the rarest window of a literal is.
pub(super) fn rarity(literal: &[u8]) -> f32 {
    all(literal).map(|(_, window)| window.rarity()).fold(0.0, f32::max)
}

/// The windows of a literal that are about as rare as its rarest, with their offsets.
pub(super) fn rare(literal: &[u8]) -> impl Iterator<Item = (usize, Window)> {
    let least = rarity(literal) - MAX_RARITY_LOSS;
    all(literal).filter(move |(_, window)| window.rarity() >= least)
}

fn all(literal: &[u8]) -> impl Iterator<Item = (usize, Window)> {
    let last = literal.len().saturating_sub(WINDOW_BYTES);
    (0..=last).map(|offset| (offset, Window::at(literal, offset)))
}

/// How much less rare a frequent window is than its bytes suggest.
const FREQUENT_GRAM_RARITY_LOSS: f32 = 9.0;

/// Windows that are frequent although their bytes are rare.
const FREQUENT_GRAM_TEXT: &str = "---- .com able ance arch auth bina brow cali cess city ckag clar clou code com/ comm conf \
    cont cord cred cret data disc dock ecre ence ener erro ever file fied fini form from gist here hook host http ient \
    ifac ight igna info ings inte istr itte ivat key_ leng line link list logi look loud lway mand mark ment mess name \
    ntry oken onse ooks open orma ould page pass path ping plat plin port post priv push quar reat requ ress ring rint \
    riva rows ruct scal secr serv shar sign sour ster stri tabl tack test that ther this thor tify time tion tive toke \
    tory trol tter ture type unsp unti user valu vate void warn with zero";

/// The frequent windows as sorted numbers.
static FREQUENT_GRAMS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let windows = FREQUENT_GRAM_TEXT.split_ascii_whitespace();
    let mut grams: Vec<u32> = windows.map(|window| gram_at(window.as_bytes(), 0)).collect();
    grams.sort_unstable();
    grams
});

/// How rare each byte is, as a logarithm.
static RARITIES: LazyLock<Vec<f32>> =
    LazyLock::new(|| (0..=u8::MAX).map(|byte| -(frequency(byte) / 1_000.0).ln()).collect());

/// How many of a thousand bytes of logs and source are this byte after folding, approximately.
#[rustfmt::skip]
pub(super) fn frequency(byte: u8) -> f32 {
    /// Blanks, letters, digits and marks, the most frequent first.
    const BYTES_BY_FREQUENCY: &[(&[u8], f32)] = &[
        (b" ", 130.0), (b"e", 75.0), (b"t", 62.0), (b"anoirs", 46.0), (b"lcd", 32.0), (b"pmuf", 23.0), (b"h", 20.0),
        (b"01", 16.0), (b"gbyw2.-/,:", 13.0), (b"v3456789\x7f\"*()=;'k", 9.0), (b"x{}&", 5.0), (b"jqz", 2.0),
    ];
    BYTES_BY_FREQUENCY.iter().find(|(bytes, _)| bytes.contains(&byte)).map_or(0.5, |(_, count)| *count)
}
