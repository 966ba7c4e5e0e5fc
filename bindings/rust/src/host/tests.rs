use super::*;
use crate::{Core, Run, Table, json};

const FIELD: &str = r#"{"name": "sex", "type": "string", "constraints": {"enum": ["F"], "required": true}}"#;

fn open() -> Core {
    Core::open(&crate::Config::with_cache_dir(folder())).unwrap()
}

/// Where all tests keep machine code: next to their own.
fn folder() -> std::path::PathBuf {
    std::env::current_exe().unwrap().with_file_name("standin-machine-code")
}

fn read(core: &Core, fields: &str, csv: &str) -> Table {
    core.parse_schema(&format!(r#"{{"fields": [{fields}]}}"#)).unwrap().read_csv(csv.as_bytes()).unwrap()
}

fn instances(core: &Core) -> usize {
    core.turn().0.as_ref().unwrap().store.data().engines.len()
}

fn has(memory: &[u8], text: &str) -> bool {
    memory.windows(text.len()).any(|bytes| bytes == text.as_bytes())
}

#[test]
fn rows_are_in_the_engine_alone_until_they_are_wiped() {
    let core = open();
    let csv = format!("sex,note\n{}", "F,a secret of somebody\n".repeat(5000));
    let table = read(&core, FIELD, &csv);
    {
        let mut turn = core.turn();
        let host = turn.0.as_mut().unwrap();
        assert!(!has(host.memory.data(&host.store), "a secret of somebody"));
        let engines = &mut host.store.data_mut().engines;
        let memories: Vec<_> = engines.values_mut().map(|engine| engine.memory.data(&engine.store)).collect();
        assert!(memories.iter().any(|memory| has(memory, "a secret of somebody")));
        for engine in engines.values_mut() {
            engine.wipe();
            assert!(engine.memory.data(&engine.store).iter().all(|&byte| byte == 0));
        }
    }
    assert_eq!(instances(&core), 1);
    drop(table);
    assert_eq!(instances(&core), 0);
}

#[test]
fn runs_that_end_early_give_their_vault_back() {
    let core = open();
    let fields = ["a", "b", "c"].map(|name| FIELD.replace("sex", name)).join(",");
    let table = read(&core, &fields, "a,b,c\nF,F,F\n");
    let schema = core.parse_schema(&format!(r#"{{"fields": [{fields}]}}"#)).unwrap();
    let plan = schema.plan(json!({"epsilon": 1, "rounds": 2})).unwrap();
    // What a finished run leaves, such as the instance that all requests share, stays.
    table.measure(&plan, json!({}), Run::default()).unwrap();
    let (before, mut during) = (instances(&core), 0);
    let mut on_round = |_: &str| {
        during = instances(&core);
        Err("the disk is full".into())
    };
    let run = Run { on_round: Some(&mut on_round), ..Run::default() };
    assert!(table.measure(&plan, json!({}), run).is_err());
    assert_eq!(instances(&core), before);
    assert!(during > before);
}

#[test]
fn a_core_that_has_failed_holds_nothing() {
    let core = open();
    let table = read(&core, FIELD, "sex\nF\n");
    let mut turn = core.turn();
    // Bytes that are no message of the core's own: its end is one that no request can bring about.
    let failed = turn.run(|host| host.on_its_stack(None, |_| -> Result<()> { bail!("a trap") }));
    drop(turn);
    assert_eq!(failed.unwrap_err().code(), "core/fault");
    assert!(core.turn().0.is_none());
    assert_eq!(core.version().unwrap_err().code(), "core/fault");
    assert_eq!(table.write_csv(Vec::new()).unwrap_err().code(), "core/fault");
}

#[test]
fn verbs_reach_no_bytes_outside() {
    let mut host = Host::start(Modules::load(Some(&folder())).unwrap()).unwrap();
    let state = host.store.data_mut();
    let (first, second) = (state.open(), state.open());
    let engine = state.engine(first).unwrap();
    let size = engine.memory.data_size(&engine.store) as u32;
    assert!(state.bytes(first, size - 8, 8).is_ok() && state.bytes(first, size, 0).is_ok());
    assert!(state.bytes(first, size - 8, 9).is_err() && state.bytes(first, u32::MAX, 2).is_err());
    assert!(state.bytes(0, 0, 1).is_err() && state.copy(first, 0, second, 0, 8).is_ok());
    assert!(state.copy(first, 0, first, 8, 8).is_err() && state.copy(first, size, second, 0, 1).is_err());
    let engine = state.engine(first).unwrap();
    assert!(engine.function(b"alloc").is_ok() && engine.function(b"memory").is_err());
}
