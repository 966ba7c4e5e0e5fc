use std::time::Instant;
use std::path::PathBuf;
use standin::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let cache = args.next().filter(|c| c != "-");
    let start = Instant::now();
    let core = Core::open(&cache.map_or_else(Config::default, Config::with_cache_dir)).unwrap();
    println!("open {:?}", start.elapsed());
    let schema = core.parse_schema(r#"{"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"], "required": true}},{"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 99, "required": true}}]}"#).unwrap();
    let plan = schema.plan(json!({"epsilon": 1})).unwrap();
    println!("first plan {:?} {}", start.elapsed(), plan.json().len());
    let t = Instant::now();
    for _ in 0..100 { core.version().unwrap(); }
    println!("a request {:?}", t.elapsed() / 100);
    let Some(folder) = args.next().map(PathBuf::from) else { return };
    let domain: Value = serde_json::from_slice(&std::fs::read(folder.join("adult_coded-domain.json")).unwrap()).unwrap();
    let fields: Vec<Value> = domain.as_object().unwrap().iter().map(|(n, s)| json!({"name": n, "type": "integer", "constraints": {"minimum": 0, "maximum": s.as_u64().unwrap() - 1, "required": true}})).collect();
    for _ in 0..args.next().map_or(1, |n| n.parse().unwrap()) {
        let t = Instant::now();
        let schema = core.parse_schema(&json!({"fields": fields}).to_string()).unwrap();
        let table = schema.read_csv(std::fs::File::open(folder.join("adult_coded.csv")).unwrap()).unwrap();
        let read = t.elapsed();
        let plan = schema.plan(json!({"epsilon": 1})).unwrap();
        let release = table.measure(&plan, json!({"seed": 1}), Run::default()).unwrap();
        let measured = t.elapsed();
        let made = release.resample(json!({}), Watch::default()).unwrap();
        let n = made.tables[0].write_csv(std::fs::File::create("/tmp/rust-adult.csv").unwrap()).unwrap();
        println!("job {:?} (read {read:?}, measured {measured:?}), {n} bytes", t.elapsed());
    }
}
