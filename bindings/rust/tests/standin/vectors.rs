use std::thread;

use standin::{Core, Options, Run, Watch};

use crate::*;

/// Fails unless a core makes the bytes of a vector.
fn remake(core: &Core, vector: &Vector) {
    let name = &vector.name;
    let (plan, table) = vector.begin(core);
    let hex = &vector.noise_key;
    let key = std::array::from_fn(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap());
    let run = Run { unsafe_noise_key: Some(key), ..Run::default() };
    let release = table.measure(&plan, vector.options(), run).unwrap();
    assert!(release.json() == vector.compact_release(), "{name}: another release");
    assert!(release.guarantee().is_none() && release.no_guarantee().is_some(), "{name}: a guarantee of a known key");
    let again = core.parse_release(release.json()).unwrap();
    let made = again.resample(Options::default(), Watch::default()).unwrap();
    assert!(written(&made.tables[0]) == vector.output.csv, "{name}: other rows");
}

impl Vector {
    /// The options of measuring.
    fn options(&self) -> Value {
        let mut options = json!({"seed": self.seed});
        if let Some(rows) = self.rows {
            options["rows"] = rows.into();
        }
        options
    }

    /// The text of the release, without the white space between its members.
    fn compact_release(&self) -> String {
        let (mut is_text, mut is_escaped) = (false, false);
        let mut keep = |character: &char| {
            is_text ^= *character == '"' && !is_escaped;
            is_escaped = *character == '\\' && !is_escaped;
            is_text || !character.is_whitespace()
        };
        self.release.get().chars().filter(|character| keep(character)).collect()
    }
}

#[test]
fn makes_the_bytes_of_the_npm_package() {
    let core = open();
    for vector in all_vectors() {
        remake(&core, &vector);
    }
}

#[test]
fn cores_work_at_the_same_time() {
    thread::scope(|scope| {
        for _ in 0..2 {
            let core = open();
            scope.spawn(move || all_vectors()[..4].iter().for_each(|vector| remake(&core, vector)));
        }
    });
}

#[test]
fn one_core_takes_turns() {
    let core = open();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| all_vectors()[..4].iter().for_each(|vector| remake(&core, vector)));
        }
    });
}

#[test]
fn a_core_brings_its_own_stack() {
    let small = thread::Builder::new().stack_size(64 << 10);
    let job = small.spawn(|| {
        let core = open();
        let deep = format!("{{\"fields\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(core.parse_schema(&deep).is_err());
        remake(&core, &vector("pairs"));
    });
    job.unwrap().join().unwrap();
}
