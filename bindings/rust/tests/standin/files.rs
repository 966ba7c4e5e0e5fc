use std::error::Error as _;
use std::io::{self, Read, Write};

use serde::Deserialize;
use standin::{Progress, Schema, Table, Watch};

use crate::*;

/// The npm package says the same of wrong schemas, tables and options: the Go package's tests have recorded it.
#[test]
fn refuses_what_the_npm_package_refuses() {
    let core = open();
    let recorded = fs::read(in_repository("bindings/go/testdata/refusals.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_slice(&recorded).unwrap();
    assert!(cases.len() >= 17);
    for case in cases {
        let refused = core.parse_schema(&case["schema"].to_string()).and_then(|schema| match case.get("csv") {
            Some(csv) => schema.read_csv(csv.as_str().unwrap().as_bytes()).map(drop),
            None => schema.plan(case["options"].clone()).map(drop),
        });
        let error = refused.expect_err(&case.to_string());
        let found = json!({"code": error.code(), "message": error.message(), "hint": error.hint()});
        assert_eq!(found, case["expected"]);
    }
    assert!(!core.version().unwrap().is_empty());
}

#[test]
fn errors_go_where_errors_go() {
    fn is_error<E: std::error::Error + Send + Sync + 'static>(_: &E) {}
    let error = expect_code(open().parse_schema("{}"), "schema/fields");
    is_error(&error);
    assert_eq!(error.to_string(), error.message());
    assert!(error.message().ends_with(error.hint().unwrap()) && error.source().is_none());
    expect_code(open().parse_schema("{"), "schema/json");
}

fn sexes(core: &Core) -> Schema {
    core.parse_schema(
        r#"{"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"], "required": true}}]}"#,
    )
    .unwrap()
}

/// Gives a byte at a time, and is interrupted before each.
struct Slow<'a>(&'a [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 { Err(io::ErrorKind::Interrupted.into()) } else { self.0.read(&mut into[..1]) }
    }
}

/// Fails at the end of what it has.
struct Broken<T>(T);

impl Read for Broken<&[u8]> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.0.read(into)? {
            0 => Err(io::Error::other("the cable is loose")),
            read => Ok(read),
        }
    }
}

