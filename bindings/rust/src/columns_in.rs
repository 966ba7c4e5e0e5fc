//! Tables from typed columns in memory. Layouts are Arrow's.

use std::ops::Range;

use serde::Deserialize;
use serde_json::json;

use crate::core::{Handle, Place, Turn, fault};
use crate::error::{Error, Result};
use crate::schema::Schema;
use crate::table::{Table, read_table};

/// How many rows cross at once: a multiple of 8, so that bitmaps can be cut there.
pub(crate) const BATCH: usize = 1 << 15;

/// A column of a table to read.
#[derive(Clone, Copy)]
pub struct InputColumn<'a> {
    /// Its name, as it would be in a file's header.
    pub name: &'a str,
    /// Its cells.
    pub cells: Cells<'a>,
    /// One bit per row, lowest first, as in Arrow: 0 for a missing cell. Without it, no cell is missing.
    pub validity: Option<&'a [u8]>,
}

/// The cells of a column, one for each row.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Cells<'a> {
    /// Texts as in a file, without quotes.
    Text(&'a [&'a str]),
    /// Whole numbers, read like their digits in a file.
    I64(&'a [i64]),
    /// Numbers, read like the shortest decimal text that reads back as the same number. A NaN is a missing cell.
    F64(&'a [f64]),
    /// Texts as indices into a dictionary. An index outside it is a missing cell.
    Dictionary {
        /// An index for each row, from 0.
        places: &'a [i32],
        /// The dictionary.
        texts: &'a [&'a str],
    },
    /// Dates, datetimes and times, whatever the schema's format: microseconds since 1970-01-01T00:00:00 (times: since
    /// midnight), in local wall-clock time, or in UTC where the schema's values have an offset.
    Moment(&'a [i64]),
}

/// Where the arrays of a column are in the engine's memory.
#[derive(Deserialize)]
pub(crate) struct Arrays {
    pub values: u32,
    pub offsets: u32,
    pub texts: u32,
    pub validity: u32,
}

impl InputColumn<'_> {
    fn kind(&self) -> &'static str {
        match self.cells {
            Cells::Text(_) => "text",
            Cells::I64(_) => "i64",
            Cells::F64(_) => "f64",
            Cells::Dictionary { .. } => "dictionary",
            Cells::Moment(_) => "moment",
        }
    }

    fn rows(&self) -> usize {
        match self.cells {
            Cells::Text(texts) => texts.len(),
            Cells::I64(cells) | Cells::Moment(cells) => cells.len(),
            Cells::F64(cells) => cells.len(),
            Cells::Dictionary { places, .. } => places.len(),
        }
    }

    /// The texts of the cells, or of their dictionary.
    fn texts(&self) -> &[&str] {
        match self.cells {
            Cells::Text(texts) | Cells::Dictionary { texts, .. } => texts,
            _ => &[],
        }
    }

    fn entries(&self) -> usize {
        match self.cells {
            Cells::Dictionary { texts, .. } => texts.len(),
            _ => 0,
        }
    }

    /// Some of its rows, from a multiple of 8.
    fn slice(&self, rows: Range<usize>) -> Self {
        let bits = rows.start / 8..rows.end.div_ceil(8);
        let cells = match self.cells {
            Cells::Text(texts) => Cells::Text(&texts[rows]),
            Cells::I64(cells) => Cells::I64(&cells[rows]),
            Cells::F64(cells) => Cells::F64(&cells[rows]),
            Cells::Dictionary { places, texts } => Cells::Dictionary { places: &places[rows], texts },
            Cells::Moment(cells) => Cells::Moment(&cells[rows]),
        };
        Self { name: self.name, cells, validity: self.validity.map(|validity| &validity[bits]) }
    }
}

