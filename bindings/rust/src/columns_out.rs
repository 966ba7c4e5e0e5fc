//! Tables as typed columns in memory. Layouts are Arrow's.

use serde::Deserialize;
use serde_json::json;

use crate::columns_in::{Arrays, BATCH};
use crate::core::{Handle, Place, Turn, fault};
use crate::error::Result;
use crate::table::Table;

/// A column with a table's cells.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// Its cells, one for each row. A missing cell is 0 or an empty text.
    pub values: Values,
    /// One bit per row, lowest first, as in Arrow: 0 for a missing cell.
    pub validity: Vec<u8>,
}

/// The cells of a column, in the type that fits what the schema states.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Values {
    /// Categories, booleans among them.
    Dictionary {
        /// The index of each row's category, from 0.
        places: Vec<i32>,
        /// The schema's categories.
        labels: Vec<String>,
    },
    /// Whole numbers.
    I64(Vec<i64>),
    /// Other numbers: the nearest doubles.
    F64(Vec<f64>),
    /// Dates, and datetimes no finer than microseconds, in microseconds since 1970-01-01T00:00:00.
    Moment {
        /// A moment for each row, in UTC if there is an offset, or else in local wall-clock time.
        moments: Vec<i64>,
        /// Whether they are dates.
        are_days: bool,
        /// The offset at which the schema states them, in seconds east of UTC.
        offset: Option<i32>,
    },
    /// Everything else: ids, times, numbers and datetimes with more digits than the other types hold.
    Text(Vec<String>),
}

/// What a core says of a column.
#[derive(Deserialize)]
struct Described {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    labels: Vec<String>,
    unit: Option<String>,
    offset: Option<i32>,
}

/// Some rows of a column in the engine's memory, until the next ones are asked for.
#[derive(Deserialize)]
struct Rows {
    #[serde(flatten)]
    arrays: Arrays,
    instance: u32,
    bytes: u32,
    rows: u32,
}

impl Table {
    /// All columns of the table, in memory.
    pub fn columns(&self) -> Result<Vec<OutputColumn>> {
        #[derive(Deserialize)]
        struct Answered {
            writer: u32,
            columns: Vec<Described>,
        }
        let core = &self.handle.core;
        let Answered { writer, columns } = core.ask(json!({"request": "columns", "table": self.handle.number()}))?;
        let writer = Handle::new(core, writer);
        columns.into_iter().enumerate().map(|(place, column)| column.read(&writer, place)).collect()
    }
}

impl Described {
    fn read(self, writer: &Handle, place: usize) -> Result<OutputColumn> {
        let mut column = OutputColumn {
            name: self.name,
            validity: Vec::new(),
            values: match &*self.kind {
                "dictionary" => Values::Dictionary { places: Vec::new(), labels: self.labels },
                "i64" => Values::I64(Vec::new()),
                "f64" => Values::F64(Vec::new()),
                "moment" => Values::Moment { moments: Vec::new(), are_days: self.unit.is_some(), offset: self.offset },
                _ => Values::Text(Vec::new()),
            },
        };
        let (core, writer) = (&writer.core, writer.number());
        for from in (0..).step_by(BATCH) {
            let request = json!({"request": "column", "writer": writer, "place": place, "from": from, "rows": BATCH});
            let some: Rows = core.ask(request)?;
            column.extend(&mut core.turn(), &some)?;
            if (some.rows as usize) < BATCH {
                break;
            }
        }
        Ok(column)
    }
}

impl OutputColumn {
    /// Adds some rows.
    fn extend(&mut self, turn: &mut Turn, some: &Rows) -> Result<()> {
        let Rows { arrays: Arrays { values, offsets, texts, validity }, instance, bytes, rows } = *some;
        let mut copy = |pointer, bytes| turn.bytes(Place { instance, pointer, bytes }).map(|bytes| bytes.to_vec());
        self.validity.extend(copy(validity, rows.div_ceil(8))?);
        match &mut self.values {
            Values::Dictionary { places, .. } => places.extend(numbers(&copy(values, 4 * rows)?, i32::from_le_bytes)),
            Values::I64(numbers) | Values::Moment { moments: numbers, .. } => {
                numbers.extend(self::numbers(&copy(values, 8 * rows)?, i64::from_le_bytes));
            }
            Values::F64(numbers) => numbers.extend(self::numbers(&copy(values, 8 * rows)?, f64::from_le_bytes)),
            Values::Text(cells) => {
                let (offsets, texts) = (copy(offsets, 4 * rows + 4)?, copy(texts, bytes)?);
                let ends: Vec<_> = numbers(&offsets, u32::from_le_bytes).map(|end| end as usize).collect();
                for cell in ends.windows(2) {
                    let text = texts.get(cell[0]..cell[1]).ok_or_else(fault)?;
                    cells.push(str::from_utf8(text).map_err(|_| fault())?.into());
                }
            }
        }
        Ok(())
    }
}

fn numbers<T, const N: usize>(bytes: &[u8], number: fn([u8; N]) -> T) -> impl Iterator<Item = T> {
    bytes.as_chunks().0.iter().map(move |bytes| number(*bytes))
}
