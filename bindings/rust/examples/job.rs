//! Does whole jobs for tests and benches of all languages (test/runtimes/programs.ts): a line of input is a job, and
//! each is answered with a line.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead};

use standin::{Config, Core, Options, Run, Value, Watch};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let config = Config::with_cache_dir(env::current_exe()?.with_file_name("standin-machine-code"));
    let core = Core::open(&config)?;
    for line in io::stdin().lock().lines() {
        match run(&core, &line?) {
            Ok(()) => println!("done"),
            Err(failure) => {
                let error = failure.downcast::<standin::Error>()?;
                println!("{} {error}", error.code());
            }
        }
    }
    Ok(())
}

fn run(core: &Core, job: &str) -> Result<(), Failure> {
    let parts: Vec<_> = job.split('\t').collect();
    let [schema, csv, planned, rows, out] = parts.as_slice() else { return Err("a job has five parts".into()) };
    let options = |text: &str| Ok::<Value, Failure>(serde_json::from_str(text)?);
    let schema = core.parse_schema(&fs::read_to_string(schema)?)?;
    let plan = schema.plan(options(planned)?)?;
    let table = schema.read_csv(File::open(csv)?)?;
    let release = table.measure(&plan, options(rows)?, Run::default())?;
    let made = release.resample(Options::default(), Watch::default())?;
    made.tables[0].write_csv(File::create(out)?)?;
    Ok(())
}
