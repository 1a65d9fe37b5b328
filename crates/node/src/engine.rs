//! The engine as a class.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use handrail_files::Roots;
use handrail_process::{
    DigestLimits, Engine, EngineOptions, Event, Kernel, Layer, LayerRoot, LiveRequest, TextDigest,
    WayOut, WayOutConfig,
};
use handrail_reports as reports;
use napi::bindgen_prelude::{AsyncTask, Function, Uint8Array};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Task};
use napi_derive::napi;

use crate::call::NativeSpillFolder;
use crate::code::{Code, Result, error};
use crate::result::{self, NativeEvent};
use crate::roots::NativeRoots;
use crate::runner::NativeRunner;

type Sink = Box<dyn Fn(Event) + Send>;
type Callback = ThreadsafeFunction<NativeEvent, (), NativeEvent, Code, false, true>;
type Closed = ThreadsafeFunction<(), (), (), Code, false, true>;

/// How an engine is set up.
#[napi(object)]
pub struct NativeEngineOptions {
    /// Path of the supervisor executable.
    pub supervisor_path: String,
    /// Directory in which private folders and spill files are made.
    pub state_parent: String,
    /// Most runs at the same time; further ones wait.
    pub max_workers: u32,
    /// Most sessions at the same time; one more is refused.
    pub max_sessions: u32,
    /// Most services at the same time; one more is refused.
    pub max_services: u32,
    /// Most jobs at the same time; one more is refused.
    pub max_jobs: u32,
    /// Most bytes that all spill files take together.
    pub spill_total_bytes: f64,
    /// Whether processes are killed at the end of a run; false only in tests that show what survives without it.
    pub killing: bool,
    /// Whether the kernel confines commands.
    pub confine: bool,
    /// The mechanisms of the kernel that are used; all of them when absent.
    pub kernel: Option<NativeKernel>,
}

/// The mechanisms of the kernel that are used, in tests of what the other ones enforce.
#[napi(object)]
pub struct NativeKernel {
    /// The newest ABI of Landlock that is used.
    pub landlock: u32,
    /// Whether system calls are filtered.
    pub filters: bool,
    /// Whether namespaces are used.
    pub namespaces: bool,
    /// Whether control groups are used; they are when absent.
    pub control_groups: Option<bool>,
}

/// One supervisor and its workers. Nothing is started before the first run.
#[napi]
pub struct NativeEngine {
    engine: Arc<Mutex<Engine<Sink>>>,
    /// Called once, when the engine is closed.
    closed: Arc<Mutex<Option<Closed>>>,
}

