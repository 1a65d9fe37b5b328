import { homedir, tmpdir, userInfo } from 'node:os';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The host's own environment. Everything that needs a variable of the host gets it from here,
 * so that no other folder reads `process.env`.
 */
export function hostEnvironment(): Environment {
  return process.env;
}

/** The host's folder for temporary files, which an environment variable may set. */
export function hostTemporaryFolder(): string {
  return tmpdir();
}

/** The home folder of the host's user, which an environment variable may set. Undefined when there is none. */
export function hostHome(): string | undefined {
  const home = homedir();
  return home.startsWith('/') ? home : undefined;
}

/** The home folder that the system's list of users has for the host's user. Undefined when there is none. */
export function hostLoginHome(): string | undefined {
  try {
    const home = userInfo().homedir;
    return home.startsWith('/') ? home : undefined;
  } catch (error) {
    // A user without an entry in the list, as in many containers.
    if ((error as NodeJS.ErrnoException).code === 'ERR_SYSTEM_ERROR') return undefined;
    throw error;
  }
}
