/**
 * Release of this package. The native binding must be of the same release. A test compares it with `package.json`.
 */
export const VERSION = '0.1.0';
