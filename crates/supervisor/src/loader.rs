//! A dynamic loader that only loads.
//!
//! The kernel executes the loader of every dynamic program, so the right to execute it cannot be taken
//! away, and `ld.so program` runs any file that it can read. But only a file that is executed by name is
//! asked which loader *it* needs: a copy that claims to need one that cannot be executed still loads,
//! and runs nothing by itself.

/// What the copy claims to need: a folder, which nobody executes.
const NOT_A_LOADER: &[u8] = b"/\0";

const CLASS_64: u8 = 2;
const LITTLE_ENDIAN: u8 = 1;
const HEADER_BYTES: usize = 64;
const ENTRY_BYTES: usize = 56;

const PT_INTERP: u32 = 3;
/// Entries that a loader does without, the most dispensable first: notes, properties, the index of
/// tables for unwinding.
const DISPENSABLE: [u32; 3] = [4, 0x6474_e553, 0x6474_e550];

/// The copy; `None` for a file that is no loader, or has no entry to spare.
pub(crate) fn bind(file: &[u8]) -> Option<Vec<u8>> {
    let entries = entries(file)?;
    if entries.clone().any(|at| kind(file, at) == Some(PT_INTERP)) {
        return None;
    }
    let at = DISPENSABLE
        .iter()
        .find_map(|&spare| entries.clone().find(|&at| kind(file, at) == Some(spare)))?;
    let mut copy = file.to_vec();
    let name = u64::try_from(copy.len()).ok()?;
    copy.extend_from_slice(NOT_A_LOADER);
    let length = u64::try_from(NOT_A_LOADER.len()).ok()?;
    let mut put = |offset: usize, bytes: &[u8]| {
        copy[at + offset..at + offset + bytes.len()].copy_from_slice(bytes);
    };
    put(0, &PT_INTERP.to_le_bytes());
    put(8, &name.to_le_bytes());
    put(32, &length.to_le_bytes());
    Some(copy)
}

/// Where the program headers stand.
fn entries(file: &[u8]) -> Option<impl Iterator<Item = usize> + Clone + use<>> {
    let header = file.get(..HEADER_BYTES)?;
    let is_elf = header.starts_with(b"\x7fELF") && header[4] == CLASS_64;
    if !is_elf || header[5] != LITTLE_ENDIAN {
        return None;
    }
    let start = usize::try_from(u64::from_le_bytes(header[32..40].try_into().ok()?)).ok()?;
    let size = u16::from_le_bytes([header[54], header[55]]);
    let count = usize::from(u16::from_le_bytes([header[56], header[57]]));
    let end = start.checked_add(count.checked_mul(ENTRY_BYTES)?)?;
    (usize::from(size) == ENTRY_BYTES && end <= file.len())
        .then(|| (0..count).map(move |index| start + index * ENTRY_BYTES))
}

fn kind(file: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with entries of these kinds and nothing else.
    fn elf(kinds: &[u32]) -> Vec<u8> {
        let mut file = vec![0; HEADER_BYTES + kinds.len() * ENTRY_BYTES];
        file[..4].copy_from_slice(b"\x7fELF");
        (file[4], file[5]) = (CLASS_64, LITTLE_ENDIAN);
        file[32] = 64;
        file[54] = 56;
        file[56] = u8::try_from(kinds.len()).unwrap();
        for (index, kind) in kinds.iter().enumerate() {
            let at = HEADER_BYTES + index * ENTRY_BYTES;
            file[at..at + 4].copy_from_slice(&kind.to_le_bytes());
        }
        file
    }

    #[test]
    fn a_dispensable_entry_names_a_loader_that_is_none() {
        let file = elf(&[1, 0x6474_e550, 4, 1]);
        let copy = bind(&file).unwrap();
        assert_eq!(kind(&copy, HEADER_BYTES + 2 * ENTRY_BYTES), Some(PT_INTERP));
        assert_eq!(&copy[file.len()..], NOT_A_LOADER);
        let at = HEADER_BYTES + 2 * ENTRY_BYTES;
        assert_eq!(copy[at + 8..at + 16], (file.len() as u64).to_le_bytes());
    }

    #[test]
    fn what_is_no_loader_is_left_alone() {
        assert!(bind(b"#!/bin/sh\n").is_none());
        assert!(bind(&elf(&[1, 1])).is_none(), "nothing to spare");
        assert!(bind(&elf(&[1, 3, 4])).is_none(), "a program, not a loader");
        for cut in 0..HEADER_BYTES + ENTRY_BYTES {
            assert!(bind(&elf(&[4])[..cut]).is_none(), "{cut} bytes");
        }
    }
}
