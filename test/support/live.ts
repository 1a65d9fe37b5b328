/** Sessions and services for the tests of one file, on engines that are closed after each. */
import { afterEach } from 'vitest';
import { Launcher } from '../../ts/live/launcher.js';
import { LaunchedServices, type Service, type ServiceOptions } from '../../ts/service/service.js';
import type { SessionOptions } from '../../ts/session/options.js';
import type { Session } from '../../ts/session/session.js';
import { Sessions } from '../../ts/session/sessions.js';
import { Engine, type EngineOptions } from '../../ts/terminal/engine.js';
import { checkTerminalOptions } from '../../ts/terminal/options.js';
import { Runner } from '../../ts/terminal/runner.js';

export const PROMPT = '__PROMPT__ ';

/** An engine with its sessions and services. */
export interface LiveHost {
  readonly engine: Engine;
  readonly sessions: Sessions;
  readonly services: LaunchedServices;
}

/** Functions that create hosts, sessions and services. */
export function live() {
  const engines: Engine[] = [];

  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
  });

  function host(options: EngineOptions = {}): LiveHost {
    const engine = new Engine(options);
    engines.push(engine);
    const launcher = Launcher.of(new Runner(checkTerminalOptions({}), { engine }));
    return { engine, sessions: new Sessions(launcher), services: new LaunchedServices(launcher) };
  }

  /** A bash that has shown its first prompt. */
  async function bash(options: SessionOptions = {}, { sessions } = host()): Promise<Session> {
    const env = { set: { PS1: PROMPT } };
    const session = await sessions.open('bash --norc --noprofile', { readyMarkers: [PROMPT], env, ...options });
    await session.read();
    return session;
  }

  /** A service, with a function that gives its output so far. */
  async function service(
    command: string,
    args: readonly string[] = [],
    options: Partial<ServiceOptions> = {},
    { services } = host(),
  ): Promise<{ service: Service; output: () => Buffer }> {
    const pieces: Uint8Array[] = [];
    const onOutput = (bytes: Uint8Array) => void pieces.push(bytes);
    const started = await services.start({ command, args, onOutput, ...options });
    return { service: started, output: () => Buffer.concat(pieces) };
  }

  return { host, bash, service };
}
