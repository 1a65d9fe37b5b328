// Every rule of the layers, on one repository.
import { checkExpressions } from './expressions.mjs';
import { checkFiles } from './files.mjs';
import { checkRust } from './rust.mjs';
import { checkRustModules } from './rust-modules.mjs';
import { checkTypeScript } from './typescript.mjs';

const CHECKS = [checkRust, checkRustModules, checkTypeScript, checkFiles, checkExpressions];

/**
 * @param {string} folder the root of a repository
 * @returns {string[]} one line for each breach
 */
export const layerBreaches = (folder) => CHECKS.flatMap((check) => check(folder));