#[napi]
impl NativeEngine {
    /// `onEvent` is called on the JavaScript thread, and does not keep the process alive. It gets an event, and beside it the
    /// texts or the bytes of that event.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        options: NativeEngineOptions,
        #[napi(
            ts_arg_type = "(event: Json<Event>, beside?: string[] | Uint8Array | null) => void"
        )]
        on_event: Function<'_, NativeEvent, ()>,
    ) -> Result<Self> {
        let callback: Callback = on_event
            .build_threadsafe_function()
            .weak::<true>()
            .callee_handled::<false>()
            .error_status::<Code>()
            .build()
            .map_err(|e| error("ERR_INVALID_ARGUMENT", &e.reason))?;
        let closed: Arc<Mutex<Option<Closed>>> = Arc::default();
        let on_close = Arc::clone(&closed);
        let sink: Sink = Box::new(move |event| {
            let is_last = matches!(event, Event::Closed);
            let event = result::event(event);
            // An error says that the host is exiting, and needs no more events.
            let _ = callback.call(event, ThreadsafeFunctionCallMode::NonBlocking);
            if is_last && let Some(closed) = lock(&on_close).take() {
                let _ = closed.call((), ThreadsafeFunctionCallMode::NonBlocking);
            }
        });
        let options = EngineOptions {
            supervisor: PathBuf::from(options.supervisor_path),
            state_parent: PathBuf::from(options.state_parent),
            max_workers: options.max_workers as usize,
            max_sessions: options.max_sessions as usize,
            max_services: options.max_services as usize,
            max_jobs: options.max_jobs as usize,
            spill_total_bytes: options.spill_total_bytes as u64,
            killing: options.killing,
            confine: options.confine,
            kernel: options.kernel.map_or(Kernel::WHOLE, |used| Kernel {
                landlock: used.landlock,
                filters: used.filters,
                namespaces: used.namespaces,
                control_groups: used.control_groups.unwrap_or(true),
            }),
        };
        let engine = Engine::new(options, sink).map_err(|e| error(e.code(), &e))?;
        Ok(NativeEngine { engine: Arc::new(Mutex::new(engine)), closed })
    }

    /// Has everything that it starts write into the layer with this folder instead of into the writable ones of `roots`. Nothing may
    /// have been started before. Waits until the layer is made; fails where this machine has none. `others`: roots that are as
    /// they are.
    #[napi(catch_unwind)]
    pub fn enter_layer(
        &self,
        folder: String,
        roots: &NativeRoots,
        others: &NativeRoots,
    ) -> Result<()> {
        let (roots, others) = (roots.shared(), others.shared());
        let roots = layer_roots(&roots, &others).map_err(|e| error("ERR_SYSTEM", &e))?;
        let layer = Layer { folder: folder.into_bytes(), roots };
        lock(&self.engine).enter_layer(&layer).map_err(|e| error(e.code(), &e))
    }

    /// Keeps the folder of a layer for one program from being removed as one that a process has left behind.
    #[napi(catch_unwind)]
    pub fn hold_layer(&self, folder: String) -> Result<()> {
        lock(&self.engine).hold_layer(Path::new(&folder)).map_err(|e| error(e.code(), &e))
    }

    /// Such a layer is gone.
    #[napi(catch_unwind)]
    pub fn release_layer(&self, folder: String) {
        lock(&self.engine).release_layer(Path::new(&folder));
    }

    /// Requests a socket that is connected to a port of the loopback that a runner's programs have with `network: 'loopback'`. An
    /// event with the request's number follows.
    #[napi(catch_unwind)]
    pub fn connect(&self, runner: &NativeRunner, request: f64, port: u16) -> Result<()> {
        let network = runner.runner().network();
        lock(&self.engine).connect(network, request as u64, port).map_err(|e| error(e.code(), &e))
    }

    /// Whether this machine can give programs a network namespace. The first call starts a process that tries it out.
    #[napi(catch_unwind)]
    pub fn has_networks(&self) -> bool {
        let expected = lock(&self.engine).expected_enforcement();
        expected.has_networks()
    }

    /// Whether commands will have a view of the file system, with everything that plans ask for. The first call starts a process
    /// that tries it out.
    #[napi(catch_unwind)]
    pub fn has_views(&self) -> bool {
        let expected = lock(&self.engine).expected_enforcement();
        expected.is_complete()
    }

    /// Why no way out can lead through the proxy that the host uses, in a sentence; absent where one can.
    #[napi(catch_unwind)]
    pub fn proxy_problem(&self, for_https: String, for_http: String) -> Option<String> {
        let config = WayOutConfig {
            https_proxy: for_https,
            http_proxy: for_http,
            ..WayOutConfig::default()
        };
        WayOut::new(&config).err().map(|problem| problem.to_string())
    }

    /// Ends a run: SIGTERM, its grace, SIGKILL.
    #[napi(catch_unwind)]
    pub fn cancel(&self, id: f64) {
        lock(&self.engine).cancel(id as u64);
    }

    /// Writes to a run whose standard input is a pipe, after the bytes that already wait. An event with the request's number
    /// follows.
    #[napi(catch_unwind)]
    pub fn write(&self, id: f64, request: f64, bytes: Uint8Array) {
        let request = LiveRequest::Write { request: request as u64, bytes: bytes.to_vec() };
        lock(&self.engine).request(id as u64, request);
    }

    /// Ends the standard input of such a run.
    #[napi(catch_unwind)]
    pub fn end_input(&self, id: f64) {
        lock(&self.engine).request(id as u64, LiveRequest::EndInput);
    }

    /// Whether a process of this program listens on a TCP port.
    #[napi(catch_unwind, ts_return_type = "Promise<boolean>")]
    pub fn listens(&self, id: f64, port: u16) -> AsyncTask<Listens> {
        AsyncTask::new(Listens { ancestor: lock(&self.engine).ancestor(id as u64), port })
    }

    /// The lines of a masked text that tell most, within about so many tokens, and a file of at most so many bytes with the whole;
    /// nothing for a text that fits.
    #[napi(catch_unwind, ts_return_type = "Promise<Json<TextDigest> | null>")]
    pub fn digest(
        &self,
        text: String,
        tokens: u32,
        spill_bytes: f64,
        spill: Option<NativeSpillFolder>,
    ) -> AsyncTask<Digesting> {
        let limits = DigestLimits { tokens: tokens as usize, spill_bytes: spill_bytes as u64 };
        let digest = lock(&self.engine).text_digest(spill.map(NativeSpillFolder::read).as_ref());
        AsyncTask::new(Digesting { digest: Some(digest), text, limits })
    }

    /// The caller consumed one piece of output.
    #[napi(catch_unwind)]
    pub fn acknowledge(&self, id: f64) {
        lock(&self.engine).acknowledge(id as u64);
    }

    /// Ends every program and the supervisor, removes the folders, then calls `callback`.
    #[napi(catch_unwind)]
    pub fn close(&self, callback: Function<'_, (), ()>) -> Result<()> {
        let callback: Closed = callback
            .build_threadsafe_function()
            .weak::<true>()
            .callee_handled::<false>()
            .error_status::<Code>()
            .build()
            .map_err(|e| error("ERR_INVALID_ARGUMENT", &e.reason))?;
        *lock(&self.closed) = Some(callback);
        lock(&self.engine).close().map_err(|e| error(e.code(), &e))
    }
}

