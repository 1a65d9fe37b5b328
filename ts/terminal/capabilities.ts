import type { RegistryHost } from '../config/registries.js';
import { HandrailError } from '../errors.js';
import type { NativeCapability } from '../native/binding.js';
import type { Guarantee } from './confine.js';

/** Something that Handrail needs from the machine, and whether the machine has it. */
export interface Capability {
  /** Short name, such as `kill`, `signals` or `environ`. */
  readonly feature: string;
  /** `enforced` by the kernel, done as well as possible, or not available. */
  readonly level: 'enforced' | 'best-effort' | 'unavailable';
  /** The means, or why there is none. */
  readonly detail: string;
  /** What an administrator could do about it. Absent when there is nothing to do. */
  readonly fix?: string;
}

/** What this machine can enforce on commands, as measured on it. */
export interface CapabilityReport {
  /** In a fixed order. */
  readonly features: readonly Capability[];
  /** Names of the host's variables that commands do not see, sorted. */
  readonly withheld: readonly string[];
  /** The hosts that `'registries'` stands for in `confine.network`. Empty where it does not name them. */
  readonly registries: readonly ReportedRegistry[];
}

/** A host that packages come from. */
export interface ReportedRegistry {
  /** The entry of the allow list: a host, with its port where that is neither 443 nor 80. */
  readonly entry: string;
  /**
   * What names it: `npm`, `pip`, `cargo` or `go`, which knows it by itself, a variable or a settings file. Several have
   * commas between them.
   */
  readonly from: string;
}

/** The report of the binding. An unknown level counts as unavailable. */
export function capabilityReport(
  native: readonly NativeCapability[],
  withheld: readonly string[],
  registries: readonly RegistryHost[],
): CapabilityReport {
  const features = native.map(({ feature, level, detail, fix }) => ({
    feature,
    level: level === 'enforced' || level === 'best-effort' ? level : 'unavailable',
    detail,
    ...(fix === undefined ? {} : { fix }),
  })) satisfies Capability[];
  return { features, withheld, registries: registries.map(({ entry, from }) => ({ entry, from })) };
}

/**
 * Throws for the first guarantee that is not enforced. A guarantee that the report lacks is not enforced.
 *
 * @throws HandrailError `ERR_GUARANTEE_UNAVAILABLE`.
 */
export function assertGuarantees(required: readonly Guarantee[], report: CapabilityReport): void {
  for (const guarantee of required) {
    const capability = report.features.find(({ feature }) => feature === guarantee);
    if (capability?.level === 'enforced') continue;
    const detail = capability === undefined ? 'not available in this release' : capability.detail;
    const fix = capability?.fix === undefined ? '' : `; ${capability.fix}`;
    throw new HandrailError(
      'ERR_GUARANTEE_UNAVAILABLE',
      `\`require\` names '${guarantee}', which is not enforced here: ${detail}${fix}`,
      { data: { guarantee } },
    );
  }
}