impl Write for Broken<&mut [u8]> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes)? {
            0 => Err(io::Error::other("the cable is loose")),
            written => Ok(written),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[track_caller]
fn expect_loose_cable<T>(result: standin::Result<T>) {
    let error = expect_code(result, "host/io");
    assert_eq!(error.source().unwrap().to_string(), "the cable is loose");
}

#[test]
fn reads_and_writes_large_tables() {
    let core = open();
    let schema = sexes(&core);
    let rows = 150_000;
    let csv = format!("note,sex\r\n{}", "\"a, b\",F\r\nsome words,M\r\n".repeat(rows));
    let expected = format!("sex\n{}", "F\nM\n".repeat(rows));
    let table = schema.read_csv(csv.as_bytes()).unwrap();
    assert_eq!(table.names(), ["sex"]);
    assert!(written(&table) == expected);
    let start = &csv.as_bytes()[.."note,sex\r\n".len() + 100 * "\"a, b\",F\r\nsome words,M\r\n".len()];
    assert!(written(&schema.read_csv(Slow(start, false)).unwrap()) == expected[..4 + 400]);
    expect_loose_cable(schema.read_csv(Broken(csv.as_bytes())));
    expect_loose_cable(table.write_csv(Broken([0; 100_000].as_mut_slice())));
    expect_code(schema.read_csv(io::empty()), "files/empty");
}

#[test]
fn public_rows_and_comparisons() {
    let core = open();
    let vector = vector("pairs");
    let (_, table) = vector.begin(&core);
    let schema = core.parse_schema(vector.schema.get()).unwrap();
    let public = schema.read_csv(vector.output.csv.as_bytes()).unwrap();
    let with_public = |options: Value, table: &'static Table| Options::from(options).with_public_table(table);
    let public: &'static Table = Box::leak(Box::new(public));
    let plan = schema.plan(with_public(json!({"epsilon": 2}), public)).unwrap();
    let release = table.measure(&plan, Options::default(), standin::Run::default()).unwrap();
    assert_eq!(release.guarantee().unwrap().epsilon, 2.0);
    assert!(release.resample(Options::default(), Watch::default()).is_err());
    let made = release.resample(with_public(json!({"rows": 50}), public), Watch::default()).unwrap();
    assert_eq!((made.rows, written(&made.tables[0]).lines().count()), (50, 51));
    assert!(made.outcome.starts_with('{') && made.release.json().starts_with('{'));

    let compare = |options| table.non_private_query_errors(&made.tables[0], &schema, options, Watch::default());
    let errors = compare(json!({"workload": "1-way"}).into()).unwrap();
    assert_eq!((errors.rows.real, errors.rows.synthetic), (240, 50));
    assert!(errors.all.mean_tv > 0.0 && errors.worst[0].tv == errors.all.max_tv && errors.utility.is_none());
    let asked = json!({"workload": "1-way", "queries": [{"expression": "age < 30"}], "targets": ["sex"]});
    let mut heard = Vec::new();
    let mut hear = |progress| heard.push(progress);
    let watch = Watch { on_progress: Some(&mut hear), ..Watch::default() };
    let options = Options::from(asked).with_test_table(public);
    let more = table.non_private_query_errors(&made.tables[0], &schema, options, watch).unwrap();
    // Each column, the expression, and each other column with the target.
    assert_eq!(more.all.workloads, 2 * errors.all.workloads);
    let [.., alone, pairs] = &more.classes[..] else { panic!("no classes") };
    assert_eq!((&*alone.query, alone.order, alone.errors.cells), ("expression", None, 1));
    assert_eq!((pairs.order, pairs.errors.workloads), (Some(2), errors.all.workloads - 1));
    let asked = compare(json!({"workload": "1-way", "queries": [{"expression": "age < 30"}]}).into()).unwrap();
    assert!(asked.worst.iter().any(|far| far.expressions == ["age < 30"]));
    let utility = more.utility.unwrap();
    assert_eq!((utility.test_rows, &*utility.targets[0].target), (244, "sex"));
    assert!(utility.targets[0].f1.real.unwrap() > 0.0 && utility.targets[0].f1.synthetic.is_some());
    assert!(utility.targets[0].f1_most_frequent.unwrap() > 0.0);
    assert!(matches!(heard[..], [Progress::Train { .. }, ..]));
    expect_code(compare(Options::default().with_test_table(public)), "options/argument");
    expect_code(compare(json!({"workload": "9-way"}).into()), "workload/unknown");
    expect_code(schema.plan(json!({"epsilon": 2, "publicTable": 1})), "host/request");
    expect_code(schema.plan(json!("epsilon")), "host/request");
    let elsewhere = sexes(&open()).read_csv("sex\n".as_bytes()).unwrap();
    expect_code(schema.plan(Options::from(json!({"epsilon": 2})).with_public_table(&elsewhere)), "host/handle");
    expect_code(elsewhere.measure(&plan, json!({}), standin::Run::default()), "host/handle");
}

#[test]
fn facts_are_confirmed() {
    let core = open();
    let field = |name| {
        let constraints = json!({"minimum": 0, "maximum": 9});
        json!({"name": name, "type": "integer", "constraints": constraints, "standin": {"provenance": "read"}})
    };
    let descriptor = json!({"fields": [field("a"), field("b")]}).to_string();
    let facts = |descriptor: &str| core.parse_schema(descriptor).unwrap().read_facts().to_vec();
    assert!(facts(&descriptor).iter().any(|fact| fact.starts_with('a')));
    let some = facts(&core.confirm_facts(&descriptor, Some(&["a"])).unwrap());
    assert!(!some.is_empty() && some.iter().all(|fact| fact.starts_with('b')), "{some:?}");
    assert!(facts(&core.confirm_facts(&descriptor, None).unwrap()).is_empty());
    expect_code(core.confirm_facts(&descriptor, Some(&["c"])), "schema/unknown-column");
    let fields = core.parse_schema(&descriptor).unwrap().fields().to_vec();
    assert_eq!((&*fields[1].name, &*fields[1].kind, &*fields[1].role), ("b", "integer", "model"));
    assert!(!fields[1].required);
}

/// What the npm package tells the owner of a table, which the Go package's tests have recorded.
#[derive(Deserialize)]
struct Owner {
    base64: String,
    proposal: Value,
    schema: Value,
    check: Value,
}

impl Owner {
    fn bytes(&self) -> Vec<u8> {
        let digits = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let value = |digit| digits.iter().position(|&known| known == digit).unwrap_or(0) as u32;
        let groups = self.base64.as_bytes().chunks(4).flat_map(|group| {
            let [_, bytes @ ..] = group.iter().fold(0, |sum, &digit| sum << 6 | value(digit)).to_be_bytes();
            bytes
        });
        let padding = self.base64.bytes().filter(|&digit| digit == b'=').count();
        groups.take(self.base64.len() / 4 * 3 - padding).collect()
    }
}

#[test]
fn tells_owners_what_the_npm_package_tells_them() {
    let core = open();
    let recorded = fs::read(in_repository("bindings/go/testdata/owners.json")).unwrap();
    let owners: Vec<Owner> = serde_json::from_slice(&recorded).unwrap();
    assert!(owners.len() >= 3);
    for owner in owners {
        let bytes = owner.bytes();
        let found = core.non_private_proposal(bytes.as_slice(), json!({"maxCategories": 2})).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&found.descriptor).unwrap(), owner.proposal["descriptor"]);
        assert_eq!(
            (json!(found.notes), json!(found.read_facts)),
            (owner.proposal["notes"].clone(), owner.proposal["readFacts"].clone())
        );
        let schema = core.parse_schema(&owner.schema.to_string()).unwrap();
        assert_eq!(schema.non_private_check(bytes.as_slice()).unwrap(), owner.check);
        assert!(schema.decodes() && schema.read_csv(bytes.as_slice()).is_ok(), "{}", schema.encoding());
    }
    expect_loose_cable(core.non_private_proposal(Broken(b"sex\nF\n".as_slice()), json!({})));
    expect_code(core.non_private_proposal(io::empty(), json!({})), "files/empty");
    expect_code(sexes(&core).non_private_check(b"age\n1\n".as_slice()), "files/missing-column");
}

