import { hostEnvironment } from '../config/host-environment.js';
import { Redactor } from '../redaction/redactor.js';
import type { ReportedRegistry } from '../terminal/capabilities.js';
import { namedRegistries, type ProjectSettings } from '../terminal/reached-hosts.js';

/** The hosts of package registries as the settings name them now, for reading: secrets and controls masked. */
export function reportedRegistries(settings: ProjectSettings): readonly ReportedRegistry[] {
  const redactor = new Redactor();
  const shown = (text: string): string => redactor.redact(text).replace(/\p{C}/gu, '?');
  return namedRegistries(settings, hostEnvironment()).map(({ entry, from }) => ({
    entry: shown(entry),
    from: shown(from),
  }));
}
