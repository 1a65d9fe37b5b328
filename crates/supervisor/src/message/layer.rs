//! The layer in which everything of a supervisor, or one program, writes instead of in the roots.

use crate::wire::wire;

/// A layer over roots: what is written beneath them lands in folders of its own, and the roots stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layer {
    /// The absolute path of its folder. Root number `n` has the folders `n/upper` and `n/work` in it. Nothing that is started in
    /// the layer reaches the folder above.
    pub folder: Vec<u8>,
    /// The roots, in the order of their numbers.
    pub roots: Vec<LayerRoot>,
}

/// A root as it is beneath a layer. It is used only while its path still leads to the directory that was meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerRoot {
    /// The canonical path of the directory.
    pub path: Vec<u8>,
    /// The number of its device (`st_dev`).
    pub device: u64,
    /// The number of its inode (`st_ino`).
    pub inode: u64,
    /// The number of its folders in the layer; `None` for a root that nobody writes to or that lies in another one.
    pub number: Option<u32>,
}

/// The step at which a layer could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerStage {
    /// There is no mount namespace for it.
    Namespace,
    /// The path of a root leads to another directory by now, or may not be written to.
    Root,
    /// Something else is mounted beneath a root, or a folder of the host's own lies there.
    Beneath,
    /// The kernel, or the file system of a root or of the layer's folder, has no overlay.
    Overlay,
}

wire!(struct Layer { folder, roots });
wire!(struct LayerRoot { path, device, inode, number });
wire!(enum LayerStage { 0 => Namespace, 1 => Root, 2 => Beneath, 3 => Overlay });
