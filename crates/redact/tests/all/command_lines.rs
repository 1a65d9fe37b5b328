//! Words behind an option, and in dumps of structures: what follows says whether they are values.

use crate::support::{masked, pauses_show_nothing, unchanged};

const MASKED: &[&str] = &[
    // A target, or the next command.
    "docker login --username bob --password @@ registry.io",
    "docker login --username bob --password @@ registry.example.com:5000",
    "svn co --username bob --password @@ http://x",
    "wget --user bob --password @@ http://x.io/f",
    "x --password @@ | tee",
    "x --password @@ || exit",
    "x --password @@ && ls",
    "x --password @@ joe@host",
    "x --password @@ localhost:80",
    "x --passphrase @@ api.example.com/v1",
    // Structures of Go.
    "map[password:@@ user:bob]",
    "map[host:db password:@@ user:bob]",
    "{User:bob Password:@@ Port:1}",
    "&{User:bob Password:@@ Port:1}",
    "INFO config={Host:db Password:@@ Port:1}",
    "{User:bob Secret:@@ Port:1}",
];

const KEPT: &[&str] = &[
    "use --password and x@y",
    "use --password or http://x",
    "the --password option registry.io",
    "the --password flag docs.example.com takes",
    "--password string | --token string",
    "--password PASSWORD | --password-stdin",
    "[--password password | --password-stdin]",
    "x --password value && y",
    "--password prompts the user",
    "--password requires file.txt",
    "--password $PASSWORD http://x",
    "x --token token http://x",
    "{Name:db Token:word Port:1}",
    "{Password:<nil> Port:1}",
    "{Password:string Port:int}",
    "label:token password:string user:string",
    "see password:foo and others",
    "password:tiger http://host",
];

#[test]
fn words_with_a_target_behind_are_masked() {
    masked(MASKED, &["tiger", "Winter", "qwxztr"]);
}

#[test]
fn words_of_a_sentence_are_kept() {
    for text in KEPT {
        unchanged(text);
    }
}

#[test]
fn pauses_show_nothing_of_the_word() {
    for text in MASKED {
        pauses_show_nothing(&text.replace("@@", "tiger"));
    }
    for text in KEPT {
        pauses_show_nothing(text);
    }
}
