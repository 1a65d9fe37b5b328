//! Passwords that a command reads from another or from a here-string, and flags with one dash.

use crate::support::{masked, unchanged};

/// `@@` is the secret.
const MASKED: &[&str] = &[
    "echo @@ | sudo -S apt-get update",
    "echo '@@' | sudo -S -k true",
    "echo \"@@\" | sudo -kS true 2>&1",
    "$ echo -n @@|sudo --stdin ls",
    "echo -e \"@@\\n\" | sudo -u bob -S ls",
    "printf '@@\\n' | sudo -S ls",
    "printf '%s\\n' '@@' | sudo -S ls",
    "printf %s @@ | docker login -u bob --password-stdin registry.example",
    "  run: echo \"@@\" | docker login ghcr.io -u bob --password-stdin",
    "{\"cmd\":\"echo \\\"@@\\\" | docker login --password-stdin\"}",
    "{\"cmd\":\"printf \\\"%s\\\" \\\"@@\\\" | docker login --password-stdin\"}",
    "bash -c 'echo @@ | helm registry login h -u bob --password-stdin'",
    "cd x && echo @@ | gh auth login --with-token",
    "+ echo bob:@@ | chpasswd",
    "echo 'bob:@@' | sudo chpasswd",
    "echo @@ | passwd --stdin bob",
    "docker login -u bob --password-stdin <<< @@",
    "docker login -u bob --password-stdin <<<'@@' && x",
    "gh auth login --with-token <<< \"@@\"",
    "chpasswd <<< bob:@@",
    // Flags with one dash.
    "app -password @@ -v",
    "tool -token '@@'",
    "Connect-X -ApiKey @@ -Verbose",
    "New-Thing -ClientSecret \"@@\"",
];

const KEPT: &[&str] = &[
    "echo $PASSWORD | sudo -S ls",
    "echo \"$TOKEN\" | docker login --password-stdin",
    "echo \"${{ secrets.GH }}\" | docker login ghcr.io -u bob --password-stdin",
    "echo y | sudo -S apt",
    "echo VALUE | sudo -S, echo USER:VALUE | chpasswd, --password-stdin <<< VALUE",
    "user:…@tcp(host)",
    "echo a1b2c3d4 | sudo -u bob tee x",
    "echo a1b2c3d4 | sudo tee x",
    "echo a1b2c3d4 | tee x; sudo -S ls",
    "echo a1b2c3d4 || sudo -S ls",
    "echo a1b2c3d4\nsudo -S ls",
    "cat a1b2c3d4 | docker login --password-stdin",
    "aws ecr get-login-password | docker login --password-stdin 1234.dkr.ecr.us-east-1.amazonaws.com",
    "echo a1b2c3d4 | xsudo -S",
    "-password <string>",
    " -token string\n    \tauthentication token",
    "  -password password   the password to use",
    "Get-Thing -Credential $cred -Password $p -Token",
    "gcc -fno-secret foo1 -key bar1",
];

const SECRETS: &[&str] = &["aB3dEf6hIj", "x9!kq2Zw4pLm", "a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg"];

#[test]
fn what_a_command_reads_is_masked() {
    masked(MASKED, SECRETS);
}

#[test]
fn what_others_read_stays() {
    for text in KEPT {
        unchanged(text);
    }
}

/// A word that a reader follows may be any.
#[test]
fn a_word_is_a_password_as_well() {
    masked(&MASKED[..20], &["correcthorse"]);
}
