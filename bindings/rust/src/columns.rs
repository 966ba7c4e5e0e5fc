//! Tables as typed columns in memory, in and out. Layouts are Arrow's.

use serde::Deserialize;
use serde_json::json;

use crate::core::{Handle, Place, Turn, fault};
use crate::error::{Error, Result};
use crate::schema::Schema;
use crate::table::{Table, read_table};

/// How many rows cross at once: a multiple of 8, so that bitmaps can be cut there.
const BATCH: usize = 1 << 15;

/// A column of a table that is read.
#[derive(Clone, Copy)]
pub struct InputColumn<'a> {
    /// Its name, as it would be in a file's header.
    pub name: &'a str,
    /// Its cells.
    pub cells: Cells<'a>,
    /// A bit for each row, the lowest first, which is 0 for a missing cell, as Arrow has it. Without it, none is missing.
    pub validity: Option<&'a [u8]>,
}

/// The cells of a column, one for each row.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Cells<'a> {
    /// Texts as in a file, without quotes.
    Text(&'a [&'a str]),
    /// Whole numbers, as their digits in a file.
    I64(&'a [i64]),
    /// Numbers, as the shortest decimal text that reads back as the number. A NaN is a missing cell.
    F64(&'a [f64]),
    /// Texts by their places in a dictionary. A place outside of it is a missing cell.
    #[non_exhaustive]
    Dictionary {
        /// A place for each row, from 0.
        places: &'a [i32],
        /// The dictionary.
        texts: &'a [&'a str],
    },
    /// Dates, datetimes and times, whatever the schema's format: microseconds since 1970-01-01T00:00:00 (times: since
    /// midnight) of a clock on the wall, or in UTC where the schema's values have an offset.
    Moment(&'a [i64]),
}

/// A column of a table that is written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// Its cells, one for each row. That of a missing cell is 0, or an empty text.
    pub values: Values,
    /// A bit for each row, the lowest first, which is 0 for a missing cell, as Arrow has it.
    pub validity: Vec<u8>,
}

/// The cells of a column, in the type that fits what the schema states.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Values {
    /// Categories, booleans among them.
    #[non_exhaustive]
    Dictionary {
        /// The place of each row's category, from 0.
        places: Vec<i32>,
        /// The schema's categories.
        labels: Vec<String>,
    },
    /// Whole numbers.
    I64(Vec<i64>),
    /// Other numbers: the nearest doubles.
    F64(Vec<f64>),
    /// Dates, and datetimes with no more than microseconds, in microseconds since 1970-01-01T00:00:00.
    #[non_exhaustive]
    Moment {
        /// A moment for each row, in UTC if there is an offset, or else of a clock on the wall.
        moments: Vec<i64>,
        /// They are dates.
        are_days: bool,
        /// The offset at which the schema states them, in seconds east of UTC.
        offset: Option<i32>,
    },
    /// All else: ids, times, numbers and datetimes with more digits than the other types have.
    Text(Vec<String>),
}

/// Where the arrays of a column are in the engine's memory.
#[derive(Deserialize)]
struct Arrays {
    values: u32,
    offsets: u32,
    texts: u32,
    validity: u32,
}

impl<'a> Cells<'a> {
    /// Texts by their places in a dictionary.
    pub fn dictionary(places: &'a [i32], texts: &'a [&'a str]) -> Self {
        Self::Dictionary { places, texts }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::I64(_) => "i64",
            Self::F64(_) => "f64",
            Self::Dictionary { .. } => "dictionary",
            Self::Moment(_) => "moment",
        }
    }

    fn rows(&self) -> usize {
        match self {
            Self::Text(texts) => texts.len(),
            Self::I64(values) | Self::Moment(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::Dictionary { places, .. } => places.len(),
        }
    }

    /// Some of the rows.
    fn slice(&self, from: usize, to: usize) -> Self {
        match *self {
            Self::Text(texts) => Self::Text(&texts[from..to]),
            Self::I64(values) => Self::I64(&values[from..to]),
            Self::F64(values) => Self::F64(&values[from..to]),
            Self::Dictionary { places, texts } => Self::Dictionary { places: &places[from..to], texts },
            Self::Moment(values) => Self::Moment(&values[from..to]),
        }
    }

    fn texts(&self) -> &'a [&'a str] {
        match *self {
            Self::Text(texts) | Self::Dictionary { texts, .. } => texts,
            _ => &[],
        }
    }
}

