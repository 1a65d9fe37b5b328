use std::fs::File;
use std::io::Read;

use super::ShellMarks;

fn words(text: &str) -> Vec<Vec<u8>> {
    text.split(' ').map(|word| word.as_bytes().to_vec()).collect()
}

/// The arguments and the environment with which this command is started, and whether it will mark its commands.
fn started(command: &str, environment: &str) -> (String, String, bool) {
    let (mut arguments, mut environment) = (words(command), words(environment));
    let marks = ShellMarks::request(&mut arguments, &mut environment, None).unwrap();
    let text = |words: Vec<Vec<u8>>| String::from_utf8(words.join(&b' ')).unwrap();
    (text(arguments), text(environment), marks.is_some())
}

#[test]
fn a_shell_that_reads_its_terminal_is_given_a_start_up_text() {
    let rows = [
        ("bash", "bash --rcfile /proc/self/fd/9", "A=1"),
        ("/bin/bash --noediting +H", "/bin/bash --rcfile /proc/self/fd/9 --noediting +H", "A=1"),
        ("fish -i", "fish --init-command source </proc/self/fd/9 -i", "A=1"),
        ("bash --norc -i", "bash --norc -i", "A=1 PROMPT_COMMAND=. /proc/self/fd/9"),
    ];
    for (command, arguments, environment) in rows {
        let expected = (arguments.to_owned(), environment.to_owned(), true);
        assert_eq!(started(command, "A=1"), expected, "{command}");
    }
}

#[test]
fn a_zsh_reads_its_text_by_a_file_of_a_private_home() {
    let mut files = Vec::new();
    let (mut arguments, mut environment) = (words("zsh -i"), words("A=1"));
    let marks = ShellMarks::request(&mut arguments, &mut environment, Some(&mut files)).unwrap();
    assert!(marks.is_some_and(|marks| marks.paints_echo));
    assert_eq!((arguments, environment), (words("zsh -i"), words("A=1")));
    assert!(files.iter().any(|file| file.path == b".zshenv"));
}

#[test]
fn any_other_program_is_started_as_it_is() {
    let commands = [
        "bash -c true",
        "bash script.sh",
        "bash --login",
        "bash --rcfile x",
        "sh",
        "zsh",
        "fish x",
        "./bash",
        "rbash",
    ];
    for command in commands {
        let expected = (command.to_owned(), "A=1".to_owned(), false);
        assert_eq!(started(command, "A=1"), expected, "{command}");
    }
    assert!(!started("bash --norc", "PROMPT_COMMAND=date").2);
}

#[test]
fn the_nonce_is_in_the_pipe_alone_and_differs_each_time() {
    let request = || {
        let (mut arguments, mut environment) = (words("bash --norc"), words("A=1"));
        let marks = ShellMarks::request(&mut arguments, &mut environment, None).unwrap().unwrap();
        let nonce = String::from_utf8(marks.nonce.0.to_vec()).unwrap();
        let mut text = String::new();
        File::from(marks.text).read_to_string(&mut text).unwrap();
        assert!(text.contains(&nonce) && !text.contains('@'), "{text}");
        let seen = [arguments.concat(), environment.concat()].concat();
        assert!(!String::from_utf8(seen).unwrap().contains(&nonce));
        nonce
    };
    assert_ne!(request(), request());
}
