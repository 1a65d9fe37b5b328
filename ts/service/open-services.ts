import { HandrailError } from '../errors.js';
import type { Service, Services } from './service.js';

/** The services of a host; without the engine that owns their processes there are none. */
export function openServices(): Services {
  return {
    start(): Promise<Service> {
      return Promise.reject(
        new HandrailError('ERR_NOT_SUPPORTED', 'This release cannot run services yet', { data: { name: 'services' } }),
      );
    },
  };
}
