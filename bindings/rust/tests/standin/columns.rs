use standin::{Cells, InputColumn, OutputColumn, Values};

use crate::*;

const SCHEMA: &str = r#"{"fields": [
    {"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}},
    {"name": "age", "type": "integer", "constraints": {"minimum": -5, "maximum": 99}},
    {"name": "height", "type": "number", "constraints": {"minimum": 0, "maximum": 3}, "standin": {"granularity": 0.25}},
    {"name": "born", "type": "date", "constraints": {"minimum": "1990-01-01", "maximum": "1999-12-31"}},
    {"name": "seen", "type": "datetime", "constraints":
        {"minimum": "1999-12-31T23:00:00+01:00", "maximum": "2000-01-31T23:00:00+01:00"}},
    {"name": "at", "type": "time", "constraints": {"minimum": "08:00:00", "maximum": "18:00:00"}},
    {"name": "note", "type": "string", "standin": {"role": "drop"}}
]}"#;
const HOUR: i64 = 3_600_000_000;
const DAY: i64 = 24 * HOUR;

fn column<'a>(name: &'a str, cells: Cells<'a>) -> InputColumn<'a> {
    InputColumn { name, cells, validity: None }
}

#[test]
fn columns_go_in_and_come_out() {
    let core = open();
    let schema = core.parse_schema(SCHEMA).unwrap();
    assert_eq!(schema.fields()[4].offset, Some(3600));
    let rows = 40_001; // more than cross at once, and no multiple of 8
    let places: Vec<i32> = (0..rows).map(|row| row % 3).collect();
    let ages: Vec<i64> = (0..i64::from(rows)).map(|row| row % 100 - 5).collect();
    let heights: Vec<f64> = (0..rows).map(|row| if row == 7 { f64::NAN } else { f64::from(row % 12) / 4.0 }).collect();
    let born: Vec<i64> = (0..i64::from(rows)).map(|row| (7305 + row % 3000) * DAY).collect();
    let seen: Vec<i64> = (0..i64::from(rows)).map(|row| 10957 * DAY + row % 600 * HOUR).collect();
    let times: Vec<String> = (0..rows).map(|row| format!("{:02}:30:00", 8 + row % 10)).collect();
    let times: Vec<&str> = times.iter().map(String::as_str).collect();
    let mut validity = vec![u8::MAX; 5001];
    validity[4096] = 0b1111_1101; // row 32,769 has no age
    let table = schema.read_columns(&[
        column("note", Cells::Text(&vec!["a secret"; rows as usize])),
        column("sex", Cells::Dictionary { places: &places, texts: &["M", "F"] }),
        InputColumn { validity: Some(&validity), ..column("age", Cells::I64(&ages)) },
        column("height", Cells::F64(&heights)),
        column("born", Cells::Moment(&born)),
        column("seen", Cells::Moment(&seen)),
        column("at", Cells::Text(&times)),
        column("unknown", Cells::I64(&ages)),
    ]);
    let table = table.unwrap();
    let csv = written(&table);
    let line = |row: usize| csv.lines().nth(row + 1).unwrap();
    assert_eq!(csv.lines().count(), rows as usize + 1);
    assert_eq!(table.names().join(","), "sex,age,height,born,seen,at");
    assert_eq!(line(0), "M,-5,0.00,1990-01-01,2000-01-01T01:00:00+01:00,08:30:00");

    let columns = table.columns().unwrap();
    let [sex, age, height, born_again, seen_again, at] = columns.as_slice() else {
        panic!("{} columns", columns.len())
    };
    let is_missing = |column: &OutputColumn, row: usize| column.validity[row / 8] >> (row % 8) & 1 == 0;
    let missing = |column| (0..rows as usize).filter(|row| is_missing(column, *row)).count();
    let Values::Dictionary { places: again, labels } = &sex.values else { panic!("{sex:?}") };
    assert_eq!(labels, &["F", "M"]);
    assert!(again.iter().zip(&places).all(|(again, place)| *again == [1, 0, 0][*place as usize]));
    assert!((is_missing(sex, 2), is_missing(age, 32_769), is_missing(height, 7)) == (true, true, true));
    assert_eq!([sex, age, height, born_again, seen_again, at].map(missing), [13_333, 1, 1, 0, 0, 0]);
    let Values::I64(ages_again) = &age.values else { panic!("{age:?}") };
    assert!((0..rows as usize).all(|row| ages_again[row] == if row == 32_769 { 0 } else { ages[row] }));
    let Values::F64(heights_again) = &height.values else { panic!("{height:?}") };
    assert!((0..rows as usize).all(|row| heights_again[row] == if row == 7 { 0.0 } else { heights[row] }));
    let moments = |moments: &Vec<i64>, are_days, offset| Values::Moment { moments: moments.clone(), are_days, offset };
    assert!(born_again.values == moments(&born, true, None) && seen_again.values == moments(&seen, false, Some(3600)));
    assert!(matches!(&at.values, Values::Text(again) if again.iter().eq(&times)));
    assert_eq!((&*at.name, at.validity.len()), ("at", 5001));
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let core = open();
    let schema =
        core.parse_schema(r#"{"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F"]}}]}"#);
    let schema = schema.unwrap();
    let few = column("sex", Cells::Text(&["F", "F"]));
    let short = InputColumn { validity: Some(&[]), ..few };
    expect_code(schema.read_columns(&[few, column("age", Cells::I64(&[1]))]), "host/columns");
    expect_code(schema.read_columns(&[short]), "host/columns");
    expect_code(schema.read_columns(&[column("sex", Cells::Moment(&[1]))]), "frames/type");
    assert!(schema.read_columns(&[column("age", Cells::I64(&[1]))]).unwrap_err().code().starts_with("files/"));
    let empty = schema.read_columns(&[column("sex", Cells::Text(&[]))]).unwrap();
    assert_eq!(written(&empty), "sex\n");
    let labels = vec!["F".to_owned()];
    assert_eq!(empty.columns().unwrap()[0].values, Values::Dictionary { places: Vec::new(), labels });
}