impl Schema {
    /// Reads a table from columns with the same number of rows. Those that the schema needs are copied into the
    /// engine's memory.
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
        let rows = columns.first().map_or(0, InputColumn::rows);
        let fits = |validity: &[u8]| validity.len() == rows.div_ceil(8);
        if columns.iter().any(|column| column.rows() != rows || !column.validity.is_none_or(fits)) {
            return Err(Error::new("host/columns", "Columns and bitmaps must have the same number of rows."));
        }
        let is_read = |column: &&InputColumn<'_>| self.reads.iter().any(|name| name == column.name);
        let needed: Vec<_> = columns.iter().map(|column| Some(column).filter(is_read)).collect();
        let typed: Vec<_> = columns
            .iter()
            .zip(&needed)
            .map(|(column, needed)| json!({"name": column.name, "type": needed.map_or("none", InputColumn::kind)}))
            .collect();
        let (core, schema) = (&self.handle.core, self.handle.number());
        let answered: Answered = core.ask(json!({"request": "read", "schema": schema, "columns": typed}))?;
        let reader = Handle::new(core, answered.reader);
        for from in (0..rows).step_by(BATCH) {
            add(&reader, &needed, from..rows.min(from + BATCH))?;
        }
        read_table(core, &reader)
    }
}

/// Gives a reader some of the rows.
fn add(reader: &Handle, columns: &[Option<&InputColumn<'_>>], rows: Range<usize>) -> Result<()> {
    #[derive(Deserialize)]
    struct Answered {
        instance: u32,
        columns: Vec<Arrays>,
    }
    let (core, number, count) = (&reader.core, reader.number(), rows.len());
    let batch: Vec<_> = columns.iter().map(|column| column.map(|column| column.slice(rows.clone()))).collect();
    let each = |size: fn(&InputColumn<'_>) -> usize| -> Vec<_> {
        batch.iter().map(|column| column.as_ref().map_or(0, size)).collect()
    };
    let bytes = each(|column| column.texts().iter().map(|text| text.len()).sum());
    let entries = each(|column| column.entries());
    let request = json!({"request": "batch", "reader": number, "rows": count, "bytes": bytes, "entries": entries});
    let Answered { instance, columns: arrays } = core.ask(request)?;
    let mut turn = core.turn();
    let mut memory = Memory { turn: &mut turn, instance };
    for (column, to) in batch.iter().zip(arrays) {
        let Some(column) = column else { continue };
        match column.cells {
            Cells::Text(texts) => memory.put_texts(to.offsets, to.texts, texts)?,
            Cells::I64(cells) | Cells::Moment(cells) => memory.put(to.values, cells, i64::to_le_bytes)?,
            Cells::F64(cells) => memory.put(to.values, cells, f64::to_le_bytes)?,
            Cells::Dictionary { places, texts } => {
                memory.put(to.values, places, i32::to_le_bytes)?;
                memory.put_texts(to.offsets, to.texts, texts)?;
            }
        }
        match column.validity {
            Some(bitmap) => memory.bytes(to.validity, bitmap.len())?.copy_from_slice(bitmap),
            None => memory.bytes(to.validity, count.div_ceil(8))?.fill(u8::MAX),
        }
    }
    drop(turn);
    core.ask(json!({"request": "coded", "reader": number}))
}

/// The memory of an instance of the engine, which the host writes into.
struct Memory<'a> {
    turn: &'a mut Turn,
    instance: u32,
}

impl Memory<'_> {
    fn bytes(&mut self, pointer: u32, length: usize) -> Result<&mut [u8]> {
        let bytes = u32::try_from(length).map_err(|_| fault())?;
        self.turn.bytes(Place { instance: self.instance, pointer, bytes })
    }

    fn put<T: Copy, const N: usize>(&mut self, pointer: u32, values: &[T], bytes: fn(T) -> [u8; N]) -> Result<()> {
        let (slots, _) = self.bytes(pointer, N * values.len())?.as_chunks_mut();
        for (slot, value) in slots.iter_mut().zip(values) {
            *slot = bytes(*value);
        }
        Ok(())
    }

    fn put_texts(&mut self, offsets: u32, pointer: u32, texts: &[&str]) -> Result<()> {
        let mut ends = vec![0_u32];
        for text in texts {
            ends.push(ends[ends.len() - 1] + text.len() as u32); // the core has found room for all of them
        }
        self.put(offsets, &ends, u32::to_le_bytes)?;
        let mut bytes = self.bytes(pointer, ends[texts.len()] as usize)?;
        for text in texts {
            let (start, rest) = bytes.split_at_mut(text.len());
            start.copy_from_slice(text.as_bytes());
            bytes = rest;
        }
        Ok(())
    }
}
