//! Which four bytes of a literal are looked for first: those that are rarest in logs and source.

use std::sync::LazyLock;

/// Bytes of a window. A literal of three bytes leaves the last one open.
pub(super) const WINDOW_BYTES: usize = 4;

/// Sets the bit that tells letters of both cases apart.
const FOLD: u8 = 0x20;

/// How much less rare than the rarest a window may be that other literals have as well.
const SPARED: f32 = 2.0;

/// The folded bytes of a window; `None` is any byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Window {
    bytes: [u8; WINDOW_BYTES],
    /// The last byte is open.
    short: bool,
}

impl Window {
    /// The window of a literal at an offset.
    pub(super) fn at(literal: &[u8], offset: usize) -> Self {
        let byte = |place: usize| literal.get(offset + place).copied().map_or(FOLD, fold);
        Self { bytes: std::array::from_fn(byte), short: literal.len() < offset + WINDOW_BYTES }
    }

    /// How rare the rarest window of a literal is, as a logarithm.
    pub(super) fn rarest(literal: &[u8]) -> f32 {
        Self::all(literal).map(|(_, window)| window.rarity()).fold(0.0, f32::max)
    }

    /// The windows of a literal that are about as rare as the rarest, and where in it they begin.
    pub(super) fn rare(literal: &[u8]) -> impl Iterator<Item = (usize, Self)> {
        let least = Self::rarest(literal) - SPARED;
        Self::all(literal).filter(move |(_, window)| window.rarity() >= least)
    }

    fn all(literal: &[u8]) -> impl Iterator<Item = (usize, Self)> {
        let last = literal.len().saturating_sub(WINDOW_BYTES);
        (0..=last).map(|offset| (offset, Self::at(literal, offset)))
    }

    pub(super) fn rarity(self) -> f32 {
        let known = !self.short && FOLDED.contains(&self.bytes);
        let bytes = (0..WINDOW_BYTES).filter_map(|place| self.byte(place));
        let sum: f32 = bytes.map(|byte| RARITIES[usize::from(byte)]).sum();
        if known { sum - FREQUENT_BY } else { sum }
    }

    pub(super) fn is_short(self) -> bool {
        self.short
    }

    /// The bytes as one number, without an open one.
    pub(super) fn gram(self) -> u32 {
        let gram = u32::from_le_bytes(self.bytes);
        if self.short { gram & SHORT } else { gram }
    }

    /// The byte at `place`, unless it is open.
    pub(super) fn byte(self, place: usize) -> Option<u8> {
        (place < WINDOW_BYTES - usize::from(self.short)).then(|| self.bytes[place])
    }
}

/// The bits of a gram of three bytes.
pub(super) const SHORT: u32 = 0x00ff_ffff;

/// Sets the bit that tells letters apart, in each byte of a gram.
const FOLD_ALL: u32 = 0x2020_2020;

pub(super) fn fold(byte: u8) -> u8 {
    byte | FOLD
}

/// Four bytes of text as a gram.
#[inline]
pub(super) fn gram(bytes: [u8; WINDOW_BYTES]) -> u32 {
    u32::from_le_bytes(bytes) | FOLD_ALL
}

/// What a frequent window is less rare than its bytes say.
const FREQUENT_BY: f32 = 9.0;

/// Windows that are frequent although their bytes are not.
#[rustfmt::skip]
const FREQUENT: &[&[u8; WINDOW_BYTES]] = &[
    b"----", b".com", b"able", b"ance", b"arch", b"auth", b"bina", b"brow", b"cali", b"cess", b"city", b"ckag", b"clar",
    b"clou", b"code", b"com/", b"comm", b"conf", b"cont", b"cord", b"cred", b"cret", b"data", b"disc", b"dock", b"ecre",
    b"ence", b"ener", b"erro", b"ever", b"file", b"fied", b"fini", b"form", b"from", b"gist", b"here", b"hook", b"host", b"http", b"ient",
    b"ifac", b"ight", b"igna", b"info", b"ings", b"inte", b"istr", b"itte", b"ivat", b"key_", b"leng", b"line", b"link",
    b"list", b"logi", b"look", b"loud", b"lway", b"mand", b"mark", b"ment", b"mess", b"name", b"ntry", b"oken", b"onse",
    b"ooks", b"open", b"orma", b"ould", b"page", b"pass", b"path", b"ping", b"plat", b"plin", b"port", b"post", b"priv",
    b"push", b"quar", b"reat", b"requ", b"ress", b"ring", b"rint", b"riva", b"rows", b"ruct", b"scal", b"secr", b"serv", b"shar", b"sign",
    b"sour", b"ster", b"stri", b"tabl", b"tack", b"test", b"that", b"ther", b"this", b"thor", b"tify", b"time", b"tion",
    b"tive", b"toke", b"tory", b"trol", b"tter", b"ture", b"type", b"unsp", b"unti", b"user", b"valu", b"vate", b"void", b"warn",
    b"with", b"zero",
];

static FOLDED: LazyLock<Vec<[u8; WINDOW_BYTES]>> =
    LazyLock::new(|| FREQUENT.iter().map(|window| window.map(fold)).collect());

/// How rare each byte is, as a logarithm.
static RARITIES: LazyLock<[f32; 256]> = LazyLock::new(|| {
    let mut rarities = [0.0; 256];
    for (byte, rarity) in (0..=u8::MAX).zip(&mut rarities) {
        *rarity = -(frequency(byte) / 1_000.0).ln();
    }
    rarities
});

/// How many of a thousand bytes of logs and source are this one, roughly, after folding.
pub(super) fn frequency(byte: u8) -> f32 {
    /// Blanks, letters, digits and marks from the most frequent on.
    const ORDER: &[(&[u8], f32)] = &[
        (b" ", 130.0),
        (b"e", 75.0),
        (b"t", 62.0),
        (b"anoirs", 46.0),
        (b"lcd", 32.0),
        (b"pmuf", 23.0),
        (b"h", 20.0),
        (b"01", 16.0),
        (b"gbyw2.-/,:", 13.0),
        (b"v3456789\x7f\"*()=;'k", 9.0),
        (b"x{}&", 5.0),
        (b"jqz", 2.0),
    ];
    ORDER.iter().find(|(bytes, _)| bytes.contains(&byte)).map_or(0.5, |(_, count)| *count)
}
