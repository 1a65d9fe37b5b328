//! The file tools, on real directories.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod arguments;
mod corpus;
mod diffs;
mod editing;
mod encodings;
mod fixture;
mod globbing;
mod hanging;
mod layer_facts;
mod layer_fixture;
mod layer_properties;
mod layer_sweeps;
mod layers;
mod learned;
mod living_layers;
mod mask_numbers;
mod masks;
mod near_miss_cases;
mod near_miss_refusals;
mod near_misses;
mod other_tools;
mod patch_heads;
mod patch_refusals;
mod patching;
mod places;
mod races;
mod reading;
mod repeated;
mod rewrites;
mod run_later;
mod searching;
mod second_paths;
mod second_writer;
mod undoing;
mod writing;
