#![doc = include_str!("../README.md")]

mod columns_in;
mod columns_out;
mod core;
mod error;
mod host;
mod modules;
mod release;
mod schema;
mod table;

pub use serde_json::{Value, json};

pub use crate::columns_in::{Cells, InputColumn};
pub use crate::columns_out::{OutputColumn, Values};
pub use crate::core::{Config, Core, Progress, Watch};
pub use crate::error::{Cause, Error, Result};
pub use crate::release::{Budget, Guarantee, Keep, Release, Run, Synthetic};
pub use crate::schema::{Field, Options, Plan, Proposal, Schema};
pub use crate::table::{
    ClassErrors, ComparedRows, Errors, FarQuery, QueryErrors, Table, TargetUtility, TrainedF1, Utility,
};
