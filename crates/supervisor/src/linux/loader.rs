//! A copy of a dynamic loader that loads programs for the kernel and cannot be run by name.
//!
//! The kernel executes the loader of every dynamic program, so the right to execute the loader cannot be taken away, and
//! `ld.so program` runs any file that it can read. The kernel asks which loader a file needs only when the file is executed
//! by name. A copy of the loader that claims to need a loader that cannot be executed still loads programs, and fails when
//! somebody runs it by name.

/// The loader that the copy claims to need: a folder, which cannot be executed.
const NOT_A_LOADER: &[u8] = b"/\0";

const ELF_CLASS_64: u8 = 2;
const LITTLE_ENDIAN: u8 = 1;
const ELF_HEADER_BYTES: usize = 64;
const PROGRAM_HEADER_BYTES: usize = 56;

const PT_INTERP: u32 = 3;
/// The types of program headers that a loader can do without, the most dispensable first: notes, properties, the index of the
/// tables for unwinding.
const DISPENSABLE_HEADER_TYPES: [u32; 3] = [4, 0x6474_e553, 0x6474_e550];

/// Makes the copy. `None` for a file that is no loader, or that has no program header to spare.
pub(crate) fn load_only_copy(file: &[u8]) -> Option<Vec<u8>> {
    let program_headers = program_headers(file)?;
    if program_headers.clone().any(|at| header_type(file, at) == Some(PT_INTERP)) {
        return None;
    }
    let at = DISPENSABLE_HEADER_TYPES.iter().find_map(|&dispensable_type| {
        program_headers.clone().find(|&at| header_type(file, at) == Some(dispensable_type))
    })?;
    let mut copy = file.to_vec();
    let name_offset = u64::try_from(copy.len()).ok()?;
    copy.extend_from_slice(NOT_A_LOADER);
    let name_length = u64::try_from(NOT_A_LOADER.len()).ok()?;
    let mut overwrite = |offset: usize, bytes: &[u8]| {
        copy[at + offset..at + offset + bytes.len()].copy_from_slice(bytes);
    };
    overwrite(0, &PT_INTERP.to_le_bytes());
    overwrite(8, &name_offset.to_le_bytes());
    overwrite(32, &name_length.to_le_bytes());
    Some(copy)
}

/// The offsets of the program headers.
fn program_headers(file: &[u8]) -> Option<impl Iterator<Item = usize> + Clone + use<>> {
    let header = file.get(..ELF_HEADER_BYTES)?;
    let is_elf = header.starts_with(b"\x7fELF") && header[4] == ELF_CLASS_64;
    if !is_elf || header[5] != LITTLE_ENDIAN {
        return None;
    }
    let start = usize::try_from(u64::from_le_bytes(header[32..40].try_into().ok()?)).ok()?;
    let size = u16::from_le_bytes([header[54], header[55]]);
    let count = usize::from(u16::from_le_bytes([header[56], header[57]]));
    let end = start.checked_add(count.checked_mul(PROGRAM_HEADER_BYTES)?)?;
    (usize::from(size) == PROGRAM_HEADER_BYTES && end <= file.len())
        .then(|| (0..count).map(move |index| start + index * PROGRAM_HEADER_BYTES))
}

/// The type of the program header at `at`.
fn header_type(file: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests;
