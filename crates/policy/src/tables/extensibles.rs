//! Programs for which a subcommand of another name is a program on the search path: `cargo x` runs `cargo-x`.

use std::sync::LazyLock;

use super::Index;

pub(crate) struct Extensible {
    pub(crate) names: &'static str,
    /// Options in front of the subcommand that take the next word.
    pub(crate) valued: &'static str,
    /// Subcommands that it brings and that run what their other options say.
    pub(crate) own: &'static str,
}

pub(crate) static EXTENSIBLES: LazyLock<Index<Extensible>> =
    LazyLock::new(|| Index::of_texts(ROWS.iter().map(|row| (row.names, row))));

const ROWS: &[Extensible] = &[
    Extensible {
        names: "cargo",
        valued: "-C --color",
        own: "add bench build b check c clean clippy d doc fetch fix fmt generate-lockfile help info init \
              locate-project metadata new owner package pkgid publish r read-manifest remove report rm run rustc \
              rustdoc search t test tree uninstall update vendor verify-project version yank",
    },
    Extensible {
        names: "docker",
        valued: "-c --context -H --host -l --log-level --config --tlscacert --tlscert --tlskey",
        own: "attach build builder buildx checkpoint commit compose config container context cp create diff events \
              exec export help history image images import info inspect kill load login logout logs manifest \
              network node pause plugin port ps pull push rename restart rm rmi run save search secret service \
              stack start stats stop swarm system tag top trust unpause update version volume wait",
    },
    Extensible {
        names: "gh",
        valued: "-R --repo --hostname",
        own: "alias api attestation auth browse cache co codespace completion config cs ext extension gist gpg-key \
              help issue label org pr preview project release repo rs ruleset run search secret ssh-key status \
              variable version workflow",
    },
    Extensible {
        names: "kubectl oc",
        valued: "-n --namespace --context --cluster --user -s --server --kubeconfig --request-timeout -v --as --token",
        own: "annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion \
              config cordon cp create debug delete describe diff drain edit events exec explain expose get help \
              kustomize label logs options patch plugin port-forward proxy replace rollout run scale set taint top \
              uncordon version wait adm login logout new-app new-project process project projects rsh rsync \
              start-build status tag whoami",
    },
];
