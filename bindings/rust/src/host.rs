//! Runs the core's module and gives it its verbs: instances of the engine, calls of them and copies of bytes.

use std::collections::HashMap;
use std::panic;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Instant;

use wasmtime::{Caller, Func, Instance, Linker, Memory, Module, Result, Store, TypedFunc, ValRaw, bail, format_err};

use crate::modules::{Modules, WASM_STACK};

/// More arguments than any export of the engine has.
const MOST_ARGUMENTS: usize = 16;
/// The stack on which the core runs. The engine, called by it, has the same share of it as the core, and the host half.
const STACK: usize = 4 * WASM_STACK;

pub(crate) struct Host {
    store: Store<State>,
    alloc: TypedFunc<u32, u32>,
    request: TypedFunc<(u32, u32), u32>,
    answer_length: TypedFunc<(), u32>,
    free: TypedFunc<u32, ()>,
    memory: Memory,
}

/// What the verbs share.
struct State {
    modules: Modules,
    memory: Option<Memory>,
    engines: HashMap<u32, EngineInstance>,
    made: u32,
    began: Instant,
    /// Where the caller of a request waits for the core to breathe, if it wants to hear of it.
    breaths: Weak<Sender<Breath>>,
}

/// The host's turn between slices of work: the JSON of a progress event, if there is any. The reply is whether the
/// caller has cancelled.
struct Breath {
    progress: Vec<u8>,
    reply: Sender<bool>,
}

/// Hears of a request's progress, and says whether the caller has cancelled.
pub(crate) type Breathe<'a> = &'a mut dyn FnMut(&[u8]) -> bool;

impl Host {
    pub fn start(modules: Modules) -> Result<Self> {
        let core = modules.core.clone();
        let mut linker = Linker::new(&modules.runtime);
        provide_verbs(&mut linker)?;
        let (engines, began) = (HashMap::new(), Instant::now());
        let state = State { modules, memory: None, engines, made: 0, began, breaths: Weak::new() };
        let mut store = Store::new(linker.engine(), state);
        let instance = linker.instantiate(&mut store, &core)?;
        let memory = memory_of(instance, &mut store)?;
        store.data_mut().memory = Some(memory);
        let mut host = Self {
            alloc: instance.get_typed_func(&mut store, "core_alloc")?,
            request: instance.get_typed_func(&mut store, "core_request")?,
            answer_length: instance.get_typed_func(&mut store, "core_answer_length")?,
            free: instance.get_typed_func(&mut store, "core_free")?,
            memory,
            store,
        };
        host.on_its_stack(None, |host| {
            instance.get_typed_func::<(), ()>(&mut host.store, "_initialize")?.call(&mut host.store, ())?;
            match instance.get_typed_func::<(), u32>(&mut host.store, "core_start")?.call(&mut host.store, ())? {
                0 => Ok(()),
                _ => bail!("the core has too little memory to start"),
            }
        })?;
        Ok(host)
    }

    /// Passes a request to the core, and returns a copy of its answer.
    pub fn send(&mut self, request: &[u8], breathe: Option<Breathe<'_>>) -> Result<Vec<u8>> {
        self.on_its_stack(breathe, |host| {
            let store = &mut host.store;
            let length = u32::try_from(request.len())?;
            let pointer = host.alloc.call(&mut *store, length)?;
            if pointer == 0 {
                bail!("the core has no memory for a request");
            }
            host.memory.write(&mut *store, pointer as usize, request)?;
            let answer = host.request.call(&mut *store, (pointer, length))?;
            if answer == 0 {
                bail!("the core failed without an answer");
            }
            let length = host.answer_length.call(&mut *store, ())?;
            let bytes = bytes_in(host.memory.data(&*store), answer, length)?.to_vec();
            host.free.call(store, answer)?;
            Ok(bytes)
        })
    }

    /// Bytes of an instance's memory themselves.
    pub fn bytes(&mut self, instance: u32, pointer: u32, length: u32) -> Result<&mut [u8]> {
        self.store.data_mut().bytes(instance, pointer, length)
    }

