import { HandrailError } from '../errors.js';

/** The machine that native files are for. */
export interface Platform {
  /** `process.platform`. */
  readonly platform: string;
  /** `process.arch`. */
  readonly arch: string;
}

const ARCHITECTURES: readonly string[] = ['x64', 'arm64'];

/**
 * The names that the native files of this machine may have: operating system, processor and, on Linux, the C library, of which
 * there are two.
 *
 * @throws HandrailError `ERR_NOT_SUPPORTED` on a platform that Handrail is not published for.
 */
export function nativeTriples(host: Platform): readonly string[] {
  if (ARCHITECTURES.includes(host.arch)) {
    if (host.platform === 'linux') return [`linux-${host.arch}-gnu`, `linux-${host.arch}-musl`];
    if (host.platform === 'darwin') return [`darwin-${host.arch}`];
  }
  throw new HandrailError(
    'ERR_NOT_SUPPORTED',
    `Commands, sessions and files are not supported on this platform (${host.platform} ${host.arch}): they need Linux on ` +
      'x64 or arm64. Redaction, texts and `explain` work here.',
    { data: { platform: `${host.platform}-${host.arch}` } },
  );
}

/** The triple, of these, for the C library of this process. */
export function fittingTriple(triples: readonly string[]): string {
  const [only = ''] = triples;
  if (triples.length === 1) return only;
  const ending = cLibrary() === 'glibc' ? '-gnu' : '-musl';
  return triples.find((triple) => triple.endsWith(ending)) ?? only;
}

/**
 * The C library, from the report of the running process: no program is started and no file is read. It takes milliseconds, so
 * it is called only where the installed files are for both libraries.
 */
export function cLibrary(): 'glibc' | 'musl' {
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  const before = report.excludeNetwork;
  // Without this the report resolves the names of open connections, which can take seconds.
  report.excludeNetwork = true;
  try {
    const { header } = report.getReport() as unknown as {
      header: { glibcVersionRuntime?: string };
    };
    return header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  } finally {
    if (before !== undefined) report.excludeNetwork = before;
  }
}
