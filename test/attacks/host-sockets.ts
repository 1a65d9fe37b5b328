/** Sockets of a host that no command may reach, and what they got. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface HostSockets {
  /** Placeholders of the rows. */
  readonly places: Readonly<Record<string, string>>;
  /** Whether anything that was got holds this text. */
  got(token: string): boolean;
  close(): Promise<void>;
}

/** Opens one of each kind. `receive` is the compiled program for Unix sockets. */
export async function openSockets(receive: string): Promise<HostSockets> {
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
    receive,
    Object.values(local).map(([type, name]) => `${type}:${name}`),
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  receiver.stdout.on('data', take);
  await new Promise((resolve) => {
    receiver.stdout.once('data', resolve);
  });
  return {
    places: {
      TCP: String(portOf(server)),
      UDP: String(packets.address().port),
      ...Object.fromEntries(Object.entries(local).map(([key, [, name]]) => [key, name])),
    },
    got: (token) => text.includes(token),
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