    /// Lets the core run on a stack that is large enough, whatever its caller has, while the caller hears of it.
    fn on_its_stack<T: Send>(
        &mut self,
        breathe: Option<Breathe<'_>>,
        job: impl FnOnce(&mut Self) -> Result<T> + Send,
    ) -> Result<T> {
        thread::scope(|scope| {
            let (sender, breaths) = mpsc::channel::<Breath>();
            let sender = Arc::new(sender);
            self.store.data_mut().breaths = breathe.as_ref().map_or_else(Weak::new, |_| Arc::downgrade(&sender));
            let builder = thread::Builder::new().name("standin".into()).stack_size(STACK);
            let running = builder.spawn_scoped(scope, move || {
                let _until_the_end = sender;
                job(self)
            })?;
            if let Some(breathe) = breathe {
                for Breath { progress, reply } in breaths {
                    // The core waits. If it did not, its request would have ended.
                    let _ = reply.send(breathe(&progress));
                }
            }
            running.join().unwrap_or_else(|cause| panic::resume_unwind(cause))
        })
    }
}

impl Drop for Host {
    /// Overwrites the core's memory too: proposals leave texts of cells there.
    fn drop(&mut self) {
        self.memory.data_mut(&mut self.store).fill(0);
    }
}

/// An instance of the engine. Its memory, which may hold private rows, is overwritten at its end. Where it grows, it
/// stays in its place on machines of 64 bits; on others the system gets back, and clears, what it grew out of.
struct EngineInstance {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
    functions: HashMap<Box<[u8]>, Func>,
}

impl EngineInstance {
    fn new(module: &Module) -> Result<Self> {
        let mut store = Store::new(module.engine(), ());
        let instance = Instance::new(&mut store, module, &[])?;
        let memory = memory_of(instance, &mut store)?;
        Ok(Self { store, instance, memory, functions: HashMap::new() })
    }

    /// An export that takes and returns nothing but numbers, whatever their bits.
    fn function(&mut self, name: &[u8]) -> Result<Func> {
        if let Some(&function) = self.functions.get(name) {
            return Ok(function);
        }
        let exported = self.instance.get_func(&mut self.store, str::from_utf8(name)?);
        let function = exported.ok_or_else(|| format_err!("the engine has no such export"))?;
        let ty = function.ty(&self.store);
        let mut types = ty.params().chain(ty.results());
        if ty.params().len() > MOST_ARGUMENTS || ty.results().len() > 1 || types.any(|ty| !ty.is_num()) {
            bail!("the engine's export has other types than the core can call");
        }
        self.functions.insert(name.into(), function);
        Ok(function)
    }

    fn bytes(&mut self, pointer: u32, length: u32) -> Result<&mut [u8]> {
        bytes_in_mut(self.memory.data_mut(&mut self.store), pointer, length)
    }

    fn wipe(&mut self) {
        self.memory.data_mut(&mut self.store).fill(0);
    }
}

impl Drop for EngineInstance {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl State {
    fn engine(&mut self, instance: u32) -> Result<&mut EngineInstance> {
        self.engines.get_mut(&instance).ok_or_else(|| format_err!("there is no such instance"))
    }

    fn bytes(&mut self, instance: u32, pointer: u32, length: u32) -> Result<&mut [u8]> {
        self.engine(instance)?.bytes(pointer, length)
    }

    /// The number of a new instance, or 0 if there is no room for one.
    fn open(&mut self) -> u32 {
        let Ok(engine) = EngineInstance::new(&self.modules.engine) else { return 0 };
        self.made += 1;
        self.engines.insert(self.made, engine);
        self.made
    }

