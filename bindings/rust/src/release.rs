use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::core::{Core, Handle, Watch, fault};
use crate::error::{Cause, Error, Result};
use crate::schema::{Options, Plan};
use crate::table::Table;

/// What a release guarantees.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Guarantee {
    /// ε.
    pub epsilon: f64,
    /// δ.
    pub delta: f64,
    /// The protected unit: the text `row`, or an object with the maximum number of rows per person.
    pub unit: Value,
    /// `add-remove` or `replace`.
    pub neighbours: String,
}

/// The noisy answers about a table, with everything that is needed to make rows from them.
#[derive(Debug)]
pub struct Release {
    pub(crate) handle: Handle,
    json: String,
    facts: Facts,
}

/// What the core says of a release.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    guarantee: Option<Guarantee>,
    no_guarantee: Option<String>,
    is_unfinished: bool,
}

/// A budget that several releases of the same rows share.
#[derive(Debug)]
pub struct Budget {
    handle: Handle,
    state: String,
}

/// A function of the caller that saves a text. The run continues once it has returned, so the text must be on disk by
/// then. If it returns an error, the run ends with `host/caller` and that error as its source.
pub type Keep<'a> = &'a mut dyn FnMut(&str) -> std::result::Result<(), Cause>;

/// What a run shares with its caller while it measures.
#[derive(Default)]
pub struct Run<'a> {
    /// Charged before anything is measured.
    pub budget: Option<&'a mut Budget>,
    /// Gets the budget's state each time it has changed.
    pub on_charge: Option<Keep<'a>>,
    /// Gets the JSON of an unfinished release each time a round has been added. If the run does not finish,
    /// [`Table::resume`] continues from it at no further cost.
    pub on_round: Option<Keep<'a>>,
    /// Gets the progress, and can cancel.
    pub watch: Watch<'a>,
    /// For tests only: a key that everyone may know. The release then has no guarantee.
    pub unsafe_noise_key: Option<[u8; 32]>,
}

/// What was made from a release.
#[derive(Debug)]
pub struct Synthetic {
    /// The synthetic tables: one, unless the mechanism makes several.
    pub tables: Vec<Table>,
    /// The number of rows of each.
    pub rows: u64,
    /// How the search for rows went, and how well they fit, in JSON.
    pub outcome: String,
    /// The same release, with the number of rows and the seed of these tables.
    pub release: Release,
}

impl Core {
    /// Reads the JSON of a release.
    ///
    /// # Errors
    ///
    /// `release/…` if it is not a valid release.
    pub fn parse_release(&self, json: &str) -> Result<Release> {
        #[derive(Deserialize)]
        struct Answered {
            release: u32,
            facts: Facts,
        }
        let watch = &mut Watch::default();
        let answered = self.ask_with(json!({"request": "release"}), &[json.as_bytes()], watch)?;
        let (Answered { release, facts }, _) = answered;
        Ok(Release { handle: Handle::new(self, release), json: json.into(), facts })
    }

    /// Reads the state of a budget, such as
    /// `{"epsilon": 3, "delta": 1e-8, "neighbours": "add-remove", "unit": "row", "spent": []}`.
    ///
    /// # Errors
    ///
    /// `budget/state` if it is not a valid budget.
    pub fn parse_budget(&self, state: &str) -> Result<Budget> {
        #[derive(Deserialize)]
        struct Answered {
            budget: u32,
            state: Box<RawValue>,
        }
        let Answered { budget, state } = self.ask(json!({"request": "budget", "state": state}))?;
        Ok(Budget { handle: Handle::new(self, budget), state: state.get().into() })
    }
}

impl Budget {
    /// Its state in JSON, with every charge so far.
    pub fn json(&self) -> &str {
        &self.state
    }
}