impl Schema {
    /// Reads a table from columns of the same number of rows. They are copied into the engine's memory; columns that the
    /// schema does not need are not.
    ///
    /// # Errors
    ///
    /// `host/columns` for columns or bitmaps of different lengths; `frames/type` for a type that cannot hold what the
    /// schema states; `files/…` and `schema/…` about the columns' names, as for a file's header.
    pub fn read_columns(&self, columns: &[InputColumn<'_>]) -> Result<Table> {
        #[derive(Deserialize)]
        struct Answered {
            reader: u32,
        }
        let rows = columns.first().map_or(0, |column| column.cells.rows());
        let bitmap = rows.div_ceil(8);
        if columns.iter().any(|InputColumn { cells, validity, .. }| {
            cells.rows() != rows || validity.is_some_and(|validity| validity.len() < bitmap)
        }) {
            return Err(Error::new("host/columns", "The columns of a table have one cell for each of its rows."));
        }
        let core = &self.handle.core;
        let is_read = |column: &InputColumn<'_>| self.reads.iter().any(|name| name == column.name);
        let typed: Vec<_> = columns
            .iter()
            .map(|column| json!({"name": column.name, "type": if is_read(column) { column.cells.kind() } else { "none" }}))
            .collect();
        let schema = self.handle.number();
        let answered: Answered = core.ask(json!({"request": "read", "schema": schema, "columns": typed}))?;
        let reader = Handle::new(core, answered.reader);
        for from in (0..rows).step_by(BATCH) {
            let to = rows.min(from + BATCH);
            let batch: Vec<_> = columns
                .iter()
                .map(|column| match column {
                    column if is_read(column) => Some(InputColumn {
                        cells: column.cells.slice(from, to),
                        validity: column.validity.map(|validity| &validity[from / 8..to.div_ceil(8)]),
                        ..*column
                    }),
                    _ => None,
                })
                .collect();
            add(&reader, to - from, &batch)?;
        }
        read_table(core, &reader)
    }
}

/// Gives a reader some rows.
fn add(reader: &Handle, rows: usize, columns: &[Option<InputColumn<'_>>]) -> Result<()> {
    #[derive(Deserialize)]
    struct Answered {
        instance: u32,
        columns: Vec<Arrays>,
    }
    let texts = || columns.iter().map(|column| column.map_or(&[][..], |column| column.cells.texts()));
    let bytes: Vec<usize> = texts().map(|texts| texts.iter().map(|text| text.len()).sum()).collect();
    let entries: Vec<usize> = columns
        .iter()
        .map(|column| match column {
            Some(InputColumn { cells: Cells::Dictionary { texts, .. }, .. }) => texts.len(),
            _ => 0,
        })
        .collect();
    let (core, reader) = (&reader.core, reader.number());
    let Answered { instance, columns: arrays } =
        core.ask(json!({"request": "batch", "reader": reader, "rows": rows, "bytes": bytes, "entries": entries}))?;
    let mut turn = core.turn();
    for (column, Arrays { values, offsets, texts, validity }) in columns.iter().zip(arrays) {
        let Some(column) = column else { continue };
        let mut to = Written { turn: &mut turn, instance };
        match column.cells {
            Cells::Text(_) => {}
            Cells::I64(cells) | Cells::Moment(cells) => to.put(values, cells.iter().map(|cell| cell.to_le_bytes()))?,
            Cells::F64(cells) => to.put(values, cells.iter().map(|cell| cell.to_le_bytes()))?,
            Cells::Dictionary { places, .. } => to.put(values, places.iter().map(|place| place.to_le_bytes()))?,
        }
        if matches!(column.cells, Cells::Text(_) | Cells::Dictionary { .. }) {
            to.put_texts(offsets, texts, column.cells.texts())?;
        }
        match column.validity {
            Some(bitmap) => to.put(validity, bitmap.iter().map(|&byte| [byte]))?,
            None => to.put(validity, (0..rows.div_ceil(8)).map(|_| [u8::MAX]))?,
        }
    }
    drop(turn);
    core.ask(json!({"request": "coded", "reader": reader}))
}

/// An engine's memory that the host writes into.
struct Written<'a> {
    turn: &'a mut Turn,
    instance: u32,
}

impl Written<'_> {
    fn bytes(&mut self, pointer: u32, length: usize) -> Result<&mut [u8]> {
        let bytes = u32::try_from(length).map_err(|_| fault())?;
        self.turn.bytes(Place { instance: self.instance, pointer, bytes })
    }

