//! Commands of which the line says that they print a secret alone. What such a run prints is masked, whatever it looks
//! like.

use super::{holds, is_one_like};
use crate::syntax::word::Word;

/// Uses that print a secret: programs, the words of the subcommand in order, and the options of which the use needs one,
/// if it needs any.
const PRINTERS: &[(&str, &str, &str)] = &[
    ("gcloud", "secrets versions access", ""),
    ("gcloud", "auth print-access-token", ""),
    ("gcloud", "auth print-identity-token", ""),
    ("gcloud", "auth application-default print-access-token", ""),
    ("vault bao", "kv get", "-field -field=* --field --field=*"),
    ("vault bao", "read", "-field -field=* --field --field=*"),
    ("vault bao", "write", "-field -field=* --field --field=*"),
    ("vault bao", "unwrap", "-field -field=* --field --field=*"),
    ("vault bao", "token create", "-field -field=* --field --field=*"),
    ("vault bao", "login", "-field -field=* -token-only"),
    ("vault bao", "print token", ""),
    (
        "kubectl oc k3s",
        "get secret*",
        "*jsonpath* *go-template* --template --template=* *custom-columns*",
    ),
    ("kubectl oc k3s", "create token", ""),
    ("oc", "whoami", "-t --show-token --show-token=true"),
    ("kubeadm", "token create", ""),
    ("kubeadm", "token generate", ""),
    ("kubeadm", "certs certificate-key", ""),
    ("aws awslocal", "ecr get-login-password", ""),
    ("aws awslocal", "ecr-public get-login-password", ""),
    ("aws awslocal", "rds generate-db-auth-token", ""),
    ("aws awslocal", "secretsmanager get-secret-value", "--query --query=*"),
    ("aws awslocal", "secretsmanager get-random-password", "--query --query=*"),
    ("aws awslocal", "ssm get-parameter*", "--query --query=*"),
    ("aws awslocal", "codeartifact get-authorization-token", "--query --query=*"),
    ("aws awslocal", "eks get-token", "--query --query=*"),
    ("aws awslocal", "configure get *secret*", ""),
    ("aws awslocal", "configure get *token*", ""),
    ("az", "keyvault secret show", "--query --query=*"),
    ("az", "account get-access-token", "--query --query=*"),
    ("az", "acr login", "--expose-token -t"),
    ("az", "acr credential show", "--query --query=*"),
    ("az", "storage account keys list", "--query --query=*"),
    ("az", "storage account show-connection-string", "--query --query=*"),
    ("az", "storage * generate-sas", ""),
    ("op", "read", ""),
    ("op", "item get", "--fields --fields=* --field --field=* --otp"),
    ("op", "signin", "--raw"),
    ("pass gopass", "show", ""),
    ("pass gopass", "otp", ""),
    ("bw", "get password", ""),
    ("bw", "get totp", ""),
    ("bw", "unlock", "--raw"),
    ("bw", "login", "--raw"),
    ("bws", "secret get", ""),
    ("lpass", "show", "--password -p --field=*"),
    ("keepassxc-cli", "show", "-a --attributes -s --show-protected"),
    ("secret-tool", "lookup", ""),
    ("security", "find-generic-password", "-w"),
    ("security", "find-internet-password", "-w"),
    ("heroku", "config:get", ""),
    ("heroku", "auth:token", ""),
    ("gh", "auth token", ""),
    ("fly flyctl", "auth token", ""),
    ("fly flyctl", "tokens create", ""),
    ("doppler", "secrets get", "--plain"),
    ("infisical", "secrets get", "--plain --raw-value"),
    ("chamber", "read", "-q --quiet"),
    ("credstash", "get", ""),
    ("berglas", "access", ""),
    ("docker", "swarm join-token", "-q --quiet"),
    ("pulumi", "stack output", "--show-secrets"),
    ("systemd-creds", "decrypt", ""),
    ("systemd-creds", "cat", ""),
];

