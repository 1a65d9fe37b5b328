use std::path::Path;

use handrail_redact::{Options, Redactor};
use handrail_reports::FailureCode;

use handrail_supervisor::message::Done;

use super::*;
use crate::linux::ahead::tests::written;
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

/// What a run records of two outputs that are written as fast as they are read, and whether a second thread helped.
fn run(stdout: &str, stderr: &str) -> (Recorded, bool) {
    let (out, first) = written(stdout.as_bytes().to_vec());
    let (err, second) = written(stderr.as_bytes().to_vec());
    let mut run = Run::new([Some(out), Some(err)], None, recorder(), false);
    let (mut helper, mut buffer) = (Helper::default(), vec![0; 128 << 10]);
    while run.pipes.iter().any(Option::is_some) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            // Were they not taken fast here, they would be read without help.
            run.is_flood = [true; 2];
            run.read(stream, &mut buffer, &mut helper, &mut |_| {});
        }
    }
    run.drain(&mut buffer, &mut |_, _| {});
    first.join().unwrap();
    second.join().unwrap();
    (run.recorder.finish(), matches!(helper, Helper::Here(_)))
}

#[test]
fn a_flood_is_recorded_as_its_bytes_say() {
    let key = ["AKIA", "IOSFODNN7", "QRSTUVW"].concat();
    let secret = format!("key {key} \u{1b}[1mbold\u{1b}[0m\r\n");
    let line = "2026-03-14T09:42:10Z INFO request finished status=201 duration_ms=226\n";
    let block = format!("{}{secret}", line.repeat(900));
    // Of these a piece makes more text than it holds.
    let jumps = "\u{1b}[500C.\n".repeat(20_000);
    let (stdout, stderr) = (format!("{}{jumps}", block.repeat(20)).repeat(8), block.repeat(5));
    let mut expected = recorder();
    expected.push(Stream::Stdout, stdout.as_bytes());
    expected.push(Stream::Stderr, stderr.as_bytes());
    expected.end(Stream::Stdout);
    expected.end(Stream::Stderr);
    let expected = expected.finish();
    assert!(expected.redactions >= 165, "{}", expected.redactions);
    let (found, helped) = run(&stdout, &stderr);
    assert!(helped);
    assert_eq!(found.stdout.text, expected.stdout.text);
    assert_eq!(found.stderr.text, expected.stderr.text);
    assert_eq!(found.raw_bytes, expected.raw_bytes);
    assert_eq!(found.redactions, expected.redactions);
    assert_eq!(found.stdout.total, expected.stdout.total);
}

#[test]
fn a_bug_costs_its_run_the_output_and_says_so() {
    let (out, writer) = written(vec![b'x'; 10]);
    // The pipe has room for all of it: who writes later than its reader is gone fails.
    writer.join().unwrap();
    let sink = Sink::Run(Box::new(Run::new([Some(out), None], None, recorder(), false)));
    let mut child = Child::new((1, 0), None, Duration::ZERO, sink);
    let (mut helper, mut buffer) = (Helper::default(), vec![0; 4]);
    let mut read = |sink: &mut Sink| {
        let Sink::Run(run) = sink else { panic!("no run") };
        run.read(Stream::Stdout, &mut buffer, &mut helper, &mut |_| {});
    };
    assert!(child.contain(&mut read).is_some());
    assert!(child.contain(|_| panic!("a bug")).is_none());
    assert!(child.contain(&mut read).is_none(), "what is broken is not used again");
    assert!(child.sink.take_descriptors().is_empty(), "who writes on is told");
    let outcome = child.conclude(Ending::Done(Done::default()));
    assert_eq!(outcome.failure.map(|failure| failure.code), Some(FailureCode::Internal));
    assert_eq!(outcome.stdout.text, "");
}
