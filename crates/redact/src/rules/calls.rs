//! Calls that take a user and a password, which no name gives away: `HTTPBasicAuth('joe', 'x')`, `new PDO(dsn, 'joe', 'x')`.

use super::{Check, Rule};

pub(crate) const RULES: &[Rule] = &[LOGIN];

const LOGIN: Rule = Rule {
    id: "call-password",
    title: "Password among the arguments of a call",
    triggers: &[
        "basicauth(",
        "digestauth(",
        "basic_auth(",
        "auth=(",
        "auth = (",
        "plainauth(",
        "passwordauthentication(",
        "passwordcredentials(",
        "passwordauthenticationtoken(",
        ".login(",
        "ftp_login(",
        "mysqli(",
        "mysqli_connect(",
        "pdo(",
        "getconnection(",
    ],
    check: Check::Login,
};

/// A call, by what its name ends with.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    /// With the bracket, in small letters.
    pub(crate) name: &'static str,
    /// How many arguments stand before the password.
    pub(crate) before: usize,
    /// No letter may stand before the name.
    pub(crate) apart: bool,
    pub(crate) likeness: Likeness,
}

/// What a literal there is like when it is a password.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// Whatever it is.
    Certain,
    /// It has digits or signs: other texts stand there as well.
    Marked,
}

const fn certain(name: &'static str, before: usize) -> Call {
    Call { name, before, apart: false, likeness: Likeness::Certain }
}

const fn marked(name: &'static str, before: usize) -> Call {
    Call { name, before, apart: false, likeness: Likeness::Marked }
}

const fn apart(call: Call) -> Call {
    Call { apart: true, ..call }
}

/// All of them, by the rule's triggers.
pub(crate) const CALLS: &[Call] = &[
    certain("basicauth(", 1),
    certain("digestauth(", 1),
    certain("basic_auth(", 1),
    apart(certain("auth=(", 1)),
    apart(certain("auth = (", 1)),
    certain("plainauth(", 2),
    certain("passwordauthentication(", 1),
    certain("passwordcredentials(", 1),
    certain("passwordauthenticationtoken(", 1),
    marked(".login(", 1),
    certain("ftp_login(", 2),
    apart(certain("mysqli(", 2)),
    certain("mysqli_connect(", 2),
    apart(certain("pdo(", 2)),
    marked("getconnection(", 2),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triggers_and_calls_are_the_same() {
        assert!(LOGIN.triggers.iter().copied().eq(CALLS.iter().map(|call| call.name)));
    }
}
