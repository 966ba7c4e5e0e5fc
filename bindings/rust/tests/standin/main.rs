//! Tests of the crate from outside. They read the npm package's vectors, and what it says about mistakes.

mod columns;
mod files;
mod runs;
mod vectors;

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;
use serde_json::value::RawValue;
use standin::{Config, Core, Error, Options, Plan, Table, Value, json};

/// A release from beginning to end, as the npm package makes it. Texts of JSON keep the order of their members.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    name: String,
    schema: Box<RawValue>,
    csv: String,
    plan: Value,
    seed: u32,
    rows: Option<u32>,
    noise_key: String,
    release: Box<RawValue>,
    output: Output,
}

/// The synthetic table.
#[derive(Deserialize)]
struct Output {
    csv: String,
}

fn all_vectors() -> Vec<Vector> {
    let mut vectors: Vec<Vector> = Vec::new();
    for entry in fs::read_dir(in_repository("test/vectors")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            vectors.push(serde_json::from_slice(&fs::read(path).unwrap()).unwrap());
        }
    }
    assert!(vectors.len() >= 10, "there are {} vectors", vectors.len());
    vectors
}

fn vector(name: &str) -> Vector {
    all_vectors().into_iter().find(|vector| vector.name == name).unwrap()
}

fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Where all tests keep machine code: next to their own.
fn machine_code() -> PathBuf {
    env::current_exe().unwrap().with_file_name("standin-machine-code")
}

/// A core that takes its machine code from the folder where earlier runs of the tests have kept it.
fn open() -> Core {
    Core::open(&Config::with_cache_dir(machine_code())).unwrap()
}

impl Vector {
    /// The vector's plan and table.
    fn begin(&self, core: &Core) -> (Plan, Table) {
        let schema = core.parse_schema(self.schema.get()).unwrap();
        (schema.plan(self.plan.clone()).unwrap(), schema.read_csv(self.csv.as_bytes()).unwrap())
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
