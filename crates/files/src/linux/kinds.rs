//! The kinds of files that are no text, by the bytes that they begin with.

use crate::linux::text::{Document, Encoding};

/// Bytes at a place that only files of one kind have.
struct Magic {
    name: &'static str,
    at: usize,
    bytes: &'static [u8],
}

const fn magic(name: &'static str, at: usize, bytes: &'static [u8]) -> Magic {
    Magic { name, at, bytes }
}

/// The first that fits names the kind.
const KINDS: &[Magic] = &[
    magic("a PNG image", 0, b"\x89PNG\r\n"),
    magic("a JPEG image", 0, b"\xff\xd8\xff"),
    magic("a GIF image", 0, b"GIF8"),
    magic("a WebP image", 8, b"WEBP"),
    magic("a TIFF image", 0, b"II*\0"),
    magic("a TIFF image", 0, b"MM\0*"),
    magic("an icon", 0, b"\0\0\x01\0"),
    magic("a HEIC image", 4, b"ftyphei"),
    magic("an AVIF image", 4, b"ftypavif"),
    magic("a BMP image", 0, b"BM"),
    magic("a Photoshop image", 0, b"8BPS"),
    magic(PDF, 0, b"%PDF-"),
    magic("a ZIP archive, or a document, an app or a package made of one", 0, b"PK\x03\x04"),
    magic("an empty ZIP archive", 0, b"PK\x05\x06"),
    magic("gzip data", 0, b"\x1f\x8b"),
    magic("bzip2 data", 0, b"BZh"),
    magic("xz data", 0, b"\xfd7zXZ\0"),
    magic("Zstandard data", 0, b"\x28\xb5\x2f\xfd"),
    magic("LZ4 data", 0, b"\x04\x22\x4d\x18"),
    magic("a 7z archive", 0, b"7z\xbc\xaf\x27\x1c"),
    magic("a RAR archive", 0, b"Rar!\x1a\x07"),
    magic("a tar archive", 257, b"ustar"),
    magic("an ar archive, such as a static library or a Debian package", 0, b"!<arch>\n"),
    magic("an ELF program, library or object file", 0, b"\x7fELF"),
    magic("a Mach-O program or library", 0, b"\xcf\xfa\xed\xfe"),
    magic("a Java class, or a universal Mach-O file", 0, b"\xca\xfe\xba\xbe"),
    magic("a WebAssembly module", 0, b"\0asm"),
    magic("a Windows program or library", 0, b"MZ"),
    magic("an SQLite database", 0, b"SQLite format 3\0"),
    magic("a Parquet table", 0, b"PAR1"),
    magic("an HDF5 file", 0, b"\x89HDF\r\n"),
    magic("a NumPy array", 0, b"\x93NUMPY"),
    magic("an old Office document", 0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    magic("an MP4 or QuickTime video or sound", 4, b"ftyp"),
    magic("a Matroska or WebM video", 0, b"\x1a\x45\xdf\xa3"),
    magic("an AVI video", 8, b"AVI "),
    magic("a WAV sound", 8, b"WAVE"),
    magic("an MP3 sound", 0, b"ID3"),
    magic("an Ogg sound or video", 0, b"OggS"),
    magic("a FLAC sound", 0, b"fLaC"),
    magic("a WOFF font", 0, b"wOFF"),
    magic("a WOFF2 font", 0, b"wOF2"),
    magic("a TrueType font", 0, b"\0\x01\0\0\0"),
    magic("an OpenType font", 0, b"OTTO"),
    magic("a git index", 0, b"DIRC"),
    magic("a git pack", 0, b"PACK"),
];

const PDF: &str = "a PDF document";

/// The longest beginning of a file that a kind is known by.
pub(crate) const MAX_MAGIC_BYTES: usize = 264;

/// The kind of a file that is no text: `None` for a text. `start` has its first bytes.
pub(crate) fn kind_of(start: &[u8], document: &Document) -> Option<&'static str> {
    let has = |magic: &&Magic| start.get(magic.at..).is_some_and(|at| at.starts_with(magic.bytes));
    let kind = KINDS.iter().find(has).map(|magic| magic.name);
    match document.encoding {
        Encoding::Binary => Some(kind.unwrap_or("a binary file")),
        // Not a text in another encoding.
        Encoding::Unknown => kind,
        // Of what it shows, nothing need be readable in it.
        _ => kind.filter(|kind| *kind == PDF),
    }
}
