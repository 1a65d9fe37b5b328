//! Makes the pipes or the terminal of a program, and passes the program to the engine's thread.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::AtomicI32;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use handrail_supervisor::message::{Kind, Start};
use handrail_supervisor::socket;

use super::{ProgramStart, RunOptions};
use crate::linux::child::{Child, Sink};
use crate::linux::live::{self, Pty, Questions, Service, ServiceStderr, Session};
use crate::linux::pool::{EngineCommand, PendingStart};
use crate::linux::recorder::Recorder;
use crate::linux::run::Run;
use crate::linux::shared::{Shared, Token};
use crate::linux::shell_marks::TEXT_DESCRIPTOR;
use crate::live::{LiveProgram, LiveProgramKind};
use crate::options::Input;
use crate::outcome::Stream;

/// Makes the pipes of a run, and the message that its worker gets.
pub(super) fn prepare_run(
    shared: &Shared,
    plan: u32,
    start: ProgramStart,
    options: RunOptions,
    spill_directory: &Path,
) -> io::Result<(Run, PendingStart)> {
    let RunOptions { stdin, merge, stream, limits, is_job, .. } = options;
    let (stdout, stdout_writer) = shared.pipes.take()?;
    let mut stream_descriptors = vec![stdout_writer];
    let mut pipes = [Some(stdout), None];
    if !merge {
        let (stderr, stderr_writer) = shared.pipes.take()?;
        pipes[1] = Some(stderr);
        stream_descriptors.push(stderr_writer);
    }
    let (input_reader, input_writer) = match stdin {
        Input::Null => (None, None),
        Input::Bytes(bytes) => (Some(socket::memory_file(&bytes)?), None),
        Input::Pipe => {
            let (reader, writer) = live::input_pipe()?;
            (Some(reader), Some(writer))
        }
    };
    let stderr_index = u8::from(!merge);
    let streams = [input_reader.is_some().then_some(stderr_index + 1), Some(0), Some(stderr_index)];
    stream_descriptors.extend(input_reader);
    let (redactor, id) = (start.redactor.clone(), start.id);
    let mut recorder = Recorder::new(redactor, limits, stream, spill_directory, id, &shared.spills);
    if start.prints_secret {
        recorder.expect_secret();
    }
    let run = Run::new(pipes, input_writer, recorder, stream);
    let pending = pending_start(plan, start, Kind::Run, streams, stream_descriptors);
    Ok((run, PendingStart { has_own_quota: is_job, ..pending }))
}

/// Makes the terminal of a session or the pipes of a service, and the message that its worker gets.
pub(super) fn prepare_live(
    shared: &Shared,
    plan: u32,
    start: ProgramStart,
    kind: LiveProgramKind,
) -> io::Result<(Sink, PendingStart, LiveProgram)> {
    match kind {
        LiveProgramKind::Session { size, history_bytes, markers, echoes } => {
            let Pty { terminal, program } = shared.terminals.take()?;
            live::resize(&terminal, size)?;
            if echoes {
                live::echo(&program)?;
            }
            let (columns, rows) = (usize::from(size.columns), usize::from(size.rows));
            let settings = handrail_pty::Settings { columns, rows, history_bytes };
            let mut dialogue =
                handrail_pty::Session::new(&start.redactor, settings, Instant::now());
            dialogue.set_markers(markers);
            if let Some(marks) = &start.shell_marks {
                dialogue.expect_marks(marks.nonce, marks.paints_echo);
            }
            let dialogue = Arc::new(Mutex::new(dialogue));
            let leader = Arc::new(AtomicI32::new(0));
            let questions = Questions::of(echoes);
            let session =
                Session::new(terminal, Arc::clone(&dialogue), Arc::clone(&leader), questions);
            let pending = pending_start(plan, start, Kind::Session, [Some(0); 3], vec![program]);
            let sink = Sink::Session(Box::new(session));
            Ok((sink, pending, LiveProgram::Session { dialogue, leader }))
        }
        LiveProgramKind::Service => {
            let (stdout_reader, stdout_writer) = shared.pipes.take()?;
            let (stderr_reader, stderr_writer) = shared.pipes.take()?;
            let (stdin_reader, stdin_writer) = live::input_pipe()?;
            let stderr = Arc::new(Mutex::new(ServiceStderr::new(start.redactor.clone())));
            let kept_stderr = Arc::clone(&stderr);
            let service = Service::new(stdin_writer, stdout_reader, stderr_reader, kept_stderr);
            let (streams, descriptors) =
                ([Some(0), Some(1), Some(2)], vec![stdin_reader, stdout_writer, stderr_writer]);
            let pending = pending_start(plan, start, Kind::Service, streams, descriptors);
            Ok((Sink::Service(Box::new(service)), pending, LiveProgram::Service { stderr }))
        }
    }
}

/// The start as the pool keeps it. `streams` has the index in `stream_descriptors` of each standard stream.
fn pending_start(
    plan: u32,
    start: ProgramStart,
    kind: Kind,
    streams: [Option<u8>; 3],
    stream_descriptors: Vec<OwnedFd>,
) -> PendingStart {
    let ProgramStart { id, program, directory, environment, private_home, home_files, .. } = start;
    let mut descriptors = vec![program.executable, directory];
    descriptors.extend(stream_descriptors);
    let arguments = program.arguments;
    let extra = start.shell_marks.iter().map(|_| TEXT_DESCRIPTOR).collect();
    descriptors.extend(start.shell_marks.map(|marks| marks.text));
    let start =
        Start { run: id, kind, arguments, environment, private_home, home_files, streams, extra };
    PendingStart { plan, has_own_quota: kind != Kind::Run, start, descriptors }
}

/// Has epoll report when a run has written something.
pub(super) fn watch_run(shared: &Shared, id: u64, run: &Run) -> io::Result<()> {
    [Stream::Stdout, Stream::Stderr].into_iter().try_for_each(|stream| {
        run.pipes[stream as usize]
            .as_ref()
            .map_or(Ok(()), |pipe| shared.watch(pipe.as_fd(), Token::Pipe(id, stream)))
    })
}

/// Has epoll report when a session or a service has written something.
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

/// Passes a program to the engine's thread, and its start to a worker. The thread has to learn of the program before the
/// worker reports about it, so the command for the thread comes first.
pub(super) fn begin(shared: &Shared, child: Child, pending: PendingStart) {
    let child = Box::new(child);
    match shared.try_pool() {
        Some(mut pool) if pool.supervisor.is_some() => {
            let (id, deadline) = (child.id, child.deadline);
            shared.add_command(EngineCommand::Serve(child, None));
            pool.begin(id, deadline, pending);
        }
        // The thread has the pool, so it is awake and takes its commands before it sleeps again. Or the supervisor has just
        // been lost, which the thread has to report.
        _ => shared.send_command(EngineCommand::Serve(child, Some(pending))),
    }
}
