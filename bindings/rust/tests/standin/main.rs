//! Tests of the crate from outside. They read the npm package's vectors, and what it says about mistakes.

mod files;
mod runs;
mod vectors;

use std::path::Path;
use std::{env, fs};

use standin::{Config, Core, Error, Options, Plan, Table, Value, json};

/// A release from beginning to end, as the npm package makes it.
struct Vector(Value);

fn all_vectors() -> Vec<Vector> {
    let mut vectors = Vec::new();
    for entry in fs::read_dir(in_repository("test/vectors")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            vectors.push(Vector(serde_json::from_slice(&fs::read(path).unwrap()).unwrap()));
        }
    }
    assert!(vectors.len() >= 10, "there are {} vectors", vectors.len());
    vectors
}

fn vector(name: &str) -> Vector {
    all_vectors().into_iter().find(|vector| vector.0["name"] == name).unwrap()
}

fn in_repository(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A core that takes its machine code from the folder where earlier runs of the tests have kept it.
fn open() -> Core {
    Core::open(&Config::with_cache_dir(env!("CARGO_TARGET_TMPDIR"))).unwrap()
}

impl Vector {
    fn schema(&self) -> String {
        self.0["schema"].to_string()
    }

    fn csv(&self) -> &str {
        self.0["csv"].as_str().unwrap()
    }

    fn output(&self) -> &str {
        self.0["output"]["csv"].as_str().unwrap()
    }

    /// The options of measuring.
    fn options(&self) -> Options<'static> {
        let mut options = json!({"seed": self.0["seed"]});
        if let Some(rows) = self.0.get("rows") {
            options["rows"] = rows.clone();
        }
        options.into()
    }

    /// The vector's plan and table.
    fn begin(&self, core: &Core) -> (Plan, Table) {
        let schema = core.parse_schema(&self.schema()).unwrap();
        (schema.plan(self.0["plan"].clone()).unwrap(), schema.read_csv(self.csv().as_bytes()).unwrap())
    }
}

fn written(table: &Table) -> String {
    let mut csv = Vec::new();
    assert_eq!(table.write_csv(&mut csv).unwrap(), csv.len() as u64);
    String::from_utf8(csv).unwrap()
}

#[track_caller]
fn expect_code<T>(result: Result<T, Error>, code: &str) -> Error {
    let error = result.err().unwrap_or_else(|| panic!("got no error instead of {code}"));
    assert_eq!(error.code(), code, "{error}");
    error
}
