//! Random moves over the screen: any split gives the same, and a plain grid of characters gives the same.

use handrail_text::{Cleaner, MAX_REGION_ROWS, sanitize};
use proptest::prelude::*;

use crate::screen::clean;
use crate::soak::soak;

/// Bytes in which moves are frequent, and rows that are there to be written over.
fn painted() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => "[a-zé日]{1,12}".prop_map(String::into_bytes),
        2 => Just(b"\n".to_vec()),
        3 => (0_u8..70, prop::sample::select(b"ABEFdJLMHfGKsu".to_vec()))
            .prop_map(|(number, last)| format!("\x1b[{number}{}", char::from(last)).into_bytes()),
        2 => (0_u8..5, 0_u8..9).prop_map(|(row, column)| format!("\x1b[{row};{column}H").into_bytes()),
        2 => prop::sample::select(vec!["\r", "\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1b[J", "\x1b[2J", "\x1b[A", "\x1b[?1049h",
            "\x1b[?1049l", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000 * soak(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_gives_the_same(input in painted(), cuts in prop::collection::vec(0_usize..600, 0..8)) {
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|&cut| cut <= input.len()).collect();
        cuts.extend([0, input.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &input[pair[0]..pair[1]]).collect();
        let text = clean(Cleaner::new(), &pieces);
        prop_assert!(text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{:?}", text);
        prop_assert_eq!(text, sanitize(&input));
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Text(String),
    Newline,
    CarriageReturn,
    Save,
    Restore,
    Position(usize, usize),
    /// A number, and the last byte of the control sequence.
    Control(usize, u8),
}

impl Operation {
    fn bytes(&self) -> String {
        match self {
            Operation::Text(text) => text.clone(),
            Operation::Newline => "\n".to_owned(),
            Operation::CarriageReturn => "\r".to_owned(),
            Operation::Save => "\x1b7".to_owned(),
            Operation::Restore => "\x1b8".to_owned(),
            Operation::Position(row, column) => format!("\x1b[{row};{column}H"),
            Operation::Control(number, last) => format!("\x1b[{number}{}", char::from(*last)),
        }
    }
}

/// A screen as rows of characters. The row of the cursor is there.
struct Model {
    done: String,
    rows: Vec<Vec<char>>,
    row: usize,
    column: usize,
    saved: Option<(usize, usize)>,
}

impl Model {
    fn go(&mut self, row: usize, column: usize) {
        (self.row, self.column) = (row, column);
        self.rows.resize(self.rows.len().max(row + 1), Vec::new());
        if self.rows.len() > MAX_REGION_ROWS {
            self.done.extend(self.rows.remove(0));
            self.done.push('\n');
            self.row -= 1;
            self.saved = self.saved.map(|(row, column)| (row.saturating_sub(1), column));
        }
    }

    fn apply(&mut self, operation: &Operation) {
        let lowest = MAX_REGION_ROWS - 1;
        match operation {
            Operation::Text(text) => {
                for character in text.chars() {
                    let row = &mut self.rows[self.row];
                    row.resize(row.len().max(self.column + 1), ' ');
                    row[self.column] = character;
                    self.column += 1;
                }
            }
            Operation::Newline => self.go(self.row + 1, 0),
            Operation::CarriageReturn => self.column = 0,
            Operation::Save => self.saved = Some((self.row, self.column)),
            Operation::Restore => {
                if let Some((row, column)) = self.saved {
                    self.go(row, column);
                }
            }
            Operation::Position(row, column) => {
                self.go((row.max(&1) - 1).min(lowest), column.max(&1) - 1);
            }
            Operation::Control(number, last) => self.control(*number, *last),
        }
    }

    fn control(&mut self, number: usize, last: u8) {
        let (count, lowest) = (number.max(1), MAX_REGION_ROWS - 1);
        let (above, below) = (self.row.saturating_sub(count), (self.row + count).min(lowest));
        match last {
            b'A' => self.go(above, self.column),
            b'B' => self.go(below, self.column),
            b'E' => self.go(below, 0),
            b'F' => self.go(above, 0),
            b'd' => self.go((count - 1).min(lowest), self.column),
            b'J' | b'K' => {
                if last == b'J' && matches!(number, 1..=3) {
                    self.rows[..self.row].fill(Vec::new());
                }
                if last == b'J' && matches!(number, 0 | 2 | 3) {
                    self.rows.truncate(self.row + 1);
                }
                let row = &mut self.rows[self.row];
                match number {
                    0 => row.truncate(self.column),
                    1 if self.column + 1 < row.len() => row[..=self.column].fill(' '),
                    1 | 2 => row.clear(),
                    3 if last == b'J' => row.clear(),
                    _ => {}
                }
            }
            b'L' => {
                self.rows.splice(self.row..self.row, vec![Vec::new(); count]);
                self.rows.truncate(MAX_REGION_ROWS);
                self.column = 0;
            }
            _ => {
                self.rows.drain(self.row..(self.row + count).min(self.rows.len()));
                self.go(self.row, 0);
            }
        }
    }

    fn finish(mut self) -> String {
        let last = self.rows.iter().rposition(|row| !row.is_empty());
        let rows = self.rows.len();
        for (index, row) in self.rows.into_iter().enumerate().take(last.map_or(0, |last| last + 1))
        {
            self.done.extend(row);
            if index + 1 < rows {
                self.done.push('\n');
            }
        }
        self.done
    }
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let operation = prop_oneof![
        5 => "[a-zé日]{1,6}".prop_map(Operation::Text),
        4 => Just(Operation::Newline),
        1 => Just(Operation::CarriageReturn),
        1 => Just(Operation::Save),
        1 => Just(Operation::Restore),
        2 => (0_usize..70, 0_usize..9).prop_map(|(row, column)| Operation::Position(row, column)),
        2 => (0_usize..5, 0_usize..9).prop_map(|(row, column)| Operation::Position(row, column)),
        8 => (0_usize..5, prop::sample::select(b"ABEFdKJLM".to_vec()))
            .prop_map(|(number, last)| Operation::Control(number, last)),
    ];
    prop::collection::vec(operation, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000 * soak(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn is_what_a_grid_of_characters_is(operations in operations()) {
        let mut input = "\x1b[H".to_owned();
        let mut model = Model { done: String::new(), rows: vec![Vec::new()], row: 0, column: 0, saved: None };
        for operation in &operations {
            input += &operation.bytes();
            model.apply(operation);
        }
        prop_assert_eq!(sanitize(input.as_bytes()), model.finish());
    }
}
