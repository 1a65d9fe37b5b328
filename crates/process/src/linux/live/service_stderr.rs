//! The standard error of a service.

use handrail_redact::{RedactStream, Redactor};
use handrail_text::{Bounds, Cleaner, Cutter, Unit};

/// Kept of a service's standard error, in bytes of cleaned text: its end.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// The end of what a service wrote to its standard error, cleaned and masked.
pub struct ServiceStderr {
    redactor: Redactor,
    cleaner: Cleaner,
    redaction: RedactStream,
    cutter: Cutter,
}

impl ServiceStderr {
    pub(crate) fn new(redactor: Redactor) -> ServiceStderr {
        ServiceStderr {
            // It is read while it is written: no line waits for what may be written over it.
            cleaner: Cleaner::with_columns(usize::MAX),
            redaction: redactor.stream(),
            cutter: Cutter::new(Bounds::new(Unit::Bytes, 0, MAX_ERROR_BYTES)),
            redactor,
        }
    }

    /// What was kept so far; a line that has not ended is missing.
    pub fn text(&self) -> String {
        let text = self.cutter.clone().finish().text;
        // A secret may have joined since.
        match self.redactor.redact(text.as_bytes()) {
            Some(masked) => String::from_utf8_lossy(&masked).into_owned(),
            None => text,
        }
    }

    pub(crate) fn push(&mut self, raw: &[u8]) {
        let ServiceStderr { cleaner, redaction, cutter, .. } = self;
        cleaner.push(raw, &mut |text: &[u8]| redaction.push(text, &mut |text| cutter.push(text)));
    }

    pub(crate) fn finish(&mut self) {
        let ServiceStderr { cleaner, redaction, cutter, .. } = self;
        cleaner.finish(&mut |text: &[u8]| redaction.push(text, &mut |text| cutter.push(text)));
        redaction.finish(&mut |text: &[u8]| cutter.push(text));
    }
}
