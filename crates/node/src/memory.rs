//! Memory for long results.

/// A shorter result is not worth a huge page.
const MIN_HUGE_BYTES: usize = 4 << 20;

/// An empty vector with this capacity, of huge pages when it is large. The kernel hands out fresh memory page by page as
/// it is written to, and with small pages that takes several times as long as the copy itself.
pub(crate) fn vector(capacity: usize) -> Vec<u8> {
    let vector = Vec::with_capacity(capacity);
    if capacity >= MIN_HUGE_BYTES {
        prefer_huge_pages(&vector);
    }
    vector
}

#[cfg(target_os = "linux")]
fn prefer_huge_pages(vector: &Vec<u8>) {
    use rustix::mm::{Advice, madvise};

    /// Of every architecture there are binaries for, at least one page of it.
    const ALIGNMENT: usize = 64 << 10;

    let start = vector.as_ptr();
    let skipped = start.align_offset(ALIGNMENT);
    let length = vector.capacity().saturating_sub(skipped) / ALIGNMENT * ALIGNMENT;
    let aligned = start.wrapping_add(skipped).cast_mut().cast();
    // SAFETY: the pages are within the vector's memory, and the advice changes neither their contents nor who has them.
    let advised = unsafe { madvise(aligned, length, Advice::LinuxHugepage) };
    // A kernel without huge pages is slower, and nothing else.
    let _ = advised;
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages(_vector: &Vec<u8>) {}
