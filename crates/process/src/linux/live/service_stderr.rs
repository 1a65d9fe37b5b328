//! The standard error of a service.

use handrail_redact::{RedactStream, Redactor};
use handrail_text::{Bounds, Cleaner, Cutter, Unit};

/// How many bytes are kept of a service's standard error, cleaned: its end.
const MAX_STDERR_BYTES: usize = 64 * 1024;

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
            // The text is read while it is written, so no line waits for text that may overwrite it.
            cleaner: Cleaner::with_columns(usize::MAX),
            redaction: redactor.stream(),
            cutter: Cutter::new(Bounds::new(Unit::Bytes, 0, MAX_STDERR_BYTES)),
            redactor,
        }
    }

    /// The text that is kept so far; a line that has not ended is missing.
    pub fn text(&self) -> String {
        let text = self.cutter.clone().finish().text;
        // A secret may have been added since the text was masked.
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
        redaction.finish_cut(&mut |text: &[u8]| cutter.push(text));
    }
}
