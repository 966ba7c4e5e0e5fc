//! The two modules as machine code: compiled once for a process, and kept in a folder for other processes.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process;
use std::sync::{Mutex, PoisonError};

use wasmtime::{Config, Engine, Module};

use crate::error::{Error, Result};

const CORE: &[u8] = include_bytes!("../wasm/standin-core.wasm");
const ENGINE: &[u8] = include_bytes!("../wasm/engine.wasm");

/// What the core may need of its thread's stack, and after it the engine: more than the runtime's default.
pub(crate) const WASM_STACK: usize = 2 << 20;

/// The modules, and the runtime that has compiled them.
#[derive(Clone)]
pub(crate) struct Modules {
    pub runtime: Engine,
    pub core: Module,
    pub engine: Module,
}

/// Those of this process. Of cores that start at the same time, one compiles for all.
static COMPILED: Mutex<Option<Modules>> = Mutex::new(None);

impl Modules {
    /// Compiles them, unless this process has done so, or another one that has kept them in the folder.
    pub fn load(folder: Option<&Path>) -> Result<Self> {
        let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        let held = compiled.as_ref();
        let runtime = held.map_or_else(runtime, |held| Ok(held.runtime.clone()))?;
        let core = module(&runtime, CORE, held.map(|held| &held.core), folder)?;
        let engine = module(&runtime, ENGINE, held.map(|held| &held.engine), folder)?;
        Ok(compiled.insert(Self { runtime, core, engine }).clone())
    }
}

fn runtime() -> Result<Engine> {
    let mut config = Config::new();
    config.max_wasm_stack(WASM_STACK).generate_address_map(false).native_unwind_info(false);
    Engine::new(&config).map_err(|cause| Error::caused("host/runtime", "wasmtime does not run on this machine.", cause))
}

/// A module that this process holds already, or that is in the folder, or else a new one, which the folder then keeps.
fn module(runtime: &Engine, wasm: &[u8], held: Option<&Module>, folder: Option<&Path>) -> Result<Module> {
    let path = folder.map(|folder| folder.join(name_of(runtime, wasm)));
    let module = match (held, &path) {
        (Some(module), None) => return Ok(module.clone()),
        (Some(module), Some(path)) if path.exists() => return Ok(module.clone()),
        (Some(module), Some(_)) => module.clone(),
        (None, path) => match path.as_deref().and_then(|path| kept(runtime, path)) {
            Some(module) => return Ok(module),
            None => Module::from_binary(runtime, wasm)
                .map_err(|cause| Error::caused("host/runtime", "wasmtime cannot compile standin's modules.", cause))?,
        },
    };
    if let Some(path) = path {
        keep(&module, &path)
            .map_err(|cause| Error::caused("host/cache", "The cache folder cannot be written to.", cause))?;
    }
    Ok(module)
}

/// Writes a module as machine code, and a digest of it. Other processes see all of the file, or none of it.
fn keep(module: &Module, path: &Path) -> wasmtime::Result<()> {
    let mut bytes = module.serialize()?;
    bytes.extend(digest(&bytes).to_le_bytes());
    let unfinished = path.with_extension(process::id().to_string());
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(&unfinished, bytes)?;
    Ok(fs::rename(unfinished, path)?)
}

/// Reads what [`keep`] has written. There is nothing if a part of it is missing or was changed.
fn kept(runtime: &Engine, path: &Path) -> Option<Module> {
    let bytes = fs::read(path).ok()?;
    let (code, expected) = bytes.split_last_chunk()?;
    if digest(code).to_le_bytes() != *expected {
        return None;
    }
    // SAFETY: whoever names the folder answers for what is in it (`Config::cache_dir`).
    unsafe { Module::deserialize(runtime, code) }.ok()
}

/// A name that no other version, machine or setting of the runtime has.
fn name_of(runtime: &Engine, wasm: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    runtime.precompile_compatibility_hash().hash(&mut hasher);
    format!("standin-{}-{:016x}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish(), digest(wasm))
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests;
