//! Memory for long results.

/// A shorter result is not worth a huge page.
const MIN_HUGE_BYTES: usize = 4 << 20;

/// A huge page of x86-64, and of ARM with small pages.
const HUGE_PAGE: usize = 2 << 20;

/// More than an allocator writes before a block.
const HEADER_BYTES: usize = 64;

/// An empty vector with this capacity, of huge pages when it is large. The kernel hands out fresh memory page by page as
/// it is written to, and with small pages that takes several times as long as the copy itself.
pub(crate) fn vector(capacity: usize) -> Vec<u8> {
    if capacity < MIN_HUGE_BYTES {
        return Vec::with_capacity(capacity);
    }
    // Linux places a mapping of whole huge pages on the border of one.
    let mapped = (capacity + HEADER_BYTES).next_multiple_of(HUGE_PAGE);
    let vector = Vec::with_capacity(mapped - HEADER_BYTES);
    prefer_huge_pages(&vector);
    vector
}

#[cfg(target_os = "linux")]
fn prefer_huge_pages(vector: &Vec<u8>) {
    use rustix::mm::{Advice, madvise};

    /// Smallest and largest page of the architectures there are binaries for.
    const PAGES: [usize; 2] = [4 << 10, 64 << 10];

    let end = vector.as_ptr().wrapping_add(vector.capacity());
    for page in PAGES {
        // The header is on the first page: without that, the first huge page would not be whole.
        let start = vector.as_ptr().map_addr(|address| address & !(page - 1));
        let length = (end.addr() - start.addr()) & !(page - 1);
        // SAFETY: the pages are those of the vector's memory, and of its header; the advice changes neither their contents
        // nor who has them.
        let advised = unsafe { madvise(start.cast_mut().cast(), length, Advice::LinuxHugepage) };
        // A kernel without huge pages is slower, and nothing else.
        if advised.is_ok() {
            break;
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages(_vector: &Vec<u8>) {}
