/** Where commands write: into the roots, or each into a layer of its own. */
export const CHANGES_MODES = ['direct', 'staged'] as const;