/// The roots of a layer, each once.
fn layer_roots(roots: &Roots, others: &Roots) -> std::io::Result<Vec<LayerRoot>> {
    let numbered = roots.of_layer();
    let (Roots::Only(roots), Roots::Only(others)) = (roots, others) else { return Ok(Vec::new()) };
    let mut found: Vec<LayerRoot> = Vec::new();
    for root in roots.iter().chain(others) {
        let number = numbered.iter().position(|path| *path == root.path());
        let path = root.path().as_os_str().as_encoded_bytes().to_vec();
        if found.iter().all(|known| known.path != path) {
            let (device, inode) = root.identity()?;
            let number = number.and_then(|number| u32::try_from(number).ok());
            found.push(LayerRoot { path, device, inode, number });
        }
    }
    Ok(found)
}

/// Looks for a listening socket of a program, on a thread of the pool: the kernel's lists may be long.
pub struct Listens {
    ancestor: Option<i32>,
    port: u16,
}

impl Task for Listens {
    type Output = bool;
    type JsValue = bool;

    fn compute(&mut self) -> napi::Result<bool> {
        Ok(self.ancestor.is_some_and(|ancestor| handrail_process::listens(ancestor, self.port)))
    }

    fn resolve(&mut self, _env: Env, listens: bool) -> napi::Result<bool> {
        Ok(listens)
    }
}

/// Shortens a text on a thread of the pool: it may be long, and is written to a file.
pub struct Digesting {
    digest: Option<TextDigest>,
    text: String,
    limits: DigestLimits,
}

impl Task for Digesting {
    type Output = Option<String>;
    type JsValue = Option<String>;

    fn compute(&mut self) -> napi::Result<Option<String>> {
        let digest = self.digest.take().and_then(|digest| digest.of(&self.text, self.limits));
        Ok(digest.map(|digest| reports::json(&result::digest(digest))))
    }

    fn resolve(&mut self, _env: Env, digest: Option<String>) -> napi::Result<Option<String>> {
        Ok(digest)
    }
}

impl NativeEngine {
    pub(crate) fn shared(&self) -> Arc<Mutex<Engine<Sink>>> {
        Arc::clone(&self.engine)
    }
}

pub(crate) type SharedEngine = Arc<Mutex<Engine<Sink>>>;

/// Locks an engine. After a panic under the lock, the engine still answers or fails with a code.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
