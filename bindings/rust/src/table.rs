use std::io::{self, ErrorKind, Read, Write};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::core::{Core, Handle, Place, Watch};
use crate::error::{Error, Result};
use crate::schema::{Options, Schema};

/// How many bytes of a file are read at once, if the engine has room for them.
const MOST_AT_ONCE: u32 = 1 << 20;

/// The rows of a table: private ones that were read, or synthetic ones. They are in the engine, or follow from a
/// release. When it is dropped, private rows are overwritten with zeros.
#[derive(Debug)]
pub struct Table {
    pub(crate) handle: Handle,
    names: Vec<String>,
}

/// How far apart the answers of two tables are, exactly, and what classifiers learn from either. Anyone who sees these
/// numbers learns about the people in the real table.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct QueryErrors {
    /// How many rows each table has.
    pub rows: ComparedRows,
    /// Over all queries.
    #[serde(flatten)]
    pub all: Errors,
    /// Over the queries of each class.
    pub classes: Vec<ClassErrors>,
    /// The queries with the largest distances, worst first.
    pub worst: Vec<FarQuery>,
    /// What classifiers learn, if targets were given.
    pub utility: Option<Utility>,
}

/// How far apart answers are.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Errors {
    /// The number of queries compared.
    pub workloads: u64,
    /// The number of their cells, in all levels of trees.
    pub cells: u64,
    /// The mean total variation distance of the queries, 0 to 1.
    pub mean_tv: f64,
    /// The largest one.
    pub max_tv: f64,
    /// The mean distance of the two tables' shares of rows over all cells, 0 to 1.
    pub mean_error: f64,
    /// The largest one.
    pub max_error: f64,
    /// Its root mean square.
    pub rmse: f64,
}

/// How far apart the answers to the queries of one class are.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct ClassErrors {
    /// The class, such as `marginal` or `random-prefixes`.
    pub query: String,
    /// How many columns each set has, for column sets.
    pub order: Option<usize>,
    /// Over its queries.
    #[serde(flatten)]
    pub errors: Errors,
}

/// How many rows two tables have.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct ComparedRows {
    /// Those of the real table.
    pub real: u64,
    /// Those of the synthetic one.
    pub synthetic: u64,
}

/// How far apart the answers to one query are.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct FarQuery {
    /// Its class.
    pub query: String,
    /// The columns.
    pub columns: Vec<String>,
    /// The expressions; empty for other classes.
    #[serde(default)]
    pub expressions: Vec<String>,
    /// The total variation distance, 0 to 1.
    pub tv: f64,
}

/// How well logistic regressions do on real rows, after training on real and on synthetic ones.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Utility {
    /// The number of rows that they were tested on.
    pub test_rows: u64,
    /// One for each target.
    pub targets: Vec<TargetUtility>,
}

/// How well a column is predicted.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct TargetUtility {
    /// The column.
    pub target: String,
    /// The macro F1 of both classifiers, which are linear: they see single columns.
    pub f1: TrainedF1,
    /// The same of classifiers that also see pairs of columns; `None` where there are none, or too many.
    #[serde(rename = "f1WithPairs")]
    pub f1_with_pairs: Option<TrainedF1>,
    /// The same of always saying the most frequent class.
    #[serde(rename = "f1MostFrequent")]
    pub f1_most_frequent: Option<f64>,
}

/// Macro F1, 0 to 1; `None` if there were no rows to train on, or none to test on.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct TrainedF1 {
    /// After training on real rows.
    pub real: Option<f64>,
    /// After training on synthetic rows.
    pub synthetic: Option<f64>,
}

impl Schema {
    /// Reads a table in CSV whose first line is a header. Bytes go from the reader straight into the engine's memory,
    /// which also decodes them; a buffered reader only adds copies of them.
    ///
    /// # Errors
    ///
    /// `host/io` with the reader's own error as its source; `host/encoding` if the engine cannot decode the file;
    /// `files/…` and `schema/…` if it does not fit the schema, judging by its header alone.
    pub fn read_csv(&self, table: impl Read) -> Result<Table> {
        let core = &self.handle.core;
        let reader = feed(core, self.reading("read"), table)?;
        read_table(core, &reader)
    }
}

