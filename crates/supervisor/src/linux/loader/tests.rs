use super::*;

/// A file with entries of these kinds and nothing else.
fn elf(kinds: &[u32]) -> Vec<u8> {
    let mut file = vec![0; ELF_HEADER_BYTES + kinds.len() * PROGRAM_HEADER_BYTES];
    file[..4].copy_from_slice(b"\x7fELF");
    (file[4], file[5]) = (ELF_CLASS_64, LITTLE_ENDIAN);
    file[32] = 64;
    file[54] = 56;
    file[56] = u8::try_from(kinds.len()).unwrap();
    for (index, kind) in kinds.iter().enumerate() {
        let at = ELF_HEADER_BYTES + index * PROGRAM_HEADER_BYTES;
        file[at..at + 4].copy_from_slice(&kind.to_le_bytes());
    }
    file
}

#[test]
fn a_dispensable_entry_names_a_loader_that_is_none() {
    let file = elf(&[1, 0x6474_e550, 4, 1]);
    let copy = load_only_copy(&file).unwrap();
    assert_eq!(header_type(&copy, ELF_HEADER_BYTES + 2 * PROGRAM_HEADER_BYTES), Some(PT_INTERP));
    assert_eq!(&copy[file.len()..], NOT_A_LOADER);
    let at = ELF_HEADER_BYTES + 2 * PROGRAM_HEADER_BYTES;
    assert_eq!(copy[at + 8..at + 16], (file.len() as u64).to_le_bytes());
}

#[test]
fn what_is_no_loader_is_left_alone() {
    assert!(load_only_copy(b"#!/bin/sh\n").is_none());
    assert!(load_only_copy(&elf(&[1, 1])).is_none(), "nothing to spare");
    assert!(load_only_copy(&elf(&[1, 3, 4])).is_none(), "a program, not a loader");
    for cut in 0..ELF_HEADER_BYTES + PROGRAM_HEADER_BYTES {
        assert!(load_only_copy(&elf(&[4])[..cut]).is_none(), "{cut} bytes");
    }
}