impl Table {
    /// Measures the table, and nothing more. The options are `rows` and `seed`, for the rows that will be made. Save
    /// the release's JSON before making rows, so that no later failure costs budget again.
    ///
    /// # Errors
    ///
    /// `budget/…` if the shared budget does not cover the plan; `host/cancelled`; `host/caller` with the error of one
    /// of the run's functions.
    pub fn measure<'a>(&self, plan: &Plan, options: impl Into<Options<'a>>, run: Run<'_>) -> Result<Release> {
        let plan = plan.handle.of(&self.handle.core)?;
        self.measured(json!({"request": "measure", "plan": plan}), options.into(), run)
    }

    /// Measures the rounds that an unfinished release lacks. What it holds is neither measured nor charged again. The
    /// only option is a public table.
    ///
    /// # Errors
    ///
    /// Those of [`measure`](Self::measure), and `release/…` if the release does not belong to this table or lacks
    /// nothing.
    pub fn resume<'a>(&self, unfinished: &Release, options: impl Into<Options<'a>>, run: Run<'_>) -> Result<Release> {
        let release = unfinished.handle.of(&self.handle.core)?;
        self.measured(json!({"request": "resume", "release": release}), options.into(), run)
    }

    fn measured(&self, request: Value, options: Options<'_>, mut run: Run<'_>) -> Result<Release> {
        #[derive(Deserialize)]
        struct Answered {
            run: u32,
        }
        let core = &self.handle.core;
        let mut request = options.of(core, request)?;
        request["table"] = self.handle.number().into();
        request["rounds"] = run.on_round.is_some().into();
        if let Some(budget) = &run.budget {
            request["budget"] = budget.handle.of(core)?.into();
        }
        let key = run.unsafe_noise_key.as_ref().map(|key| key.as_slice());
        let (Answered { run: number }, _) = core.ask_with(request, key.as_slice(), &mut run.watch)?;
        let begun = Handle::new(core, number); // whose end stops the run, wherever it is
        loop {
            if let Some(release) = run.next(core, &begun)? {
                return Ok(release);
            }
        }
    }
}

impl Run<'_> {
    /// Asks for the run's next event, and returns the release once it is done.
    fn next(&mut self, core: &Core, begun: &Handle) -> Result<Option<Release>> {
        #[derive(Deserialize)]
        #[serde(tag = "event", rename_all = "lowercase")]
        enum Event {
            Charged,
            Round,
            Measured { release: u32, facts: Facts },
        }
        let request = json!({"request": "next", "run": begun.number()});
        let (event, mut texts) = core.ask_with(request, &[], &mut self.watch)?;
        let text = texts.pop().ok_or_else(fault)?;
        let keep = match event {
            Event::Measured { release, facts } => {
                return Ok(Some(Release { handle: Handle::new(core, release), json: text, facts }));
            }
            Event::Charged => {
                if let Some(budget) = &mut self.budget {
                    budget.state.clone_from(&text);
                }
                &mut self.on_charge
            }
            Event::Round => &mut self.on_round,
        };
        if let Some(keep) = keep {
            keep(&text).map_err(|cause| Error::caused("host/caller", "A function of the run failed.", cause))?;
        }
        Ok(None)
    }
}

impl Release {
    /// The content of its file, which [`Core::parse_release`] reads.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// What it guarantees, if anything.
    pub fn guarantee(&self) -> Option<&Guarantee> {
        self.facts.guarantee.as_ref()
    }

    /// Why there is no guarantee, if there is none.
    pub fn no_guarantee(&self) -> Option<&str> {
        self.facts.no_guarantee.as_deref()
    }

    /// Whether rounds are left to measure, with [`Table::resume`].
    pub fn is_unfinished(&self) -> bool {
        self.facts.is_unfinished
    }

    /// Makes rows, without data and without budget. The options are `rows`, `seed` and, where the release was made with
    /// one, a public table. With the release's own rows and seed, the result is always the same.
    ///
    /// # Errors
    ///
    /// `release/unfinished`; `host/cancelled`.
    pub fn resample<'a>(&self, options: impl Into<Options<'a>>, mut watch: Watch<'_>) -> Result<Synthetic> {
        #[derive(Deserialize)]
        struct Answered {
            tables: Vec<u32>,
            rows: u64,
            columns: Vec<String>,
            outcome: Box<RawValue>,
            release: u32,
            facts: Facts,
        }
        let core = &self.handle.core;
        let request = options.into().of(core, json!({"request": "resample", "release": self.handle.number()}))?;
        let (answered, mut texts) = core.ask_with::<Answered>(request, &[], &mut watch)?;
        let Answered { tables, rows, columns, outcome, release, facts } = answered;
        Ok(Synthetic {
            tables: tables.into_iter().map(|number| Table::new(core, number, columns.clone())).collect(),
            rows,
            outcome: outcome.get().into(),
            release: Release { handle: Handle::new(core, release), json: texts.pop().ok_or_else(fault)?, facts },
        })
    }
}
