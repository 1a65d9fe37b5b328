import { booleanOption, checkedOptions } from '../config/validate.js';

/** What spans of calls hold beside what they always do. */
export interface TelemetryOptions {
  /**
   * The arguments of each call, as JSON: secrets masked, then clipped to 4,096 Unicode characters. Default: false, as they may
   * hold what nobody has named a secret.
   */
  readonly arguments?: boolean | undefined;
}

/** Checks `telemetry`. The package is loaded when the toolkit is made. */
export function telemetryOption(value: unknown): TelemetryOptions | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return {};
  return checkedOptions(value, 'telemetry', {
    arguments: (given: unknown, name: string) => booleanOption(given, name, false),
  });
}
