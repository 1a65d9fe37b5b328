import { Redactor } from '../redaction/redactor.js';
import { Engine } from '../terminal/engine.js';
import { Terminal } from '../terminal/terminal.js';
import { loadTerminalPolicyFromEnv, type TerminalPolicy, terminalPolicyKey } from './terminal-policy.js';
import { outputChars } from './terminal-text.js';

/** A policy read from the environment, with the terminal that follows it. */
export interface ConfiguredTerminal {
  readonly policy: TerminalPolicy;
  readonly redactor: Redactor;
  readonly terminal: Terminal;
}

/** Policies kept; a process that changes its variables more often compiles again. */
const MAX_KEPT_POLICIES = 16;

/** Of the bytes that are kept, the part from the beginning. */
const HEAD_SHARE = 0.3;

/**
 * The one piece of module state: functions configured by the environment have no object to keep
 * an engine in. It is built with the first call and ends with the process.
 */
let engine: Engine | undefined;

/** Oldest first. The keys are the variables' values. */
const configured = new Map<string, ConfiguredTerminal>();

/**
 * The terminal for the environment as it is now.
 *
 * @throws HandrailError `ERR_INVALID_CONFIG` for a bad variable, and what building an engine throws.
 */
export function terminalFromEnvironment(): ConfiguredTerminal {
  const key = terminalPolicyKey();
  const known = configured.get(key);
  if (known !== undefined) return known;

  const built = configure(loadTerminalPolicyFromEnv());
  configured.set(key, built);
  for (const oldest of configured.keys()) {
    if (configured.size <= MAX_KEPT_POLICIES) break;
    configured.delete(oldest);
  }
  return built;
}

function configure(policy: TerminalPolicy): ConfiguredTerminal {
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
      // Nothing in the answer could point at a spill file.
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
