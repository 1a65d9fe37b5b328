import { Redactor } from '../redaction/redactor.js';
import { Engine } from '../terminal/engine.js';
import { Terminal } from '../terminal/terminal.js';
import { loadTerminalPolicyFromEnv, type TerminalPolicy, terminalPolicyKey } from './terminal-policy.js';
import { outputChars } from './terminal-text.js';

/** A policy from the environment, with its terminal. */
export interface ConfiguredTerminal {
  readonly policy: TerminalPolicy;
  readonly redactor: Redactor;
  readonly terminal: Terminal;
}

/** Most policies that are kept. When the variables change more often, an older policy is compiled again. */
const MAX_KEPT_POLICIES = 16;

/** Share of the kept bytes that comes from the beginning. */
const HEAD_SHARE = 0.3;

/**
 * The engine of functions that the environment configures, which have no object to keep it in. It is created with the
 * first call and ends with the process.
 */
let engine: Engine | undefined;

/** The kept policies by the values of their variables, the oldest first. */
const terminalsByVariables = new Map<string, ConfiguredTerminal>();

/**
 * The terminal for the environment as it is now.
 *
 * @throws HandrailError `ERR_INVALID_CONFIG` for a wrong variable, and the errors of creating an engine.
 */
export function terminalFromEnvironment(): ConfiguredTerminal {
  const key = terminalPolicyKey();
  const knownTerminal = terminalsByVariables.get(key);
  if (knownTerminal !== undefined) return knownTerminal;

  const built = createTerminal(loadTerminalPolicyFromEnv());
  terminalsByVariables.set(key, built);
  for (const oldest of terminalsByVariables.keys()) {
    if (terminalsByVariables.size <= MAX_KEPT_POLICIES) break;
    terminalsByVariables.delete(oldest);
  }
  return built;
}

function createTerminal(policy: TerminalPolicy): ConfiguredTerminal {
  engine ??= new Engine();
  const redactor = new Redactor({
    substrings: policy.redactSubstrings,
    patterns: policy.redactPatterns,
  });
  const headBytes = Math.floor(policy.outputCapBytes * HEAD_SHARE);
  const terminal = new Terminal(
    {
      allow: policy.allowedCommands,
      ...(policy.denyCommands.length === 0 ? {} : { deny: policy.denyCommands }),
      trustInterpreters: policy.trustedInterpreters,
      ...(policy.sandboxCwd === undefined ? {} : { roots: [policy.sandboxCwd] }),
      timeoutMs: Math.max(1, Math.round(policy.timeoutSeconds * 1_000)),
      // The answer has no place for the path of a spill file.
      output: {
        headBytes,
        tailBytes: policy.outputCapBytes - headBytes,
        maxChars: outputChars(policy.functionOutputMaxChars),
        spillBytes: 0,
      },
      redactor,
    },
    { engine },
  );
  return { policy, redactor, terminal };
}
