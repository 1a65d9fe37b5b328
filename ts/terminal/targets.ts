import { readFileSync } from 'node:fs';

/** An address that a command or an error names. */
export interface Target {
  /** In lower case. */
  readonly host: string;
  readonly port: number;
}

/** The ports of addresses that name none. */
const SCHEME_PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ws: 80,
  wss: 443,
  ftp: 21,
  ssh: 22,
  telnet: 23,
  git: 9418,
  redis: 6379,
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  mongodb: 27017,
  amqp: 5672,
};
/** The ports of an entry that names none. */
const DEFAULT_PORTS: readonly number[] = [443, 80];

/** A URL: its scheme, host and port. */
const URL_TARGET = /\b([a-z][a-z0-9+.-]*):\/\/(?:[^\s'"/@]*@)?(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?/gi;
/** A host and a port: `localhost:5432`, `localhost 5432`, `localhost port 5432`, `"localhost" (127.0.0.1), port 5432`. */
const BARE_TARGET =
  /(?<![\w.:/@-])(localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\]|::1|[a-z][\w-]*(?:\.[\w-]+)+)(?::|[)"',]{0,3}\s+(?:port\s+)?)(\d{1,5})\b/gi;

/** The addresses in a text, each once, in its order. */
export function targetsIn(text: string): readonly Target[] {
  const ofUrls = [...text.matchAll(URL_TARGET)].map(([, scheme = '', host = '', port]) => ({
    host: host.toLowerCase(),
    port: Number(port ?? SCHEME_PORTS[scheme.toLowerCase()] ?? 0),
  }));
  const bare = [...text.replaceAll(URL_TARGET, ' ').matchAll(BARE_TARGET)].map(([, host = '', port]) => ({
    host: host.toLowerCase(),
    port: Number(port),
  }));
  const named = [...ofUrls, ...bare].filter(({ port }) => port > 0);
  return named.filter((one, index) => named.findIndex((other) => targetText(other) === targetText(one)) === index);
}

/** Whether an entry of a list of hosts names the address. */
export function namesTarget(entry: string, { host, port }: Target): boolean {
  const [, named = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  const isHost = named.startsWith('*.') ? host.endsWith(named.slice(1)) : host === named;
  return isHost && (only === undefined ? DEFAULT_PORTS.includes(port) : Number(only) === port);
}

/** The entry of a list of hosts that names the address. */
export function entryFor(target: Target): string {
  return isAddress(target) || !DEFAULT_PORTS.includes(target.port) ? targetText(target) : target.host;
}

export function targetText({ host, port }: Target): string {
  return `${host}:${port}`;
}

/** Whether programs that know no proxy reach it where an entry names it. */
export function isAddress({ host }: Target): boolean {
  return isLoopback({ host }) || host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host);
}

/** Whether it is the loopback of whoever asks. */
export function isLoopback({ host }: Pick<Target, 'host'>): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || host.startsWith('127.');
}

/** The tables of the kernel with the sockets of this machine's network. */
const SOCKET_TABLES: readonly string[] = ['/proc/net/tcp', '/proc/net/tcp6'];
/** The state of a socket that is listened at, as these tables have it. */
const LISTENING = '0A';

/** Whether something outside of the network of commands listens at this port of the machine. */
export function isListenedAt(port: number): boolean {
  return SOCKET_TABLES.some((table) => {
    const rows = tableRows(table);
    return rows.some(
      ([, local = '', , state]) => state === LISTENING && Number.parseInt(local.split(':')[1] ?? '', 16) === port,
    );
  });
}

function tableRows(table: string): string[][] {
  try {
    return readFileSync(table, 'utf8')
      .split('\n')
      .slice(1)
      .map((row) => row.trim().split(' '));
  } catch {
    return []; // A kernel without this protocol.
  }
}
