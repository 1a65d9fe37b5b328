//! What the caller is told of an output while the command runs.

/// Text that waits to be told, and the part of an unfinished line that was told before its end: a prompt.
#[derive(Default)]
pub(crate) struct StreamedText {
    ready: Vec<u8>,
    /// The told part of the unfinished line.
    shown: Vec<u8>,
    /// Bytes of it that came with the finished line by now.
    come: usize,
}

impl StreamedText {
    /// Takes text that is final. What was told of it is not told again. Should the command have written over a line whose
    /// beginning was told, the line is told from its start, on a row of its own.
    pub(crate) fn push(&mut self, mut text: &[u8]) {
        if !self.shown.is_empty() {
            let told = &self.shown[self.come..];
            let same = told.iter().zip(text).take_while(|(told, byte)| told == byte).count();
            self.come += same;
            text = &text[same..];
            let all = self.come == self.shown.len();
            if !all && !text.is_empty() {
                self.ready.push(b'\n');
                self.ready.extend_from_slice(&self.shown[..self.come]);
            }
            if all || !text.is_empty() {
                self.shown.clear();
                self.come = 0;
            }
        }
        self.ready.extend_from_slice(text);
    }

    /// Tells the beginning of the unfinished line, unless another beginning of it was told.
    pub(crate) fn show(&mut self, beginning: &[u8]) {
        if self.come > 0 {
            return;
        }
        if let Some(more) = beginning.strip_prefix(self.shown.as_slice()) {
            self.ready.extend_from_slice(more);
            self.shown.extend_from_slice(more);
        }
    }

    /// The characters that are ready; an incomplete one waits.
    pub(crate) fn take(&mut self) -> Option<String> {
        let whole = match std::str::from_utf8(&self.ready) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        if whole == 0 {
            return None;
        }
        let rest = self.ready.split_off(whole);
        let ready = std::mem::replace(&mut self.ready, rest);
        Some(String::from_utf8_lossy(&ready).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::StreamedText;

    fn told(steps: &[(bool, &str)]) -> String {
        let mut told = StreamedText::default();
        for &(ends, text) in steps {
            if ends {
                told.push(text.as_bytes());
            } else {
                told.show(text.as_bytes());
            }
        }
        told.take().unwrap_or_default()
    }

    #[test]
    fn what_was_told_is_not_told_again() {
        let steps = [(false, "Password: "), (false, "Password: "), (true, "Password: [R]\nx\n")];
        assert_eq!(told(&steps), "Password: [R]\nx\n");
        assert_eq!(told(&[(false, "ab "), (true, "a"), (true, "b"), (true, " c\n")]), "ab c\n");
        assert_eq!(told(&[(false, "a "), (false, "a b "), (true, "a b c\n")]), "a b c\n");
    }

    #[test]
    fn a_line_that_was_written_over_stands_alone() {
        assert_eq!(told(&[(false, "10% "), (true, "100%\nend\n")]), "10% \n100%\nend\n");
        assert_eq!(told(&[(false, "10% "), (true, "10"), (true, "0%\n")]), "10% \n100%\n");
        assert_eq!(told(&[(false, "10% "), (false, "20% "), (true, "30%\n")]), "10% \n30%\n");
    }
}
