use std::io::Read;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::core::{Core, Handle};
use crate::error::{Error, Result};
use crate::table::{Table, feed};

/// A column that a schema describes.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Field {
    /// Its name, as in the table's header.
    pub name: String,
    /// Its type in the schema, such as `integer`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `model`, or what else becomes of the column.
    pub role: String,
    /// Whether no cell of the column is missing.
    pub required: bool,
    /// For datetimes that the schema states with an offset: the first offset, in seconds east of UTC.
    pub offset: Option<i32>,
}

/// The public facts of a table.
#[derive(Debug)]
pub struct Schema {
    pub(crate) handle: Handle,
    fields: Vec<Field>,
    read_facts: Vec<String>,
    encoding: String,
    decodes: bool,
    is_decoded: bool,
    /// The columns that reading needs.
    pub(crate) reads: Vec<String>,
}

/// What will be measured of a table, with what noise, at what price. It was made without looking at any table.
#[derive(Debug)]
pub struct Plan {
    pub(crate) handle: Handle,
    facts: Box<RawValue>,
}

/// A schema suggested by the rows, for their owner. NOT PRIVATE.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Proposal {
    /// The schema in JSON. Each fact that was read from the rows is marked as such.
    #[serde(deserialize_with = "text")]
    pub descriptor: String,
    /// Notes for the owner, one sentence each: column names and counts, no cells.
    pub notes: Vec<String>,
    /// The facts that were read from the rows, such as `age: minimum`.
    pub read_facts: Vec<String>,
}

/// Options for a plan, for measuring, for making rows or for a comparison: a JSON object with the npm package's names
/// for them, such as `epsilon`, `workload` or `seed`, and possibly tables. The core checks names and values.
///
/// ```
/// # use standin::{Options, json};
/// let options: Options = json!({"epsilon": 1, "workload": "3-way"}).into();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    members: Value,
    public_table: Option<&'a Table>,
    test_table: Option<&'a Table>,
}

impl From<Value> for Options<'_> {
    fn from(members: Value) -> Self {
        Self { members, ..Self::default() }
    }
}

impl<'a> Options<'a> {
    /// Adds public rows of the same schema, which are never counted: the search for rows starts from them.
    pub fn with_public_table(self, table: &'a Table) -> Self {
        Self { public_table: Some(table), ..self }
    }

    /// Adds real rows that were held out, on which a comparison tests its classifiers.
    pub fn with_test_table(self, table: &'a Table) -> Self {
        Self { test_table: Some(table), ..self }
    }

    /// Adds the options to a request.
    pub(crate) fn of(self, core: &Core, mut request: Value) -> Result<Value> {
        request["options"] = match self.members {
            Value::Null => json!({}),
            Value::Object(members) if !members.contains_key("publicTable") => members.into(),
            _ => return Err(Error::new("host/request", OPTIONS)),
        };
        for (name, table) in [("publicTable", self.public_table), ("test", self.test_table)] {
            if let Some(table) = table {
                request[name] = table.handle.of(core)?.into();
            }
        }
        Ok(request)
    }
}

const OPTIONS: &str = "Options must be a JSON object. Use with_public_table to add a public table.";

impl Core {
    /// Reads a schema: the JSON of a Frictionless Table Schema with standin blocks.
    ///
    /// # Errors
    ///
    /// `schema/…` if it is not a valid schema.
    pub fn parse_schema(&self, descriptor: &str) -> Result<Schema> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Answered {
            schema: u32,
            fields: Vec<Field>,
            read_facts: Vec<String>,
            encoding: String,
            decodes: bool,
            reads: Vec<String>,
        }
        let answered: Answered = self.ask(json!({"request": "schema", "descriptor": descriptor}))?;
        let Answered { schema, fields, read_facts, encoding, decodes, reads } = answered;
        let handle = Handle::new(self, schema);
        Ok(Schema { handle, fields, read_facts, encoding, decodes, is_decoded: false, reads })
    }

    /// Proposes a schema for a table from its own rows. NOT PRIVATE: only for the table's owner, until
    /// [`confirm_facts`](Self::confirm_facts) declares the facts that are known independently. The options are
    /// `maxCategories`, `dialect` and `missingValues`.
    pub fn non_private_proposal<'a>(&self, table: impl Read, options: impl Into<Options<'a>>) -> Result<Proposal> {
        let reader = feed(self, options.into().of(self, json!({"request": "propose"}))?, table)?;
        self.ask(json!({"request": "proposal", "reader": reader.number()}))
    }

    /// Returns the same schema with facts that were read from the rows marked as declared, because someone knows them
    /// independently of this table: the facts of these columns, or, without columns, all facts, including those of the
    /// table as a whole.
    ///
    /// # Errors
    ///
    /// `schema/…` if it is not a valid schema or has no such column.
    pub fn confirm_facts(&self, descriptor: &str, columns: Option<&[&str]>) -> Result<String> {
        #[derive(Deserialize)]
        struct Answered {
            #[serde(deserialize_with = "text")]
            descriptor: String,
        }
        let mut request = json!({"request": "confirm", "descriptor": descriptor});
        if let Some(columns) = columns {
            request["columns"] = columns.into();
        }
        Ok(self.ask::<Answered>(request)?.descriptor)
    }
}

impl Schema {
    /// All fields, in the schema's order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The facts that were read from the rows, such as `age: minimum`. A plan with any has no guarantee.
    pub fn read_facts(&self) -> &[String] {
        &self.read_facts
    }

    /// The usual name of the encoding of the table's file.
    pub fn encoding(&self) -> &str {
        &self.encoding
    }

    /// Whether the engine can decode the file. If not, and no byte order mark says otherwise, reading it is refused.
    pub fn decodes(&self) -> bool {
        self.decodes
    }

    /// The same schema for files that the caller decodes into UTF-8, whatever encoding it states.
    pub fn with_decoded_files(self) -> Self {
        Self { is_decoded: true, ..self }
    }

    /// A request to read a file.
    pub(crate) fn reading(&self, request: &str) -> Value {
        json!({"request": request, "schema": self.handle.number(), "decoded": self.is_decoded})
    }

    /// Plans a release without touching anything private. The option `epsilon` or `rho` is required.
    pub fn plan<'a>(&self, options: impl Into<Options<'a>>) -> Result<Plan> {
        #[derive(Deserialize)]
        struct Answered {
            plan: u32,
            facts: Box<RawValue>,
        }
        let core = &self.handle.core;
        let request = options.into().of(core, json!({"request": "plan", "schema": self.handle.number()}))?;
        let Answered { plan, facts } = core.ask(request)?;
        Ok(Plan { handle: Handle::new(core, plan), facts })
    }

    /// Counts what the schema would change in a table: what the command `standin check --json` prints. NOT PRIVATE:
    /// only for the table's owner.
    pub fn non_private_check(&self, table: impl Read) -> Result<Value> {
        let core = &self.handle.core;
        let reader = feed(core, self.reading("check"), table)?;
        core.ask(json!({"request": "checked", "reader": reader.number()}))
    }
}

impl Plan {
    /// What the command `standin plan --json` prints.
    pub fn json(&self) -> &str {
        self.facts.get()
    }
}

/// A value of JSON as the text that it had in the answer.
pub(crate) fn text<'de, D: serde::Deserializer<'de>>(from: D) -> std::result::Result<String, D::Error> {
    Ok(<Box<RawValue>>::deserialize(from)?.get().into())
}
