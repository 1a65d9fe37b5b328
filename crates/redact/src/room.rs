//! Memory for a copy of a long text. The kernel hands new memory out in pages of 4 KiB, and a fault for each costs more
//! than the search of its bytes. On Linux it is asked for pages of 2 MiB, which it may refuse.

/// The shortest copy for which large pages are asked for: it contains at least one.
const MIN_BYTES: usize = 4 << 20;

/// An empty vector with room for so many bytes.
pub(crate) fn of(bytes: usize) -> Vec<u8> {
    let mut room = Vec::with_capacity(bytes);
    if bytes >= MIN_BYTES {
        ask_for_large_pages(room.spare_capacity_mut());
    }
    room
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_: &mut [std::mem::MaybeUninit<u8>]) {}

#[cfg(target_os = "linux")]
fn ask_for_large_pages(room: &mut [std::mem::MaybeUninit<u8>]) {
    use std::ffi::{c_int, c_void};

    const LARGE_PAGE_BYTES: usize = 2 << 20;
    const MADV_HUGEPAGE: c_int = 14;

    unsafe extern "C" {
        fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
    }

    let first = room.as_ptr().align_offset(LARGE_PAGE_BYTES);
    let whole = room.len().saturating_sub(first) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
    if whole > 0 {
        let start = room[first..].as_mut_ptr();
        // SAFETY: the pages belong to `room` alone, and the advice changes no byte. That it may fail does not matter.
        unsafe { madvise(start.cast(), whole, MADV_HUGEPAGE) };
    }
}
