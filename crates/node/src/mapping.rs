//! Slabs: mappings of one huge page that several results share.

#[cfg(target_os = "linux")]
pub(crate) use self::linux::Slab;
#[cfg(not(target_os = "linux"))]
pub(crate) use self::none::Slab;

#[cfg(target_os = "linux")]
mod linux {
    use std::cell::{Cell, RefCell};
    use std::ptr::{self, NonNull};
    use std::slice;
    use std::sync::Arc;

    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

    /// A huge page of x86-64, and of ARM with small pages; a slab is aligned to as many.
    const SLAB_BYTES: usize = 2 << 20;

    /// Results begin at a line of the processor's cache.
    const ALIGNMENT: usize = 64;

    /// Slabs that a thread keeps for what comes next when nothing is in them any more. JavaScript collects its garbage after tens
    /// of megabytes, so many become free at once.
    const MOST_FREE: usize = 32;

    /// Of these, so many stay in memory; the kernel may take the others, and does so only when it needs memory.
    const MOST_RESIDENT: usize = 8;

    thread_local! {
        /// Where the next result goes to, and how much of it is given away; none while a result is written.
        static CURRENT: Cell<Option<(Arc<Mapping>, usize)>> = const { Cell::new(None) };
        static FREE: RefCell<Vec<Pages>> = const { RefCell::new(Vec::new()) };
    }

    /// The memory of a slab.
    struct Pages(NonNull<u8>);

    // SAFETY: nobody but the owner knows the address.
    unsafe impl Send for Pages {}
    // SAFETY: all that can be done through a reference is to read the address.
    unsafe impl Sync for Pages {}

    impl Pages {
        fn new() -> Option<Self> {
            let protection = ProtFlags::READ | ProtFlags::WRITE;
            // SAFETY: a new mapping that nobody else knows.
            let mapped = unsafe {
                mmap_anonymous(ptr::null_mut(), 2 * SLAB_BYTES, protection, MapFlags::PRIVATE)
            };
            let mapped = mapped.ok()?.cast::<u8>();
            let before = mapped.addr().next_multiple_of(SLAB_BYTES) - mapped.addr();
            let start = mapped.wrapping_add(before);
            unmap(mapped, before);
            unmap(start.wrapping_add(SLAB_BYTES), SLAB_BYTES - before);
            // SAFETY: the pages are of this mapping; the advice changes neither their contents nor who has them.
            let advised = unsafe { madvise(start.cast(), SLAB_BYTES, Advice::LinuxHugepage) };
            // A kernel without huge pages is slower, and nothing else.
            let _ = advised;
            NonNull::new(start).map(Self)
        }

        /// Lets the kernel take the memory when it needs some. What is written to is kept again; what was taken is zero.
        fn offer(&self) {
            let start = self.0.as_ptr().cast();
            // SAFETY: nobody else has these pages, and nobody reads them before something is written to them.
            let advised = unsafe { madvise(start, SLAB_BYTES, Advice::LinuxFree) };
            // They stay in memory.
            let _ = advised;
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            unmap(self.0.as_ptr(), SLAB_BYTES);
        }
    }

    /// What keeps a result in memory: all of the slab that it is in.
    pub(crate) struct Mapping(Option<Pages>);

    impl Mapping {
        fn new() -> Option<Self> {
            let free = FREE.with_borrow_mut(Vec::pop);
            free.or_else(Pages::new).map(|pages| Self(Some(pages)))
        }

        fn start(&self) -> *mut u8 {
            self.0.as_ref().map_or(ptr::null_mut(), |pages| pages.0.as_ptr())
        }
    }

    impl Drop for Mapping {
        fn drop(&mut self) {
            let pages = self.0.take();
            // A thread that ends keeps nothing.
            let kept = FREE.try_with(|free| {
                let mut free = free.borrow_mut();
                if free.len() >= MOST_FREE {
                    return;
                }
                if let Some(pages) = pages.as_ref().filter(|_| free.len() >= MOST_RESIDENT) {
                    pages.offer();
                }
                free.extend(pages);
            });
            let _ = kept;
        }
    }

    /// Gives pages of a mapping of this module back, which nobody uses any more.
    fn unmap(start: *mut u8, length: usize) {
        if length > 0 {
            // SAFETY: see above.
            let unmapped = unsafe { munmap(start.cast(), length) };
            // What is not given back stays reserved; there is nobody to tell.
            let _ = unmapped;
        }
    }

    /// The rest of the thread's slab, which nobody else has until this is dropped.
    pub(crate) struct Slab {
        mapping: Arc<Mapping>,
        used: usize,
    }

    impl Slab {
        /// With at least so many bytes left, if there is memory.
        pub(crate) fn with_room(bytes: usize) -> Option<Self> {
            let current = CURRENT.take().filter(|(_, used)| used + bytes <= SLAB_BYTES);
            let (mapping, used) = match current {
                Some(current) => current,
                None => (Arc::new(Mapping::new()?), 0),
            };
            Some(Self { mapping, used })
        }

        /// What is left.
        pub(crate) fn room(&mut self) -> &mut [u8] {
            let start = self.mapping.start().wrapping_add(self.used);
            // SAFETY: the bytes up to the end of the mapping are zero or were written before, and were given to nobody.
            unsafe { slice::from_raw_parts_mut(start, SLAB_BYTES - self.used) }
        }

        /// The first so many bytes of the room, which nobody gets again, and what keeps them.
        pub(crate) fn take(mut self, bytes: usize) -> (NonNull<u8>, Arc<Mapping>) {
            let start = NonNull::from(&mut self.room()[..bytes]).cast();
            self.used = (self.used + bytes).next_multiple_of(ALIGNMENT).min(SLAB_BYTES);
            (start, Arc::clone(&self.mapping))
        }
    }

    impl Drop for Slab {
        fn drop(&mut self) {
            CURRENT.set(Some((Arc::clone(&self.mapping), self.used)));
        }
    }
}

/// Elsewhere every result has memory of its own.
#[cfg(not(target_os = "linux"))]
mod none {
    use std::ptr::NonNull;

    pub(crate) enum Slab {}

    impl Slab {
        pub(crate) fn with_room(_bytes: usize) -> Option<Self> {
            None
        }

        pub(crate) fn room(&mut self) -> &mut [u8] {
            match *self {}
        }

        pub(crate) fn take(self, _bytes: usize) -> (NonNull<u8>, ()) {
            match self {}
        }
    }
}
