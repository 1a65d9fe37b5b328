/** Sockets of a host that no command may reach, and what they got. */
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface HostSockets {
  /** Placeholders of the rows. */
  readonly places: Readonly<Record<string, string>>;
  /** Whether anything holds this text of all that was sent before. */
  got(token: string): Promise<boolean>;
  close(): Promise<void>;
}

/** How the compiled program `reach` sends to each place. */
const WAYS = {
  TCP: 'tcp',
  UDP: 'udp',
  STREAM: 'stream',
  DATAGRAM: 'datagram',
  ABSTRACT_STREAM: 'stream',
  ABSTRACT_DATAGRAM: 'datagram',
} as const;
const PAUSE_MS = 5;

type Place = keyof typeof WAYS;

/** Opens one of each kind. `programs` holds the compiled ones. */
export async function openSockets(programs: string): Promise<HostSockets> {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-attack-sockets-'));
  const place = (name: string): string => path.join(folder, name);
  const abstract = (name: string): string => `@handrail-attack-${process.pid}-${name}`;
  let text = '';
  const take = (bytes: Buffer): void => {
    text += bytes.toString('latin1');
  };
  const server = await listening(take);
  const packets = createSocket('udp4').on('message', take);
  await new Promise<void>((resolve) => {
    packets.bind(0, '127.0.0.1', resolve);
  });
  const local = {
    STREAM: ['stream', place('stream')],
    DATAGRAM: ['datagram', place('datagram')],
    ABSTRACT_STREAM: ['stream', abstract('stream')],
    ABSTRACT_DATAGRAM: ['datagram', abstract('datagram')],
  } as const;
  const receiver = spawn(
    path.join(programs, 'receive'),
    Object.values(local).map(([type, name]) => `${type}:${name}`),
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  receiver.stdout.on('data', take);
  await new Promise((resolve) => {
    receiver.stdout.once('data', resolve);
  });
  const places: Readonly<Record<Place, string>> = {
    TCP: String(portOf(server)),
    UDP: String(packets.address().port),
    STREAM: local.STREAM[1],
    DATAGRAM: local.DATAGRAM[1],
    ABSTRACT_STREAM: local.ABSTRACT_STREAM[1],
    ABSTRACT_DATAGRAM: local.ABSTRACT_DATAGRAM[1],
  };
  let count = 0;
  /** Sends something of its own to every socket and waits for it: what was sent before is there then. */
  const settle = async (): Promise<void> => {
    for (const [place, way] of Object.entries(WAYS) as [Place, string][]) {
      count += 1;
      const fence = `fence-${process.pid}-${count};`;
      execFileSync(path.join(programs, 'reach'), [way, places[place], fence], { stdio: 'ignore' });
      while (!text.includes(fence)) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  return {
    places,
    async got(token) {
      if (!text.includes(token)) await settle();
      return text.includes(token);
    },
    async close() {
      receiver.kill('SIGKILL');
      packets.close();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listening(take: (bytes: Buffer) => void): Promise<net.Server> {
  const server = net.createServer((socket) => {
    socket.on('data', take).on('error', () => undefined);
    socket.on('end', () => socket.destroy());
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

function portOf(server: net.Server): number {
  const at = server.address();
  return typeof at === 'object' && at !== null ? at.port : 0;
}
