import { existsSync } from 'node:fs';
import path from 'node:path';
import { Files } from '../files/files.js';
import type { Redactor } from '../redaction/redactor.js';
import type { ConfineOptions } from '../terminal/confine.js';
import type { TerminalOptions } from '../terminal/options.js';
import type { Rule } from '../terminal/rule.js';
import { Terminal } from '../terminal/terminal.js';
import { BASH_TIMEOUT_SECS, MAX_BASH_OUTPUT } from './executor-tools.js';
import { DEFAULT_BLACKLIST } from './terminal-tool.js';

/** The engines of the built-in tools. */
export interface Engines {
  readonly terminal: Terminal;
  /** Reads files anywhere except in protected places. */
  readonly reader: Files;
  /** Changes files in the workspace, the data directory and the folder for temporary files. */
  readonly writer: Files;
}

/** The options of an executor that concern its engines. */
export interface EngineSettings extends Pick<TerminalOptions, 'approve' | 'env'> {
  readonly allow?: readonly Rule[] | undefined;
  readonly deny?: readonly Rule[] | undefined;
  readonly confine?: ConfineOptions | undefined;
  readonly readBlocklist?: 'default' | 'none' | undefined;
}

/** Folders for temporary files, which the tools may always write to. */
const TEMPORARY_FOLDERS: readonly string[] = ['/tmp'];

/**
 * The roots of commands and MCP servers with `writes: 'roots'`. They do not include the data directory, parts of which
 * are protected.
 */
export function commandRoots(workspacePath: string): readonly string[] {
  return [...new Set([workspacePath, ...temporaryFolders()])];
}

function temporaryFolders(): readonly string[] {
  return TEMPORARY_FOLDERS.filter((folder) => existsSync(folder));
}

/** Creates the engines of one workspace. */
export function openEngines(
  workspacePath: string,
  dataDir: string,
  redactor: Redactor,
  { allow, deny, approve, env, confine, readBlocklist }: EngineSettings,
): Engines {
  const protect = [path.join(dataDir, 'data'), path.join(dataDir, 'config.toml')];
  const guards = { dotenv: 'mask', cwd: workspacePath, redactor, protect } as const;
  // With `/` as data directory every file could be changed.
  const data = dataDir === path.parse(dataDir).root ? [] : [dataDir];
  const roots = [...new Set([workspacePath, ...data, ...temporaryFolders()])];
  return {
    reader: new Files({ ...guards, allowAll: true, ...(readBlocklist === undefined ? {} : { readBlocklist }) }),
    writer: new Files({ ...guards, roots }),
    terminal: new Terminal(
      {
        ...(allow === undefined ? {} : { allow }),
        ...(deny === undefined && allow === undefined ? { deny: [...DEFAULT_BLACKLIST] } : {}),
        ...(deny === undefined ? {} : { deny }),
        ...(approve === undefined ? {} : { approve }),
        ...(env === undefined ? {} : { env }),
        ...(confine === undefined ? {} : { confine }),
        // Without roots, commands start anywhere and write anywhere except in protected places.
        ...(confine?.writes === 'roots' ? { roots: commandRoots(workspacePath) } : {}),
        shell: 'bash',
        output: { maxChars: MAX_BASH_OUTPUT, spillBytes: 0 },
        cwd: workspacePath,
        timeoutMs: BASH_TIMEOUT_SECS * 1_000,
        redactor,
      },
      { guards: { writeRules: true, lifted: [], protectedPaths: protect } },
    ),
  };
}
