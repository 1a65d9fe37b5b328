//! From a request to a program that is handed over to the engine's thread.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::AtomicI32;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use handrail_supervisor::message::{Kind, Start};
use handrail_supervisor::socket;

use super::{LiveStart, RunStart};
use crate::linux::child::{Child, Sink};
use crate::linux::live::{self, Pty, Service, ServiceStderr, Session};
use crate::linux::pool::{EngineCommand, PendingStart};
use crate::linux::recorder::Recorder;
use crate::linux::run::Run;
use crate::linux::shared::{Shared, Token};
use crate::live::{LiveProgram, LiveProgramKind};
use crate::options::Input;

/// A run with its pipes, and what its worker is sent.
pub(super) fn prepare(
    shared: &Shared,
    plan: u32,
    request: RunStart,
    spill_directory: &Path,
) -> io::Result<(Run, PendingStart)> {
    let (stdout, stdout_writer) = shared.pipes.take()?;
    let mut descriptors = vec![request.program.executable, request.directory, stdout_writer];
    let mut pipes = [Some(stdout), None];
    if !request.merge {
        let (stderr, stderr_writer) = shared.pipes.take()?;
        pipes[1] = Some(stderr);
        descriptors.push(stderr_writer);
    }
    let (reader, input) = match request.stdin {
        Input::Null => (None, None),
        Input::Bytes(bytes) => (Some(socket::memory_file(&bytes)?), None),
        Input::Pipe => {
            let (reader, writer) = live::input_pipe()?;
            (Some(reader), Some(writer))
        }
    };
    let reads = reader.is_some();
    descriptors.extend(reader);
    let recorder = Recorder::new(
        request.redactor,
        request.limits,
        request.stream,
        spill_directory,
        request.id,
        &shared.spills,
    );
    let run = Run::new(pipes, input, recorder, request.stream);
    let start = Start {
        run: request.id,
        kind: Kind::Run,
        arguments: request.program.arguments,
        environment: request.environment,
        private_home: request.private_home,
        streams: match (request.merge, reads) {
            (true, false) => [None, Some(0), Some(0)],
            (true, true) => [Some(1), Some(0), Some(0)],
            (false, false) => [None, Some(0), Some(1)],
            (false, true) => [Some(2), Some(0), Some(1)],
        },
        extra: Vec::new(),
    };
    Ok((run, PendingStart { plan, start, descriptors }))
}

pub(super) fn prepare_live(
    shared: &Shared,
    plan: u32,
    request: LiveStart,
) -> io::Result<(Sink, PendingStart, LiveProgram)> {
    let mut descriptors = vec![request.program.executable, request.directory];
    let (kind, streams, sink, live) = match request.kind {
        LiveProgramKind::Session { size, history_bytes, markers } => {
            let Pty { terminal, input, program } = shared.terminals.take()?;
            live::resize(&terminal, size)?;
            descriptors.push(program);
            let settings =
                handrail_pty::Settings { columns: usize::from(size.columns), history_bytes };
            let mut dialogue =
                handrail_pty::Session::new(&request.redactor, settings, Instant::now());
            dialogue.set_markers(markers);
            let dialogue = Arc::new(Mutex::new(dialogue));
            let leader = Arc::new(AtomicI32::new(0));
            let session = Session::new(terminal, input, Arc::clone(&dialogue), Arc::clone(&leader));
            let sink = Sink::Session(Box::new(session));
            (Kind::Session, [Some(0); 3], sink, LiveProgram::Session { dialogue, leader })
        }
        LiveProgramKind::Service => {
            let (stdout_reader, stdout_writer) = shared.pipes.take()?;
            let (stderr_reader, stderr_writer) = shared.pipes.take()?;
            let (stdin_reader, stdin_writer) = live::input_pipe()?;
            descriptors.extend([stdin_reader, stdout_writer, stderr_writer]);
            let stderr = Arc::new(Mutex::new(ServiceStderr::new(request.redactor)));
            let service =
                Service::new(stdin_writer, stdout_reader, stderr_reader, Arc::clone(&stderr));
            let sink = Sink::Service(Box::new(service));
            (Kind::Service, [Some(0), Some(1), Some(2)], sink, LiveProgram::Service { stderr })
        }
    };
    let (extra, further): (Vec<u8>, Vec<OwnedFd>) = request.extra.into_iter().unzip();
    descriptors.extend(further);
    let start = Start {
        run: request.id,
        kind,
        arguments: request.program.arguments,
        environment: request.environment,
        private_home: request.private_home,
        streams,
        extra,
    };
    Ok((sink, PendingStart { plan, start, descriptors }, live))
}

pub(super) fn watch_live(shared: &Shared, id: u64, sink: &Sink) -> io::Result<()> {
    match sink {
        Sink::Session(session) => {
            let token = Token::Pipe(id, Session::STREAM);
            session.terminal().map_or(Ok(()), |terminal| shared.watch(terminal.as_fd(), token))
        }
        Sink::Service(service) => service.outputs().into_iter().try_for_each(|(stream, pipe)| {
            pipe.map_or(Ok(()), |pipe| shared.watch(pipe.as_fd(), Token::Pipe(id, stream)))
        }),
        Sink::Run(_) => Ok(()),
    }
}

/// Hands a program over to the thread. That looks for programs it does not know before it listens, so it has to be told first.
pub(super) fn begin(shared: &Shared, child: Child, launch: PendingStart) {
    let child = Box::new(child);
    match shared.try_pool() {
        Some(mut pool) if pool.supervisor.is_some() => {
            let (id, deadline) = (child.id, child.deadline);
            shared.leave(EngineCommand::Begin(child, None));
            pool.begin(id, deadline, launch);
        }
        // The thread is awake and will have a look before it sleeps again, or the supervisor has just
        // been lost, which the thread has to say.
        _ => shared.command(EngineCommand::Begin(child, Some(launch))),
    }
}
