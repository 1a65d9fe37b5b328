//! Questions of programs to their terminal.

use crate::support::{Terminal, read};

fn replies(output: &str) -> String {
    let mut terminal = Terminal::new();
    terminal.output(output);
    String::from_utf8(terminal.session.take_replies()).expect("ASCII")
}

#[test]
fn questions_are_answered_in_their_order() {
    assert_eq!(
        replies("\x1b[c\x1b[>c\x1b[5n\x1b[18t\x1b]11;?\x07\x1b]10;?\x1b\\"),
        "\x1b[?62;22c\x1b[>1;10;0c\x1b[0n\x1b[8;24;80t\x1b]11;rgb:0000/0000/0000\x07\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\"
    );
    assert_eq!(replies("\x1b[?1049h\x1b[7;9H\x1b[6n\x1b[1;1H\x1b[6n"), "\x1b[7;9R\x1b[1;1R");
    assert_eq!(replies("12345\x1b[6n"), "\x1b[24;6R");
}

#[test]
fn a_reply_has_nothing_that_the_program_chose() {
    // A title, a definition of a key, a colour, and settings: terminals that report them type what a file says.
    for output in [
        "\x1b]2;echo owned\x07\x1b[21t\x1b[20t",
        "\x1b]0;x\x07\x1b]l\x1b\\",
        "\x1bP$qm\x1b\\",
        "\x1bP+q544e\x1b\\",
        "\x1b]4;1;?\x07",
        "\x1b]52;c;?\x07",
        "\x05",
        "\x1b[?1$p",
    ] {
        assert_eq!(replies(output), "", "{output:?}");
    }
}

#[test]
fn replies_are_bounded_and_no_text() {
    let mut terminal = Terminal::new();
    terminal.output(&"\x1b[c".repeat(10_000));
    assert!(terminal.session.take_replies().len() <= 256);
    assert!(terminal.session.take_replies().is_empty());
    assert_eq!(terminal.read(read()).text, "");
}
