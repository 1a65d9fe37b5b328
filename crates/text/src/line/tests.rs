//! The line against a plain model of one: a list of characters and a column.

use proptest::prelude::*;

use super::{FLUSH_BYTES, JUMP_COLUMNS, Line, MAX_LINE_BYTES, characters};
use crate::escape::LineEdit;

impl Line {
    /// What holds between two calls.
    fn verify(&self) {
        assert!(self.open_start <= self.buffer.len());
        let (done, open) = self.buffer.split_at(self.open_start);
        let (_, open) = (std::str::from_utf8(done).unwrap(), std::str::from_utf8(open).unwrap());
        assert!(self.cells.len() <= MAX_LINE_BYTES);
        if self.editing {
            // With cells there is always a cursor.
            assert!(open.is_empty() && self.cursor.is_some());
        } else {
            assert!(self.cells.is_empty());
            assert!(open.chars().count() <= MAX_LINE_BYTES);
        }
        if !self.editing && self.cursor.is_some() {
            assert_eq!(self.columns, open.chars().count());
            assert!(!self.is_ascii || open.is_ascii());
        }
        if let Some(column) = self.cursor {
            assert!(column <= self.columns().max(JUMP_COLUMNS));
        }
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Text(String),
    CarriageReturn,
    LineEdit(LineEdit),
    Flush,
}

/// The line as characters, without any limit but the one of jumps.
#[derive(Default)]
struct Model {
    done: String,
    cells: Vec<char>,
    column: usize,
    /// Whether the cursor was moved since the last character.
    has_moved: bool,
}

impl Model {
    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Text(text) => text.chars().for_each(|character| self.write(character)),
            Operation::CarriageReturn => (self.column, self.has_moved) = (0, true),
            Operation::LineEdit(edit) => self.edit(*edit),
            Operation::Flush => {}
        }
    }

    fn write(&mut self, character: char) {
        if character == '\n' {
            self.done.extend(self.cells.drain(..));
            self.done.push('\n');
            self.column = 0;
            return;
        }
        self.has_moved = false;
        let length = self.cells.len().max(self.column + 1);
        self.cells.resize(length, ' ');
        self.cells[self.column] = character;
        self.column += 1;
    }

    fn edit(&mut self, edit: LineEdit) {
        let (length, column) = (self.cells.len(), self.column);
        let furthest = length.max(JUMP_COLUMNS);
        let right = |count: u32| (column + count.max(1) as usize).min(furthest);
        let moves = matches!(edit, LineEdit::Right(_) | LineEdit::Left(_) | LineEdit::Column(_));
        self.has_moved |= moves;
        match edit {
            LineEdit::EraseLine(0) => self.cells.truncate(column),
            LineEdit::EraseLine(1) if column + 1 < length => self.cells[..=column].fill(' '),
            LineEdit::EraseLine(1 | 2) => self.cells.clear(),
            LineEdit::Right(count) => self.column = right(count),
            LineEdit::Left(count) => self.column = column.saturating_sub(count.max(1) as usize),
            LineEdit::Column(number) => self.column = (number.max(1) as usize - 1).min(furthest),
            LineEdit::EraseCharacters(count) => {
                self.cells[column.min(length)..right(count).min(length)].fill(' ');
            }
            LineEdit::Delete(count) => {
                self.cells.drain(column.min(length)..right(count).min(length));
            }
            LineEdit::Insert(count) if column < length => {
                let blanks = std::iter::repeat_n(' ', count.max(1) as usize);
                self.cells.splice(column..column, blanks);
            }
            LineEdit::Repeat(count) if column > 0 && !self.has_moved => {
                let last = self.cells.get(column - 1).copied().unwrap_or(' ');
                (0..count.max(1)).for_each(|_| self.write(last));
            }
            LineEdit::EraseLine(_) | LineEdit::Insert(_) | LineEdit::Repeat(_) => {}
        }
    }
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let number = 0_u32..12;
    let edit = prop_oneof![
        (0_u32..4).prop_map(LineEdit::EraseLine),
        number.clone().prop_map(LineEdit::Right),
        number.clone().prop_map(LineEdit::Left),
        number.clone().prop_map(LineEdit::Column),
        number.clone().prop_map(LineEdit::EraseCharacters),
        number.clone().prop_map(LineEdit::Delete),
        number.clone().prop_map(LineEdit::Insert),
        number.prop_map(LineEdit::Repeat),
    ];
    let operation = prop_oneof![
        3 => "[a-z]{1,12}".prop_map(Operation::Text),
        2 => "[aé日]{1,12}".prop_map(Operation::Text),
        1 => "[a-zé]{0,4}\n[a-zé]{0,4}".prop_map(Operation::Text),
        3 => Just(Operation::CarriageReturn),
        1 => Just(Operation::LineEdit(LineEdit::Left(1))),
        3 => edit.prop_map(Operation::LineEdit),
        1 => Just(Operation::Flush),
    ];
    prop::collection::vec(operation, 0..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn is_what_the_model_is(operations in operations()) {
        let mut text = Vec::new();
        let mut sink = |bytes: &[u8]| text.extend_from_slice(bytes);
        let mut line = Line::new(usize::MAX);
        let mut model = Model::default();
        for operation in &operations {
            match operation {
                Operation::Text(text) => line.text(text.as_bytes(), &mut sink),
                Operation::CarriageReturn => line.carriage_return(),
                Operation::LineEdit(edit) => line.edit(*edit),
                Operation::Flush => line.flush(&mut sink),
            }
            line.verify();
            model.apply(operation);
        }
        line.finish(&mut sink);
        line.verify();
        prop_assert!(!line.is_holding());
        model.done.extend(model.cells);
        prop_assert_eq!(String::from_utf8(text).unwrap(), model.done);
    }
}

proptest! {
    // The lines are long.
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Lines beyond every limit, in all the ways a line can be there.
    #[test]
    fn limits_hold(lengths in prop::collection::vec((prop::sample::select(vec!["a", "é", "日"]), 0_usize..MAX_LINE_BYTES), 1..5)) {
        let mut bytes = 0;
        let mut sink = |piece: &[u8]| bytes += piece.len();
        let mut line = Line::new(usize::MAX);
        for (character, length) in lengths {
            line.text(character.repeat(length).as_bytes(), &mut sink);
            line.verify();
            prop_assert!(line.buffer.len() <= 4 * MAX_LINE_BYTES + 4 * FLUSH_BYTES);
            line.carriage_return();
            line.edit(LineEdit::Right(u32::MAX));
            line.verify();
        }
        line.finish(&mut sink);
        prop_assert!(characters(&line.buffer) == 0);
    }
}