    /// Writes values of N bytes each.
    fn put<const N: usize>(&mut self, pointer: u32, values: impl ExactSizeIterator<Item = [u8; N]>) -> Result<()> {
        let (slots, _) = self.bytes(pointer, N * values.len())?.as_chunks_mut();
        for (slot, value) in slots.iter_mut().zip(values) {
            *slot = value;
        }
        Ok(())
    }

    fn put_texts(&mut self, offsets: u32, pointer: u32, texts: &[&str]) -> Result<()> {
        let mut ends = vec![0];
        for text in texts {
            let end = u32::try_from(text.len()).ok().and_then(|length| length.checked_add(ends[ends.len() - 1]));
            ends.push(end.ok_or_else(fault)?);
        }
        self.put(offsets, ends.iter().map(|end| end.to_le_bytes()))?;
        let mut bytes = self.bytes(pointer, ends[texts.len()] as usize)?;
        for text in texts {
            let (start, rest) = bytes.split_at_mut(text.len());
            start.copy_from_slice(text.as_bytes());
            bytes = rest;
        }
        Ok(())
    }
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
        let read = |(place, column): (usize, Described)| column.read(&writer, place);
        columns.into_iter().enumerate().map(read).collect()
    }
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

impl Described {
    fn read(self, writer: &Handle, place: usize) -> Result<OutputColumn> {
        #[derive(Deserialize)]
        struct Rows {
            #[serde(flatten)]
            arrays: Arrays,
            instance: u32,
            bytes: u32,
            rows: u32,
        }
        let mut validity = Vec::new();
        let mut values = match &*self.kind {
            "dictionary" => Values::Dictionary { places: Vec::new(), labels: self.labels },
            "i64" => Values::I64(Vec::new()),
            "f64" => Values::F64(Vec::new()),
            "moment" => Values::Moment { moments: Vec::new(), are_days: self.unit.is_some(), offset: self.offset },
            _ => Values::Text(Vec::new()),
        };
        for from in (0..).step_by(BATCH) {
            let core = &writer.core;
            let request =
                json!({"request": "column", "writer": writer.number(), "place": place, "from": from, "rows": BATCH});
            let Rows { arrays, instance, bytes, rows } = core.ask(request)?;
            let mut turn = core.turn();
            let mut copy = |pointer, bytes| turn.bytes(Place { instance, pointer, bytes }).map(|bytes| bytes.to_vec());
            validity.extend(copy(arrays.validity, rows.div_ceil(8))?);
            match &mut values {
                Values::Dictionary { places, .. } => places.extend(i32s(&copy(arrays.values, 4 * rows)?)),
                Values::I64(values) => values.extend(i64s(&copy(arrays.values, 8 * rows)?)),
                Values::F64(values) => {
                    values.extend(i64s(&copy(arrays.values, 8 * rows)?).map(|bits| f64::from_bits(bits as u64)))
                }
                Values::Moment { moments, .. } => moments.extend(i64s(&copy(arrays.values, 8 * rows)?)),
                Values::Text(texts) => {
                    let ends: Vec<_> = i32s(&copy(arrays.offsets, 4 * rows + 4)?).map(|end| end as usize).collect();
                    let all = copy(arrays.texts, bytes)?;
                    for cell in ends.windows(2) {
                        let text = all.get(cell[0]..cell[1]).ok_or_else(fault)?;
                        texts.push(str::from_utf8(text).map_err(|_| fault())?.into());
                    }
                }
            }
            if (rows as usize) < BATCH {
                break;
            }
        }
        Ok(OutputColumn { name: self.name, values, validity })
    }
}

fn i32s(bytes: &[u8]) -> impl Iterator<Item = i32> {
    bytes.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes))
}

fn i64s(bytes: &[u8]) -> impl Iterator<Item = i64> {
    bytes.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes))
}
