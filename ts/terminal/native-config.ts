import { hostEnvironment, hostHome, hostLoginHome } from '../config/host-environment.js';
import type { RegistryHost } from '../config/registries.js';
import type { NativeConfine, NativeRedactor, NativeRunnerConfig, NativeSearchFolder } from '../native/binding.js';
import type { CheckedConfine, ConfineOptions } from './confine.js';
import type { ChildEnvironment } from './environment.js';
import { nativeLimits } from './limit-options.js';
import type { CheckedTerminalOptions } from './options.js';
import { nativeRule } from './rule.js';
import { hasWayOut, nativeNetwork, nativeWayOut } from './way-out.js';

/** The protected places, which scripts may not write to even beneath a root. */
export interface ProtectedPlaces {
  /** Whether the built-in list of protected places applies. */
  readonly writeRules: boolean;
  /** Ids of rules of that list that do not apply. */
  readonly lifted: readonly string[];
  /** Further protected places, absolute. */
  readonly protectedPaths: readonly string[];
}

const BUILT_IN_PLACES: ProtectedPlaces = { writeRules: true, lifted: [], protectedPaths: [] };

/** The configuration of a terminal in the form that the binding takes. */
export function nativeRunnerConfig(
  options: CheckedTerminalOptions,
  cwd: string,
  path: readonly NativeSearchFolder[],
  hooks: readonly string[],
  environment: ChildEnvironment,
  redactor: NativeRedactor,
  guards: ProtectedPlaces = BUILT_IN_PLACES,
  judging = true,
  confines = true,
  registries: readonly RegistryHost[] = [],
): NativeRunnerConfig {
  const { output } = options;
  const [home, loginHome] = [hostHome(), hostLoginHome()];
  const { network } = options.confine;
  return {
    ...(options.allow === undefined
      ? {}
      : { allow: [...options.allow.map(nativeRule), ...hooks.map((program) => ({ program }))] }),
    ...(options.deny === undefined ? {} : { deny: options.deny.map(nativeRule) }),
    ...(options.ask === undefined ? {} : { ask: options.ask.map(nativeRule) }),
    trustInterpreters: [...options.trustInterpreters],
    confine: nativeConfine(options.confine),
    ...(confines && hasWayOut(network) ? { wayOut: nativeWayOut(network, registries, hostEnvironment()) } : {}),
    judging,
    shell: options.shell,
    path: [...path],
    hooks: [...hooks],
    ...(home === undefined ? {} : { home }),
    ...(loginHome === undefined ? {} : { loginHome }),
    writeRules: guards.writeRules,
    lifted: [...guards.lifted],
    protectedPaths: [...guards.protectedPaths],
    cwd,
    env: environment.variables.map((variable) => ({ ...variable })),
    gitEnv: environment.git.map((variable) => ({ ...variable })),
    privateHome: environment.privateHome,
    graceMs: options.graceMs,
    headBytes: output.headBytes,
    tailBytes: output.tailBytes,
    ...(output.maxChars === undefined ? {} : { maxChars: output.maxChars }),
    spillBytes: output.spillBytes,
    excerptTokens: output.excerptTokens,
    redactor,
  };
}

/** A `confine` in the form that the binding takes. */
export function nativeConfine(confine: CheckedConfine | ConfineOptions): NativeConfine {
  const { writes, exec, network, remove, rewriters, reads, readable, unreadable, limits } = confine;
  return {
    ...(writes === undefined ? {} : { writes }),
    ...(exec === undefined ? {} : { exec }),
    ...(network === undefined ? {} : { network: nativeNetwork(network) }),
    ...(remove === undefined ? {} : { remove }),
    ...(rewriters === undefined ? {} : { rewriters: [...rewriters] }),
    ...(reads === undefined ? {} : { reads }),
    ...(readable === undefined ? {} : { readable: [...readable] }),
    ...(unreadable === undefined ? {} : { unreadable: [...unreadable] }),
    ...(limits === undefined ? {} : { limits: nativeLimits(limits) }),
  };
}