#[test]
fn files_are_decoded() {
    let core = open();
    let field = json!({"name": "größe", "type": "string", "constraints": {"enum": ["ß", "Ω"], "required": true}});
    let schema =
        |encoding: &str| core.parse_schema(&json!({"fields": [field], "encoding": encoding}).to_string()).unwrap();
    let csv = "größe\nß\nΩ\n";
    let read = |schema: &Schema, bytes: &[u8]| schema.read_csv(bytes).map(|table| written(&table));
    assert_eq!(read(&schema("utf-8"), csv.as_bytes()).unwrap(), csv);
    assert_eq!(read(&schema("utf-8"), format!("\u{feff}{csv}").as_bytes()).unwrap(), csv);
    let wide: Vec<u8> = format!("\u{feff}{csv}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(read(&schema("latin1"), &wide).unwrap(), csv);
    assert_eq!(read(&schema("latin1"), b"gr\xf6\xdfe\n\xdf\n").unwrap(), "größe\nß\n");

    let greek = schema("iso-8859-7");
    assert_eq!((greek.encoding(), greek.decodes(), schema("latin1").encoding()), ("iso-8859-7", false, "windows-1252"));
    expect_code(read(&greek, b"a\n"), "host/encoding");
    expect_code(greek.non_private_check(b"a\n".as_slice()), "host/encoding");
    let greek = greek.with_decoded_files();
    assert_eq!(read(&greek, csv.as_bytes()).unwrap(), csv);
    assert_eq!(greek.non_private_check(csv.as_bytes()).unwrap()["rows"], 2);
}
