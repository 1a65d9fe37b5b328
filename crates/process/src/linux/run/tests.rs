use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::thread::JoinHandle;

use handrail_redact::{Options, Redactor};
use handrail_reports::FailureCode;
use handrail_supervisor::message::Done;
use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;

use super::*;
use crate::linux::child::{Child, Ending, Sink};
use crate::linux::recorder::Recorded;
use crate::linux::spill::Budget;
use crate::options::OutputLimits;

const LIMITS: OutputLimits = OutputLimits {
    head_bytes: 20_000,
    tail_bytes: 45_000,
    max_chars: None,
    spill_bytes: 0,
    excerpt_tokens: 0,
};

fn recorder() -> Recorder {
    let redactor = Redactor::new(Options::default()).unwrap();
    Recorder::new(redactor, LIMITS, false, Path::new("/nowhere"), 1, &Budget::new(0))
}

/// A reading end that does not block, and a thread that writes `bytes` to the other end and closes it.
fn written(bytes: Vec<u8>) -> (OwnedFd, JoinHandle<()>) {
    let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).unwrap();
    rustix::fs::fcntl_setfl(&reader, OFlags::NONBLOCK).unwrap();
    let write = move || File::from(writer).write_all(&bytes).unwrap();
    (reader, std::thread::spawn(write))
}

/// The record of two outputs that are written as fast as they are read.
fn record(stdout: &str, stderr: &str) -> Recorded {
    let (stdout_pipe, stdout_writer) = written(stdout.as_bytes().to_vec());
    let (stderr_pipe, stderr_writer) = written(stderr.as_bytes().to_vec());
    let mut run = Run::new([Some(stdout_pipe), Some(stderr_pipe)], None, recorder(), false);
    let mut buffer = vec![0; 128 << 10];
    while run.pipes.iter().any(Option::is_some) {
        for stream in STREAMS {
            run.read(stream, &mut buffer, &mut |_| {});
        }
    }
    run.drain(false, &mut buffer, &mut |_, _| {});
    stdout_writer.join().unwrap();
    stderr_writer.join().unwrap();
    run.recorder.finish()
}

#[test]
fn a_large_output_is_recorded_as_its_bytes_say() {
    let key = ["AKIA", "IOSFODNN7", "QRSTUVW"].concat();
    let secret = format!("key {key} \u{1b}[1mbold\u{1b}[0m\r\n");
    let line = "2026-03-14T09:42:10Z INFO request finished status=201 duration_ms=226\n";
    let block = format!("{}{secret}", line.repeat(900));
    // Much text of few bytes.
    let jumps = "\u{1b}[500C.\n".repeat(20_000);
    let (stdout, stderr) = (format!("{}{jumps}", block.repeat(20)).repeat(8), block.repeat(5));
    let mut expected = recorder();
    expected.push(Stream::Stdout, stdout.as_bytes());
    expected.push(Stream::Stderr, stderr.as_bytes());
    expected.end(Stream::Stdout, false);
    expected.end(Stream::Stderr, false);
    let expected = expected.finish();
    assert!(expected.redactions >= 165, "{}", expected.redactions);
    let recorded = record(&stdout, &stderr);
    assert_eq!(recorded.stdout.text, expected.stdout.text);
    assert_eq!(recorded.stderr.text, expected.stderr.text);
    assert_eq!(recorded.raw_bytes, expected.raw_bytes);
    assert_eq!(recorded.redactions, expected.redactions);
    assert_eq!(recorded.stdout.total, expected.stdout.total);
}

#[test]
fn a_bug_costs_its_run_the_output_and_says_so() {
    let (stdout_pipe, writer) = written(vec![b'x'; 10]);
    // The pipe has room for all of it. A write after the reader is gone would fail.
    writer.join().unwrap();
    let sink = Sink::Run(Box::new(Run::new([Some(stdout_pipe), None], None, recorder(), false)));
    let mut child = Child::new((1, 0), None, Duration::ZERO, sink);
    let mut buffer = vec![0; 4];
    let mut read = |sink: &mut Sink| {
        let Sink::Run(run) = sink else { panic!("no run") };
        run.read(Stream::Stdout, &mut buffer, &mut |_| {});
    };
    assert!(child.contain(&mut read).is_some());
    assert!(child.contain(|_| panic!("a bug")).is_none());
    assert!(child.contain(&mut read).is_none(), "broken output is not read again");
    assert!(child.sink.take_descriptors().is_empty(), "a program that writes on gets an error");
    let outcome = child.conclude(Ending::Done(Done::default()));
    assert_eq!(outcome.failure.map(|failure| failure.code), Some(FailureCode::Internal));
    assert_eq!(outcome.stdout.text, "");
}
