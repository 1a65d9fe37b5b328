//! The memory of the machine that belongs to the mappings of no process: buffers of sockets, files in memory, and whatever else
//! the kernel keeps for programs.

use std::fs;

/// The machine is short of memory when less than this part of it is available.
const SHORT_DIVISOR: u64 = 8;

/// The memory of the machine at one moment, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MachineMemory {
    total: u64,
    available: u64,
    /// What processes have in mappings without a file.
    anonymous: u64,
}

impl MachineMemory {
    /// That of this moment. `None` where it cannot be read.
    pub(crate) fn now() -> Option<MachineMemory> {
        MachineMemory::parse(&fs::read_to_string("/proc/meminfo").ok()?)
    }

    fn parse(text: &str) -> Option<MachineMemory> {
        let bytes = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
        };
        Some(MachineMemory {
            total: bytes("MemTotal:")?,
            available: bytes("MemAvailable:")?,
            anonymous: bytes("AnonPages:")?,
        })
    }

    /// What is in use and in no mapping, with the shared mappings among it.
    fn hidden(&self) -> u64 {
        self.total.saturating_sub(self.available).saturating_sub(self.anonymous)
    }

    /// How much more of it is hidden than before, if the machine is short of memory.
    pub(crate) fn hidden_since(&self, before: &MachineMemory) -> Option<u64> {
        let is_short = self.available < self.total / SHORT_DIVISOR;
        is_short.then(|| self.hidden().saturating_sub(before.hidden()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn machine(available: u64, anonymous: u64) -> MachineMemory {
        MachineMemory {
            total: 16_000 * MIB,
            available: available * MIB,
            anonymous: anonymous * MIB,
        }
    }

    #[test]
    fn growth_counts_only_when_it_is_hidden_and_the_machine_is_short() {
        let before = machine(12_000, 2_000);
        let cases = [
            ("sockets took it", machine(1_999, 2_000), Some(10_001 * MIB)),
            ("the machine is not short", machine(2_000, 2_000), None),
            ("programs have it in mappings", machine(1_000, 13_000), Some(0)),
            ("both", machine(1_000, 10_000), Some(3_000 * MIB)),
            ("others gave some back", machine(1_000, 14_000), Some(0)),
        ];
        for (name, now, expected) in cases {
            assert_eq!(now.hidden_since(&before), expected, "{name}");
        }
    }

    #[test]
    fn it_is_read_from_the_text_of_the_kernel() {
        let text =
            "MemTotal:       100 kB\nMemFree:   1 kB\nMemAvailable:   60 kB\nAnonPages:  30 kB\n";
        let expected = MachineMemory { total: 102_400, available: 61_440, anonymous: 30_720 };
        assert_eq!(MachineMemory::parse(text), Some(expected));
        assert_eq!(MachineMemory::parse("MemTotal: 1 kB\n"), None);
        assert!(MachineMemory::now().is_some_and(|now| now.available <= now.total));
    }
}
