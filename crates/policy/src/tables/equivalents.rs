//! Programs that have the effect of a denied one.

use super::holds;

/// When a name in `denied` is denied, the others are questions.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) denied: &'static str,
    /// Names of programs; a `*` at the end matches any text.
    pub(crate) programs: &'static str,
    /// Uses, each a program and one of its arguments with a slash between them.
    pub(crate) uses: &'static str,
    /// Whether every use that discards data has this effect.
    pub(crate) discards: bool,
}

impl Group {
    /// Whether a program of this name, with these arguments, may have the effect.
    pub(crate) fn covers<'a>(
        &self,
        name: &str,
        mut arguments: impl Iterator<Item = &'a str>,
    ) -> bool {
        let is_program = |known: &str| {
            known == name || known.strip_suffix('*').is_some_and(|head| name.starts_with(head))
        };
        self.programs.split(' ').any(is_program)
            || arguments.any(|word| holds(self.uses, &format!("{name}/{word}")))
    }
}

pub(crate) const EQUIVALENT_GROUPS: &[Group] = &[
    Group {
        denied: "rm rmdir del erase rd unlink",
        programs: "rm unlink shred srm wipe trash trash-put rimraf del-cli del erase rd safe-rm truncate",
        uses: "",
        discards: true,
    },
    Group { denied: "rmdir rd", programs: "rm rd rmdir", uses: "", discards: false },
    Group {
        denied: "mkfs dd format",
        programs: "mke2fs wipefs mkswap mkdosfs mkntfs blkdiscard sfdisk fdisk cfdisk parted sgdisk gdisk badblocks \
            dcfldd dc3dd ddrescue shred hdparm nvme mkfs dd cryptsetup debugfs fatlabel format mkfs.*",
        uses: "",
        discards: false,
    },
    Group {
        denied: "kill killall pkill",
        programs: "kill killall pkill skill snice xkill killall5 fuser",
        uses: "systemctl/kill loginctl/kill-session loginctl/kill-user",
        discards: false,
    },
    Group {
        denied: "shutdown reboot halt poweroff",
        programs: "shutdown reboot halt poweroff init telinit kexec initctl busctl dbus-send gdbus pm-suspend rtcwake \
            systemd-run",
        uses: "systemctl/poweroff systemctl/reboot systemctl/halt systemctl/kexec systemctl/soft-reboot \
            systemctl/suspend systemctl/hibernate systemctl/hybrid-sleep systemctl/isolate systemctl/rescue \
            systemctl/emergency systemctl/exit systemctl/default loginctl/poweroff loginctl/reboot loginctl/halt \
            loginctl/suspend loginctl/hibernate",
        discards: false,
    },
];
