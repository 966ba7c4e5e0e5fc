use std::cell::{Cell, RefCell};
use std::error::Error as _;

use standin::{Progress, Run, Watch};

use crate::*;

const STATE: &str = r#"{"epsilon": 500, "delta": 1e-3, "neighbours": "add-remove", "unit": "row", "spent": []}"#;

#[test]
fn runs_go_on_elsewhere() {
    let vector = vector("rounds");
    let core = open();
    let (plan, table) = vector.begin(&core);
    let mut shared = core.parse_budget(STATE).unwrap();
    let kept = RefCell::new(Vec::new());
    let run = Run {
        budget: Some(&mut shared),
        on_charge: Some(&mut |state| {
            kept.borrow_mut().push(("charge", state.to_owned()));
            Ok(())
        }),
        on_round: Some(&mut |unfinished| {
            kept.borrow_mut().push(("round", unfinished.to_owned()));
            Err("enough".into())
        }),
        ..Run::default()
    };
    let error = expect_code(table.measure(&plan, json!({}), run), "host/caller");
    assert_eq!(error.source().unwrap().to_string(), "enough");
    let kept = kept.into_inner();
    let names: Vec<_> = kept.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.first().zip(names.last()), Some((&"charge", &"round")));
    assert_eq!(names.iter().filter(|name| **name == "round").count(), 1);
    let (_, charged) = kept.iter().rfind(|(name, _)| *name == "charge").unwrap();
    assert_eq!(shared.json(), charged);

    let other = open();
    let (_, again) = vector.begin(&other);
    let unfinished = other.parse_release(&kept.last().unwrap().1).unwrap();
    assert!(unfinished.is_unfinished());
    expect_code(unfinished.resample(json!({}), Watch::default()), "release/unfinished");
    expect_code(again.resume(&unfinished, json!({}), Run::default()), "budget/missing");
    expect_code(again.resume(&unfinished, json!({"rows": 3}), Run::default()), "options/unknown");
    expect_code(table.resume(&unfinished, json!({}), Run::default()), "host/handle");
    let mut budget = other.parse_budget(charged).unwrap();
    let run = Run { budget: Some(&mut budget), ..Run::default() };
    let release = again.resume(&unfinished, json!({}), run).unwrap();
    assert!(!release.is_unfinished());
    assert_eq!(release.guarantee().unwrap().neighbours, "add-remove");
    let spent: Value = serde_json::from_str(budget.json()).unwrap();
    assert!(spent["spent"].as_array().unwrap().len() == 1 && spent["spent"][0]["items"].as_u64().unwrap() > 2);
    let run = Run { budget: Some(&mut budget), ..Run::default() };
    expect_code(again.resume(&unfinished, json!({}), run), "budget/resumed");
}

#[test]
fn budgets_are_checked() {
    let core = open();
    let twice = STATE.replace('}', r#", "spent": []}"#);
    assert!(expect_code(core.parse_budget(&twice), "budget/state").message().contains("twice"));
    let (plan, table) = vector("rounds").begin(&core);
    let mut small = core.parse_budget(&STATE.replace("500", "0.01")).unwrap();
    let run = Run { budget: Some(&mut small), ..Run::default() };
    expect_code(table.measure(&plan, json!({}), run), "budget/exceeded");
    assert!(small.json().contains(r#""spent":[]"#));
}

#[test]
fn progress_is_told() {
    let core = open();
    let (plan, table) = vector("rounds").begin(&core);
    let mut heard = Vec::new();
    let watch = Watch { on_progress: Some(&mut |progress| heard.push(progress)), is_cancelled: None };
    let release = table.measure(&plan, json!({}), Run { watch, ..Run::default() }).unwrap();
    assert!(heard.iter().any(|progress| matches!(progress, Progress::Round { of: Some(2..), .. })), "{heard:?}");
    assert_eq!(heard.last(), Some(&Progress::Measured));
    heard.clear();
    let watch = Watch { on_progress: Some(&mut |progress| heard.push(progress)), is_cancelled: None };
    release.resample(json!({}), watch).unwrap();
    let is_end = |progress: &Progress| match progress {
        Progress::Search { step, loss, stop, .. } => *step > 0 && *loss > 0.0 && stop.is_some(),
        _ => false,
    };
    assert!(heard.iter().any(is_end), "{heard:?}");
}

#[test]
fn callers_cancel() {
    let core = open();
    let vector = vector("rounds");
    let (plan, table) = vector.begin(&core);
    let rounds = Cell::new(0);
    let run = Run {
        on_round: Some(&mut |_| {
            rounds.set(rounds.get() + 1);
            Ok(())
        }),
        watch: Watch { is_cancelled: Some(&|| rounds.get() > 0), ..Watch::default() },
        ..Run::default()
    };
    expect_code(table.measure(&plan, json!({}), run), "host/cancelled");
    assert_eq!(rounds.get(), 1);
    let release = core.parse_release(vector.release.get()).unwrap();
    let watch = Watch { is_cancelled: Some(&|| true), ..Watch::default() };
    expect_code(release.resample(json!({"rows": 100_000}), watch), "host/cancelled");
    assert!(release.resample(json!({"rows": 10}), Watch::default()).is_ok());
}

#[test]
fn a_caller_that_panics_leaves_the_core_as_it_was() {
    let core = open();
    let (plan, table) = vector("rounds").begin(&core);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let watch =
            Watch { on_progress: Some(&mut |_| std::panic::resume_unwind(Box::new("why"))), is_cancelled: None };
        table.measure(&plan, json!({}), Run { watch, ..Run::default() })
    }));
    assert_eq!(panicked.err().unwrap().downcast_ref(), Some(&"why"));
    assert!(table.measure(&plan, json!({}), Run::default()).is_ok());
}
