use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::host::Host;
use crate::modules::Modules;

/// Makes stand-ins. Everything that is made from it (schemas, tables, plans, releases) belongs to it, and cannot be
/// used with another.
///
/// A core and what belongs to it can be shared by threads, but it answers one request at a time: threads that work in
/// parallel need one each. A clone is the same core. When the last thing that belongs to it is dropped, the private
/// rows that are left are overwritten with zeros.
///
/// A core calls readers, writers and the functions of a [`Watch`] while it works. They must not use it.
#[derive(Clone)]
pub struct Core(Arc<Mutex<Turn>>);

/// How a core starts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// A folder for the machine code that the first core of a process compiles, so that other processes start faster.
    /// They execute what they find there, so nobody else may be able to write to it, or to a folder above it. Without
    /// one, nothing is kept.
    pub cache_dir: Option<PathBuf>,
}

impl Config {
    /// A configuration with a folder for machine code.
    pub fn with_cache_dir(folder: impl Into<PathBuf>) -> Self {
        Self { cache_dir: Some(folder.into()) }
    }
}

/// How far a request has got. Nothing in it depends on a row, except through noise.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "phase", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Progress {
    /// Items of the plan measured so far.
    #[non_exhaustive]
    Measure {
        /// How many have been measured.
        done: u32,
        /// How many there are.
        of: u32,
    },
    /// Rounds done.
    #[non_exhaustive]
    Round {
        /// How many have been done.
        done: u32,
        /// How many there are, if the plan says so.
        of: Option<u32>,
    },
    /// Classifiers trained, in a comparison with targets.
    #[non_exhaustive]
    Train {
        /// How many have been trained.
        done: u32,
        /// How many there are.
        of: u32,
    },
    /// The measured part is complete.
    Measured,
    /// The search for rows.
    #[non_exhaustive]
    Search {
        /// Sweeps or generations done.
        step: u32,
        /// The distance to the noisy answers, relative to that at the start.
        loss: f64,
        /// Why the search ended, once it has.
        stop: Option<String>,
    },
}

/// What a caller shares with a long request.
#[derive(Default)]
pub struct Watch<'a> {
    /// Gets the request's progress, perhaps many times a second.
    pub on_progress: Option<&'a mut dyn FnMut(Progress)>,
    /// Says whether the request should end early, with the error `host/cancelled`.
    pub is_cancelled: Option<&'a dyn Fn() -> bool>,
}

impl Watch<'_> {
    fn breathe(&mut self, progress: &[u8]) -> bool {
        if let Some(on_progress) = &mut self.on_progress
            && let Ok(progress) = serde_json::from_slice(progress)
        {
            on_progress(progress);
        }
        self.is_cancelled.is_some_and(|is_cancelled| is_cancelled())
    }
}

/// The host, until it fails. Its instances of the engine end with it, and so do the rows that they hold.
pub(crate) struct Turn(pub Option<Host>);

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer<V> {
    Value(V),
    Error(Error),
}

/// Bytes in an engine's memory.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct Place {
    pub instance: u32,
    pub pointer: u32,
    pub bytes: u32,
}

impl Core {
    /// Starts a core.
    ///
    /// # Errors
    ///
    /// `host/runtime` where wasmtime does not run, and `host/cache` where the cache folder cannot be written to.
    pub fn open(config: &Config) -> Result<Self> {
        let modules = Modules::load(config.cache_dir.as_deref())?;
        let host = Host::start(modules)
            .map_err(|cause| Error::caused("host/runtime", "wasmtime cannot start standin's core.", cause))?;
        Ok(Self(Arc::new(Mutex::new(Turn(Some(host))))))
    }

    /// The version of the standin package whose core this is.
    pub fn version(&self) -> Result<String> {
        #[derive(Deserialize)]
        struct Answered {
            version: String,
        }
        Ok(self.ask::<Answered>(json!({"request": "version"}))?.version)
    }

    pub(crate) fn ask<V: DeserializeOwned>(&self, request: Value) -> Result<V> {
        Ok(self.ask_with(request, &[], &mut Watch::default())?.0)
    }