/// Programs that print a value that a word of the line names, and the words of the subcommand.
const READERS: &[(&str, &str)] = &[
    ("printenv", ""),
    ("cat tac nl head tail more less bat batcat", ""),
    ("jq yq dasel", ""),
    ("crudini", ""),
    ("dotenv", "get"),
    ("git", "config"),
    ("npm", "config get"),
    ("terraform tofu", "output"),
    ("pulumi", "config get"),
    ("pulumi", "stack output"),
    ("consul", "kv get"),
    ("etcdctl", "get"),
    ("redis-cli valkey-cli", "get"),
    ("snap snapctl", "get"),
];

/// Names of secrets, as the last part of a path or a name.
const SECRET_NAMES: &str = "*password *passwd *passphrase *secret *secret_key *secret-key *secretkey *token *apikey *api_key *api-key *access_key *private_key";

/// Folders in which each file holds a secret, and the names of folders in which each file without an ending does.
const SECRET_FOLDERS: &str = "/run/secrets/* /var/run/secrets/*";
const SECRET_FOLDER_NAMES: &str = "secrets .secrets";

/// Options with which a program prints no secret.
const HARMLESS_OPTIONS: &str = "--help -h --version";

/// Whether the use of a program prints a secret alone. `words` begins with the program.
pub(crate) fn is_printed(program: &str, words: &[Word]) -> bool {
    let texts = || words.iter().skip(1).map(|word| word.text.as_str());
    if texts().any(|text| holds(HARMLESS_OPTIONS, text)) {
        return false;
    }
    let has_words = |subcommand: &str| {
        let mut operands = texts().filter(|text| !text.starts_with('-'));
        subcommand
            .split(' ')
            .filter(|word| !word.is_empty())
            .all(|word| operands.any(|operand| is_one_like(word, operand)))
    };
    let has_option =
        |options: &str| options.is_empty() || texts().any(|text| is_one_like(options, text));
    let prints = |&(names, subcommand, options): &(&str, &str, &str)| {
        holds(names, program) && has_words(subcommand) && has_option(options)
    };
    let reads = |&(names, subcommand): &(&str, &str)| {
        holds(names, program) && has_words(subcommand) && texts().any(names_secret)
    };
    PRINTERS.iter().any(prints) || READERS.iter().any(reads)
}

/// Whether a word names a secret: a path such as `secrets/db` or `.db.password`, a variable, a key of settings.
#[must_use]
pub fn names_secret(text: &str) -> bool {
    let last = text.rsplit(['/', '.', ':']).next().unwrap_or(text).to_ascii_lowercase();
    let mut parts = text.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let is_in_folder = parts.next().is_some_and(|folder| holds(SECRET_FOLDER_NAMES, folder))
        && !name.contains('.');
    !text.starts_with('-')
        && (is_in_folder || is_one_like(SECRET_FOLDERS, text) || is_one_like(SECRET_NAMES, &last))
}

#[cfg(test)]
mod tests {
    use super::is_printed;
    use crate::syntax::word::Word;

    fn prints(line: &str) -> bool {
        let words: Vec<Word> =
            line.split(' ').map(|text| Word { text: text.to_owned(), span: (0, 0) }).collect();
        is_printed(line.split(' ').next().unwrap_or_default(), &words)
    }

    #[test]
    fn uses_that_print_a_secret() {
        for line in [
            "gcloud --project x secrets versions access latest --secret=db",
            "vault kv get -field=password secret/db",
            "kubectl -n x get secret db -o jsonpath={.data.password}",
            "kubectl get secrets/db --template={{.data.x}}",
            "aws ecr get-login-password --region x",
            "op read op://vault/db/password",
            "az keyvault secret show --name x --query value -o tsv",
            "printenv DB_PASSWORD",
            "jq -r .db.password settings.json",
            "cat /run/secrets/db",
            "head -1 config/secrets/smtp",
            "terraform output -raw db_password",
        ] {
            assert!(prints(line), "{line}");
        }
    }

    #[test]
    fn uses_that_print_no_secret() {
        for line in [
            "gcloud secrets list",
            "vault kv get secret/db",
            "vault kv get --help",
            "kubectl get secrets",
            "kubectl get pods -o jsonpath={.items}",
            "aws ecr describe-repositories",
            "printenv HOME",
            "cat secrets.py src/token.c README.md src/secrets/mod.rs",
            "git config user.email",
            "terraform output -raw url",
        ] {
            assert!(!prints(line), "{line}");
        }
    }
}
