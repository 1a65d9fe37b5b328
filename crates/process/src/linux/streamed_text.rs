//! The text that a caller gets of an output while the command runs.

/// Text that is ready for the caller, and the part of an unfinished line, such as a prompt, that was streamed before the line
/// ended.
#[derive(Default)]
pub(crate) struct StreamedText {
    ready: Vec<u8>,
    /// The streamed part of the unfinished line.
    line_start: Vec<u8>,
    /// How many bytes of `line_start` have come again with the finished line.
    matched_bytes: usize,
}

impl StreamedText {
    /// Takes final text. The part of a line that was streamed is not streamed again. Where the command has overwritten a line
    /// whose beginning was streamed, the line is streamed from its start, on a row of its own.
    pub(crate) fn push(&mut self, mut text: &[u8]) {
        if !self.line_start.is_empty() {
            let expected = &self.line_start[self.matched_bytes..];
            let equal_bytes = expected.iter().zip(text).take_while(|(old, new)| old == new).count();
            self.matched_bytes += equal_bytes;
            text = &text[equal_bytes..];
            let is_matched = self.matched_bytes == self.line_start.len();
            if !is_matched && !text.is_empty() {
                self.ready.push(b'\n');
                self.ready.extend_from_slice(&self.line_start[..self.matched_bytes]);
            }
            if is_matched || !text.is_empty() {
                self.line_start.clear();
                self.matched_bytes = 0;
            }
        }
        self.ready.extend_from_slice(text);
    }

    /// Takes the beginning of the unfinished line, unless a different beginning of it was streamed.
    pub(crate) fn push_unfinished(&mut self, beginning: &[u8]) {
        if self.matched_bytes > 0 {
            return;
        }
        if let Some(new_part) = beginning.strip_prefix(self.line_start.as_slice()) {
            self.ready.extend_from_slice(new_part);
            self.line_start.extend_from_slice(new_part);
        }
    }

    /// The characters that are ready; an incomplete one waits.
    pub(crate) fn take(&mut self) -> Option<String> {
        let complete_bytes = match std::str::from_utf8(&self.ready) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        if complete_bytes == 0 {
            return None;
        }
        let incomplete = self.ready.split_off(complete_bytes);
        let complete = std::mem::replace(&mut self.ready, incomplete);
        Some(String::from_utf8_lossy(&complete).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::StreamedText;

    fn stream(steps: &[(bool, &str)]) -> String {
        let mut streamed = StreamedText::default();
        for &(is_final, text) in steps {
            if is_final {
                streamed.push(text.as_bytes());
            } else {
                streamed.push_unfinished(text.as_bytes());
            }
        }
        streamed.take().unwrap_or_default()
    }

    #[test]
    fn what_was_streamed_is_not_streamed_again() {
        let steps = [(false, "Password: "), (false, "Password: "), (true, "Password: [R]\nx\n")];
        assert_eq!(stream(&steps), "Password: [R]\nx\n");
        assert_eq!(stream(&[(false, "ab "), (true, "a"), (true, "b"), (true, " c\n")]), "ab c\n");
        assert_eq!(stream(&[(false, "a "), (false, "a b "), (true, "a b c\n")]), "a b c\n");
    }

    #[test]
    fn a_line_that_was_written_over_stands_alone() {
        assert_eq!(stream(&[(false, "10% "), (true, "100%\nend\n")]), "10% \n100%\nend\n");
        assert_eq!(stream(&[(false, "10% "), (true, "10"), (true, "0%\n")]), "10% \n100%\n");
        assert_eq!(stream(&[(false, "10% "), (false, "20% "), (true, "30%\n")]), "10% \n30%\n");
    }
}
