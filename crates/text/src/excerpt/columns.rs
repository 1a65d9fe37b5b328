//! Counts the values in the columns of alike lines, so that a rare or an extreme value raises its line.
//!
//! A column is a place in lines of one skeleton: the third number, say, or the second run of words.

use super::numbers::Numbers;
use super::rarity::rarity;
use super::shape::{Atom, HashedMap};

/// Most columns of a line that are counted.
const MAX_COLUMNS_OF_LINE: usize = 24;
/// Most columns that are counted in all.
const MAX_COLUMNS: usize = 2 << 10;
/// A column is counted from this occurrence on, so that lines unlike all others take no room.
const MIN_SEEN: u8 = 4;
const SEEN_BITS: u32 = 15;
/// Most values that are told apart in one column, and in all columns.
const MAX_VALUES_OF_COLUMN: u32 = 256;
const MAX_VALUES: usize = 16 << 10;
/// A column with so many values, nearly all of them seen once, holds ids.
const ID_VALUES: u32 = 64;

/// The values of one column.
#[derive(Default)]
struct Column {
    rows: u64,
    values: u32,
    /// Values that were seen once.
    single_values: u32,
    /// Rows whose value is not told apart.
    unlisted_rows: u64,
    numbers: Numbers,
}

/// A value that is told apart.
struct Value {
    column: u32,
    rows: u32,
}

/// The values of all columns, and how often each was seen.
pub(super) struct Columns {
    /// How often columns were seen that are not counted yet; several may share a place.
    seen: Vec<u8>,
    all: Vec<Column>,
    ids: HashedMap<u64, u32>,
    values: Vec<Value>,
    value_ids: HashedMap<u64, u32>,
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            seen: vec![0; 1 << SEEN_BITS],
            all: Vec::new(),
            ids: HashedMap::default(),
            values: Vec::new(),
            value_ids: HashedMap::default(),
        }
    }
}

impl Columns {
    /// Counts the values of a line. Returns how rare it is that one of them is new or as extreme: from 0 to 1.
    pub(super) fn count(&mut self, atoms: &[Atom]) -> f32 {
        let mut rarest = 0.0_f32;
        for atom in atoms.iter().take(MAX_COLUMNS_OF_LINE) {
            let Some(id) = self.column(atom.column) else { continue };
            let column = &mut self.all[id as usize];
            column.rows += 1;
            if let Some(number) = atom.number {
                column.numbers.add(number);
                rarest = rarest.max(column.numbers.rarity(number));
            }
            if column.holds_ids() {
                continue;
            }
            let key = value_key(id, atom.value);
            if let Some(&value) = self.value_ids.get(&key) {
                let value = &mut self.values[value as usize];
                column.single_values -= u32::from(value.rows == 1);
                value.rows = value.rows.saturating_add(1);
            } else if column.values < MAX_VALUES_OF_COLUMN && self.values.len() < MAX_VALUES {
                column.values += 1;
                column.single_values += 1;
                self.value_ids.insert(key, to_u32(self.values.len()));
                self.values.push(Value { column: id, rows: 1 });
                let as_rare = u64::from(column.single_values) + column.unlisted_rows;
                rarest = rarest.max(rarity(column.rows, as_rare));
            } else {
                column.unlisted_rows += 1;
            }
        }
        rarest
    }

    /// The number of a column, once it was seen some times.
    fn column(&mut self, key: u64) -> Option<u32> {
        if let Some(&id) = self.ids.get(&key) {
            return Some(id);
        }
        let seen = &mut self.seen[(key >> (64 - SEEN_BITS)) as usize];
        *seen += 1;
        if *seen < MIN_SEEN || self.all.len() >= MAX_COLUMNS {
            *seen = (*seen).min(MIN_SEEN);
            return None;
        }
        let id = to_u32(self.all.len());
        self.ids.insert(key, id);
        self.all.push(Column::default());
        Some(id)
    }

    /// The columns with the rarity of each value.
    pub(super) fn ranked(&self) -> RankedColumns<'_> {
        let mut rows_of_values = vec![Vec::new(); self.all.len()];
        for value in &self.values {
            rows_of_values[value.column as usize].push(u64::from(value.rows));
        }
        let mut rarities = HashedMap::<u64, f32>::default();
        for (id, (column, mut values)) in (0..).zip(self.all.iter().zip(rows_of_values)) {
            values.sort_unstable();
            let mut as_rare = column.unlisted_rows;
            for alike in values.chunk_by(|one, other| one == other) {
                as_rare += alike.iter().sum::<u64>();
                rarities.insert(rarity_key(id, alike[0]), rarity(column.rows, as_rare));
            }
        }
        RankedColumns { columns: self, rarities }
    }
}

/// Columns whose values are all counted.
pub(super) struct RankedColumns<'a> {
    columns: &'a Columns,
    /// By column and by the number of rows of a value.
    rarities: HashedMap<u64, f32>,
}

/// What is unusual about one value of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surprise {
    /// From 0, where the value is as common as any, to 1.
    pub(super) rarity: f32,
    /// The same for all lines with the value, and for all extremes of a column.
    pub(super) kind: u32,
}

impl RankedColumns<'_> {
    /// Number of kinds of surprises.
    pub(super) fn kinds(&self) -> usize {
        self.columns.values.len() + 2 * self.columns.all.len()
    }

    /// Calls `found` with each value of a line that is rarer than others.
    pub(super) fn surprises(&self, atoms: &[Atom], mut found: impl FnMut(Surprise)) {
        let counted = self.columns;
        for atom in atoms.iter().take(MAX_COLUMNS_OF_LINE) {
            let Some(&id) = counted.ids.get(&atom.column) else { continue };
            let column = &counted.all[id as usize];
            let of_column = to_u32(counted.values.len()) + 2 * id;
            let (common, kind) = if column.holds_ids() {
                (0.0, of_column)
            } else {
                match counted.value_ids.get(&value_key(id, atom.value)) {
                    Some(&value) => {
                        let rows = u64::from(counted.values[value as usize].rows);
                        (self.rarities.get(&rarity_key(id, rows)).copied().unwrap_or(0.0), value)
                    }
                    None => (rarity(column.rows, column.unlisted_rows.max(1)), of_column + 1),
                }
            };
            let extreme = atom.number.map_or(0.0, |number| column.numbers.rarity(number));
            if extreme > common {
                found(Surprise { rarity: extreme, kind: of_column });
            } else if common > 0.0 {
                found(Surprise { rarity: common, kind });
            }
        }
    }
}

impl Column {
    /// Whether nearly every value is another: then none of them is rare.
    fn holds_ids(&self) -> bool {
        self.values >= ID_VALUES && self.single_values > self.values / 10 * 9
    }
}

fn value_key(column: u32, value: u64) -> u64 {
    value.rotate_left(17) ^ u64::from(column).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn rarity_key(column: u32, rows: u64) -> u64 {
    u64::from(column) << 32 | rows
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
