//! Parts that the host and the executable share. All of them need Linux.

pub mod control_groups;
pub mod folder;
pub mod mount_table;
pub mod peer;
pub mod proc;
pub mod removal;
pub mod socket;
