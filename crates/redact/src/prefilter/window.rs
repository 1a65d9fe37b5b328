//! Which four bytes of a literal are looked for first: those that are rarest in logs and source.

/// Bytes of a window. A literal of three bytes leaves the last one open.
pub(super) const WINDOW_BYTES: usize = 4;

/// Sets the bit that tells letters of both cases apart.
const FOLD: u8 = 0x20;

/// The folded bytes of a window; `None` is any byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Window {
    bytes: [u8; WINDOW_BYTES],
    /// The last byte is open.
    short: bool,
}

impl Window {
    /// The rarest window of a literal and where in it that begins.
    pub(super) fn of(literal: &[u8]) -> (Self, usize) {
        if let [first, second, third] = *literal {
            return (Self { bytes: [first, second, third, 0].map(fold), short: true }, 0);
        }
        let windows = literal.windows(WINDOW_BYTES).enumerate();
        let rated = windows.map(|(at, bytes)| {
            let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]].map(fold);
            (rarity(bytes), at, bytes)
        });
        // Of equals the first: what comes before a token is checked where it begins.
        let best = rated.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
        let (_, at, bytes) = best.unwrap_or((0.0, 0, [FOLD; WINDOW_BYTES]));
        (Self { bytes, short: false }, at)
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
    #[cfg(any(target_arch = "x86_64", test))]
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

/// How rare a folded window is, as a logarithm.
fn rarity(bytes: [u8; WINDOW_BYTES]) -> f32 {
    let known = FREQUENT.iter().any(|known| **known == bytes);
    let sum: f32 = bytes.iter().map(|&byte| -frequency(byte).ln()).sum();
    if known { sum - FREQUENT_BY } else { sum }
}

/// What a frequent window is less rare than its bytes say.
const FREQUENT_BY: f32 = 9.0;

/// Windows that are frequent although their bytes are not. Folded.
#[rustfmt::skip]
const FREQUENT: &[&[u8; WINDOW_BYTES]] = &[b"pass", b"auth", b"http"];

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