    fn copy(&mut self, instance: u32, pointer: u32, other: u32, from: u32, length: u32) -> Result<()> {
        if instance == other {
            bail!("bytes are copied between two instances");
        }
        let [Some(to), Some(from_engine)] = self.engines.get_disjoint_mut([&instance, &other]) else {
            bail!("there is no such instance");
        };
        to.bytes(pointer, length)?.copy_from_slice(from_engine.bytes(from, length)?);
        Ok(())
    }
}

type Core<'a> = Caller<'a, State>;

fn provide_verbs(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap("standin", "instance", |mut core: Core| core.data_mut().open())?;
    linker.func_wrap("standin", "drop", |mut core: Core, instance: u32| {
        core.data_mut().engines.remove(&instance);
    })?;
    linker.func_wrap("standin", "call", call)?;
    linker.func_wrap(
        "standin",
        "read",
        |mut core: Core, instance: u32, pointer: u32, into: u32, length: u32| -> Result<()> {
            let (memory, state) = parts(&mut core)?;
            bytes_in_mut(memory, into, length)?.copy_from_slice(state.bytes(instance, pointer, length)?);
            Ok(())
        },
    )?;
    linker.func_wrap(
        "standin",
        "write",
        |mut core: Core, instance: u32, pointer: u32, from: u32, length: u32| -> Result<()> {
            let (memory, state) = parts(&mut core)?;
            state.bytes(instance, pointer, length)?.copy_from_slice(bytes_in(memory, from, length)?);
            Ok(())
        },
    )?;
    linker.func_wrap(
        "standin",
        "copy",
        |mut core: Core, instance: u32, pointer: u32, other: u32, from: u32, length: u32| {
            core.data_mut().copy(instance, pointer, other, from, length)
        },
    )?;
    linker.func_wrap(
        "standin",
        "fill_key",
        |mut core: Core, instance: u32, pointer: u32, length: u32| -> Result<u32> {
            Ok(getrandom::fill(core.data_mut().bytes(instance, pointer, length)?).is_err().into())
        },
    )?;
    linker.func_wrap("standin", "breathe", |mut core: Core, progress: u32, length: u32| -> Result<u32> {
        let (memory, state) = parts(&mut core)?;
        let Some(breaths) = state.breaths.upgrade() else { return Ok(0) };
        let (reply, replied) = mpsc::channel();
        let progress = bytes_in(memory, progress, length)?.to_vec();
        // A caller that has gone, with a panic, hears nothing more.
        let is_cancelled = breaths.send(Breath { progress, reply }).is_err() || replied.recv().unwrap_or(true);
        Ok(is_cancelled.into())
    })?;
    linker.func_wrap("standin", "now", |core: Core| core.data().began.elapsed().as_secs_f64() * 1000.0)?;
    Ok(())
}

/// Calls an export of an instance. Values cross as they are: in slots of 8 bytes.
fn call(
    mut core: Core,
    instance: u32,
    name: u32,
    name_length: u32,
    slots: u32,
    count: u32,
    result: u32,
) -> Result<u32> {
    let (memory, state) = parts(&mut core)?;
    let engine = state.engine(instance)?;
    let function = engine.function(bytes_in(memory, name, name_length)?)?;
    let mut values = [ValRaw::u64(0); MOST_ARGUMENTS];
    let (slots, _) = bytes_in(memory, slots, count.saturating_mul(8))?.as_chunks();
    for (value, slot) in values.iter_mut().zip(slots) {
        *value = ValRaw::u64(u64::from_le_bytes(*slot));
    }
    // SAFETY: there is room for as many values as a function may have, and any bits are a value of any number's type.
    if unsafe { function.call_unchecked(&mut engine.store, &mut values) }.is_err() {
        return Ok(1);
    }
    bytes_in_mut(memory, result, 8)?.copy_from_slice(&values[0].get_u64().to_le_bytes());
    Ok(0)
}

/// The core's memory, and what its verbs share.
fn parts<'a>(core: &'a mut Core) -> Result<(&'a mut [u8], &'a mut State)> {
    let memory = core.data().memory.ok_or_else(|| format_err!("the core has not started"))?;
    Ok(memory.data_and_store_mut(core))
}

fn memory_of(instance: Instance, store: &mut Store<impl Sized>) -> Result<Memory> {
    instance.get_memory(store, "memory").ok_or_else(|| format_err!("a module has no memory"))
}

fn bytes_in(memory: &[u8], pointer: u32, length: u32) -> Result<&[u8]> {
    let bytes = memory.get(pointer as usize..).and_then(|bytes| bytes.get(..length as usize));
    bytes.ok_or_else(|| format_err!("bytes outside of a module's memory"))
}

fn bytes_in_mut(memory: &mut [u8], pointer: u32, length: u32) -> Result<&mut [u8]> {
    let bytes = memory.get_mut(pointer as usize..).and_then(|bytes| bytes.get_mut(..length as usize));
    bytes.ok_or_else(|| format_err!("bytes outside of a module's memory"))
}

#[cfg(test)]
mod tests;
