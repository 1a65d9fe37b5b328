use std::fs::File;
use std::io::Write;

use handrail_text::sanitize;
use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;

use super::*;

/// A reading end that does not block, with a thread that writes `bytes` to the other and closes it.
pub(crate) fn written(bytes: Vec<u8>) -> (OwnedFd, JoinHandle<()>) {
    let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).unwrap();
    rustix::fs::fcntl_setfl(&reader, OFlags::NONBLOCK).unwrap();
    let write = move || File::from(writer).write_all(&bytes).unwrap();
    (reader, std::thread::spawn(write))
}

/// What the thread makes of all that is written; `stop` stops it after each piece.
fn read_all(bytes: Vec<u8>, stop: bool) -> (Vec<u8>, usize) {
    let (pipe, writer) = written(bytes);
    let mut ahead = Ahead::start().unwrap();
    let (mut pipe, mut cleaner) = (Some(pipe), Cleaner::new());
    let (mut text, mut pieces) = (Vec::new(), 0);
    while let Some(open) = pipe.take() {
        ahead.begin(Job { pipe: open, cleaner: std::mem::take(&mut cleaner) });
        let mut rest = None;
        loop {
            match ahead.next().unwrap() {
                Answer::Piece(piece) => {
                    pieces += 1;
                    assert!(rest.is_none(), "nothing follows what is not cleaned");
                    assert!(piece.made.len() <= MADE_BYTES + 128 * CLEANED_BYTES);
                    piece.texts().for_each(|part| text.extend_from_slice(part));
                    if stop {
                        ahead.stop();
                    }
                    if piece.rest().is_empty() {
                        ahead.give_back(piece);
                    } else {
                        rest = Some(piece);
                    }
                }
                Answer::End(open, back) => {
                    (pipe, cleaner) = (open, back);
                    break;
                }
            }
        }
        if let Some(piece) = rest {
            cleaner.push(piece.rest(), &mut |part| text.extend_from_slice(part));
            ahead.give_back(piece);
        }
    }
    cleaner.finish(&mut |part| text.extend_from_slice(part));
    writer.join().unwrap();
    (text, pieces)
}

#[test]
fn what_is_read_ahead_is_what_was_written() {
    let lines = "2026-03-14 INFO \u{1b}[32mserved\u{1b}[0m é in 12 ms\r\n".repeat(60_000);
    // Much text of few bytes: more than a piece may hold.
    let jumps = "\u{1b}[500C.\n".repeat(100_000);
    let unfinished = format!("{lines}no end \u{1b}[3");
    for text in [lines, jumps, unfinished, "short".to_owned(), String::new()] {
        let expected = sanitize(text.as_bytes());
        for stop in [false, true] {
            let (found, pieces) = read_all(text.clone().into_bytes(), stop);
            assert!(found == expected.as_bytes(), "of {} bytes in {pieces} pieces", text.len());
        }
    }
}

#[test]
fn text_from_elsewhere_is_not_taken_for_a_part_of_the_piece() {
    let raw = b"some bytes".as_slice();
    assert_eq!(place_in(raw, &raw[5..]), Some(5..10));
    assert_eq!(place_in(raw, &raw[3..3]), Some(3..3));
    assert_eq!(place_in(&raw[..6], &raw[5..]), None);
    assert_eq!(place_in(raw, raw.to_vec().as_slice()), None);
}

#[test]
fn the_thread_ends_with_its_owner_in_the_middle_of_a_reading() {
    let (pipe, writer) = written(vec![b'x'; 1 << 20]);
    let ahead = Ahead::start().unwrap();
    ahead.begin(Job { pipe, cleaner: Cleaner::new() });
    // Joins the thread, and closes the pipe that the thread had.
    drop(ahead);
    assert!(writer.join().is_err(), "nobody reads any more");
}