/// What a reader has read, which uses it up.
pub(crate) fn read_table(core: &Core, reader: &Handle) -> Result<Table> {
    #[derive(Deserialize)]
    struct Answered {
        table: u32,
        columns: Vec<String>,
    }
    let Answered { table, columns } = core.ask(json!({"request": "table", "reader": reader.number()}))?;
    Ok(Table::new(core, table, columns))
}

/// Makes a reader of the core's, and gives it all bytes of a file.
pub(crate) fn feed(core: &Core, request: Value, mut table: impl Read) -> Result<Handle> {
    #[derive(Deserialize)]
    struct Answered {
        reader: u32,
    }
    let reader = Handle::new(core, core.ask::<Answered>(request)?.reader);
    loop {
        let room: Place = core.ask(json!({"request": "room", "reader": reader.number(), "bytes": MOST_AT_ONCE}))?;
        let length = fill(&mut table, core.turn().bytes(room)?)
            .map_err(|cause| Error::caused("host/io", "The table cannot be read.", cause))?;
        if length == 0 {
            return Ok(reader);
        }
        core.ask::<()>(json!({"request": "took", "reader": reader.number(), "bytes": length}))?;
    }
}

/// Reads until there is no more room, or nothing more to read.
fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < bytes.len() {
        match reader.read(&mut bytes[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

impl Table {
    pub(crate) fn new(core: &Core, number: u32, names: Vec<String>) -> Self {
        Self { handle: Handle::new(core, number), names }
    }

    /// The names of the columns that it keeps, in the file's order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Writes the table as CSV, in UTF-8 with LF line ends, and returns the number of bytes. The writer gets parts of
    /// about 64 KiB of the engine's memory.
    ///
    /// # Errors
    ///
    /// `host/io` with the writer's own error as its source.
    pub fn write_csv(&self, mut to: impl Write) -> Result<u64> {
        #[derive(Deserialize)]
        struct Answered {
            writer: u32,
        }
        let core = &self.handle.core;
        let answered: Answered = core.ask(json!({"request": "write", "table": self.handle.number()}))?;
        let writer = Handle::new(core, answered.writer);
        let mut written = 0;
        loop {
            let chunk: Place = core.ask(json!({"request": "chunk", "writer": writer.number()}))?;
            if chunk.bytes == 0 {
                return Ok(written);
            }
            to.write_all(core.turn().bytes(chunk)?)
                .map_err(|cause| Error::caused("host/io", "The table cannot be written.", cause))?;
            written += u64::from(chunk.bytes);
        }
    }

    /// Compares a synthetic table with this real one, exactly and without noise. THE RESULT IS NOT PRIVATE: it is only
    /// for the owner of the real table, and publishing it would reveal what the release protects.
    ///
    /// The options are `workload` and `queries`, as for plans; `targets`, names of columns that classifiers are trained
    /// to predict; and, with targets, a test table (by default, a fifth of the real table).
    ///
    /// # Errors
    ///
    /// `workload/…`, `evaluate/…`, `schema/other-table`; `host/cancelled`.
    pub fn non_private_query_errors<'a>(
        &self,
        synthetic: &Table,
        schema: &Schema,
        options: impl Into<Options<'a>>,
        mut watch: Watch<'_>,
    ) -> Result<QueryErrors> {
        let core = &self.handle.core;
        let (real, schema) = (self.handle.number(), schema.handle.of(core)?);
        let synthetic = synthetic.handle.of(core)?;
        let request = json!({"request": "evaluate", "real": real, "synthetic": synthetic, "schema": schema});
        Ok(core.ask_with(options.into().of(core, request)?, &[], &mut watch)?.0)
    }
}
