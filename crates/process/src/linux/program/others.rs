//! Who else may change a file: other users, by its owner, its mode and its group.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;

const OTHERS_WRITE: u32 = 0o002;
const GROUP_WRITE: u32 = 0o020;

/// Whether the mode lets everybody, or a group of several users, write.
pub(crate) fn is_changeable_by_others(status: &Metadata) -> bool {
    let mode = status.mode();
    mode & OTHERS_WRITE != 0 || (mode & GROUP_WRITE != 0 && Some(status.gid()) != private_group())
}

/// Whether the file belongs to this user or to root.
pub(crate) fn is_own(status: &Metadata) -> bool {
    status.uid() == 0 || status.uid() == rustix::process::geteuid().as_raw()
}

/// The group that only this user is in. Many systems give each user one, and let it write to every new file.
fn private_group() -> Option<u32> {
    static GROUP: OnceLock<Option<u32>> = OnceLock::new();
    *GROUP.get_or_init(|| {
        let read = |path: &str| std::fs::read_to_string(path).ok();
        let user = rustix::process::geteuid().as_raw();
        private_group_of(user, &read("/etc/passwd")?, &read("/etc/group")?)
    })
}

/// The private group of a user: it has the user's name, no member beside the user, and is no other user's first group.
fn private_group_of(user: u32, users: &str, groups: &str) -> Option<u32> {
    let rows = |text: &'_ str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(':').map(str::to_owned).collect()).collect()
    };
    let users = rows(users);
    let is_user = |row: &[String]| row.get(2).and_then(|id| id.parse().ok()) == Some(user);
    let [name, _, _, group, ..] = users.iter().find(|row| is_user(row))?.as_slice() else {
        return None;
    };
    let groups = rows(groups);
    let mut of_this_id = groups.iter().filter(|row| row.get(2) == Some(group));
    let is_private = of_this_id.all(|row| {
        let members = row.get(3).map_or("", String::as_str);
        row.first() == Some(name)
            && members.split(',').all(|member| member.is_empty() || member == name)
    });
    let is_listed = groups.iter().any(|row| row.get(2) == Some(group));
    let is_shared = users.iter().any(|row| row.get(3) == Some(group) && !is_user(row));
    (is_listed && is_private && !is_shared).then(|| group.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::private_group_of;

    const USERS: &str = "root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000::/home/ann:/bin/bash\n\
        bob:x:1001:100::/home/bob:/bin/bash\nann2:x:1002:1002::/home/ann2:/bin/bash\n";

    #[test]
    fn a_group_is_private_when_nobody_else_is_in_it() {
        let cases = [
            ("ann:x:1000:", Some(1000)),
            ("ann:x:1000:ann", Some(1000)),
            ("ann:x:1000:ann,bob", None),
            ("staff:x:1000:", None),
            ("ann:x:1000:\nann:x:1000:bob", None),
            ("", None),
        ];
        for (groups, expected) in cases {
            assert_eq!(private_group_of(1000, USERS, groups), expected, "{groups}");
        }
        assert_eq!(private_group_of(1001, USERS, "users:x:100:"), None);
        assert_eq!(private_group_of(7, USERS, "ann:x:1000:"), None);
        // Another user with this first group is in it, although no list of members says so.
        let shared = format!("{USERS}eve:x:1003:1000::/:/bin/sh\n");
        assert_eq!(private_group_of(1000, &shared, "ann:x:1000:"), None);
    }
}