    /// Sends a request and reads its answer: a value and texts.
    pub(crate) fn ask_with<V: DeserializeOwned>(
        &self,
        request: Value,
        parts: &[&[u8]],
        watch: &mut Watch<'_>,
    ) -> Result<(V, Vec<String>)> {
        let request = packed(request.to_string().as_bytes(), parts)?;
        let is_watched = watch.on_progress.is_some() || watch.is_cancelled.is_some();
        let mut breathe = |progress: &[u8]| watch.breathe(progress);
        let answer = self.turn().run(|host| host.send(&request, is_watched.then_some(&mut breathe)))?;
        let mut texts = unpacked(&answer).ok_or_else(fault)?.into_iter();
        match serde_json::from_str(&texts.next().ok_or_else(fault)?).map_err(|_| fault())? {
            Answer::Value(value) => Ok((value, texts.collect())),
            Answer::Error(error) => Err(error),
        }
    }

    /// Waits until no other thread uses the core.
    pub(crate) fn turn(&self) -> MutexGuard<'_, Turn> {
        // A function of the caller's that panics leaves the host as it was.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Core").finish_non_exhaustive()
    }
}

impl Turn {
    /// Lets the host run. It does not run again after an error.
    pub fn run<T>(&mut self, job: impl FnOnce(&mut Host) -> wasmtime::Result<T>) -> Result<T> {
        let result = job(self.0.as_mut().ok_or_else(fault)?);
        result.map_err(|cause| {
            self.0 = None;
            Error::caused("core/fault", FAULT, cause)
        })
    }

    /// The bytes themselves, valid until the core gets another request about them.
    pub fn bytes(&mut self, place: Place) -> Result<&mut [u8]> {
        let host = self.0.as_mut().ok_or_else(fault)?;
        host.bytes(place.instance, place.pointer, place.bytes).map_err(|_| fault())
    }
}

const FAULT: &str = "The core has failed. Open another one.";

/// The error of a core that has failed before, or that does not answer as this version expects.
pub(crate) fn fault() -> Error {
    Error::new("core/fault", FAULT)
}

/// The number of a thing that a core holds, and forgets once it is dropped. Private rows that belong to it are then
/// overwritten with zeros.
#[derive(Debug)]
pub(crate) struct Handle {
    pub core: Core,
    number: u32,
}

impl Handle {
    pub fn new(core: &Core, number: u32) -> Self {
        Self { core: core.clone(), number }
    }

    /// The number of the thing for a request to a core.
    pub fn of(&self, core: &Core) -> Result<u32> {
        if Arc::ptr_eq(&self.core.0, &core.0) {
            Ok(self.number)
        } else {
            Err(Error::new("host/handle", "Objects used together must come from the same core."))
        }
    }

    /// Its number for a request to its own core.
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // A core that has failed has forgotten it: its rows are overwritten when the core is dropped.
        let _ = self.core.ask::<IgnoredAny>(json!({"request": "drop", "object": self.number}));
    }
}

/// A message: the number of its parts and their lengths (u32, little-endian), then the parts.
fn packed(json: &[u8], parts: &[&[u8]]) -> Result<Vec<u8>> {
    let parts = [&[json], parts].concat();
    let lengths = [parts.len()].into_iter().chain(parts.iter().map(|part| part.len()));
    let mut message = Vec::new();
    for length in lengths {
        let length = u32::try_from(length);
        message.extend(length.map_err(|_| Error::new("host/request", "A request must be below 4 GiB."))?.to_le_bytes());
    }
    message.extend(parts.concat());
    Ok(message)
}

fn unpacked(message: &[u8]) -> Option<Vec<String>> {
    let (count, rest) = message.split_first_chunk()?;
    let (lengths, mut rest) = rest.split_at_checked(4 * u32::from_le_bytes(*count) as usize)?;
    let (lengths, _) = lengths.as_chunks();
    let mut texts = Vec::new();
    for length in lengths {
        let (text, others) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        texts.push(String::from_utf8(text.into()).ok()?);
        rest = others;
    }
    Some(texts)
}
