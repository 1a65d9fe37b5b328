/**
 * Release of this package. The native binding must be of the same release;
 * a test holds this equal to `package.json`.
 */
export const VERSION = '0.1.0';
