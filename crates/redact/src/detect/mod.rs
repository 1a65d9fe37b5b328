//! The checks that run where a trigger occurs. Each reads a limited part of the text to the right of its trigger, or
//! reads each byte only once.

pub(crate) mod alone;
mod apart;
mod arguments;
mod before;
mod classify;
mod closing_search;
mod code;
pub(crate) mod command;
mod cookie;
mod header;
pub(crate) mod identifier;
mod member;
pub(crate) mod name;
mod open_strings;
mod pair;
mod placeholder;
pub(crate) mod random;
pub(crate) mod scan;
pub(crate) mod separator;
mod sql;
mod unquoted_end;
mod url;
mod value;
mod web_key;
pub(crate) mod words;

use scan::Scan;

use crate::rules::Check;
use crate::span::RuleId;
use crate::token::{self, vendor_key, web_token};

/// Checks one occurrence of a trigger. False if no later trigger matters.
pub(crate) fn check(
    scan: &mut Scan<'_, '_>,
    rule: RuleId,
    check: &Check,
    start: usize,
    end: usize,
) -> bool {
    if start >= scan.stop_at {
        return false;
    }
    // A token at the start of a masked value gives the finding a more exact name.
    let names = start == scan.masked.start && matches!(check, Check::Token(_));
    if scan.masked.contains(&start) && !names {
        return true;
    }
    scan.rule = rule;
    scan.add_check_steps();
    match check {
        Check::Name(kind) => pair::check(scan, *kind, start, end),
        Check::Token(token) => token::check(scan, token, start, end),
        Check::Infix(infix) => token::check_infix(scan, infix, start, end),
        Check::VendorKey(vendor_key) => vendor_key::check(scan, vendor_key, start, end),
        Check::Call => arguments::check(scan, end),
        Check::ValueKey => before::member(scan, end),
        Check::WebToken => web_token::check(scan, start),
        Check::WebKey => web_key::check(scan, end),
        Check::Webhook { segments, least } => url::webhook(scan, end, *segments, *least),
        Check::Authorization => header::authorization(scan, start, end),
        Check::Scheme => header::scheme(scan, start, end),
        Check::Cookie => cookie::check(scan, start, end),
        Check::UserInfo => url::user_info(scan, end),
        Check::NetworkUser => url::network_user(scan, start),
        Check::OracleUser => url::oracle_user(scan, end),
        Check::PasswordFile => url::password_file(scan, start, end),
        Check::UserFlag => command::user_flag(scan, start, end),
        Check::Command => command::check(scan, start),
        Check::Statement => sql::check(scan, start, end),
        Check::PrivateKey => return scan.private_key(start, end),
    }
    true
}
