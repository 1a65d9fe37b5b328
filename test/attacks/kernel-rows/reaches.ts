import { type KernelAttack, rows } from '../kernel-attack.js';

const reach = rows({ confine: { network: 'none' }, effect: 'reached' });

const IN = { effect: 'said', anywhere: true } as const;
const LISTENER = 'import multiprocessing.connection as c; c.Listener(family="AF_UNIX"); print("done")';

/** Sockets of the host, and of commands where others find them. */
export const REACH_ATTACKS: readonly KernelAttack[] = [
  reach('tcp', 'connect', ['reach', 'tcp', '{TCP}', '{TOKEN}']),
  reach('tcp-bash', 'the paths of bash', ['bash', '-c', 'echo {TOKEN} >/dev/tcp/127.0.0.1/{TCP}']),
  reach('mptcp', 'a connection of several paths', ['reach', 'mptcp', '{TCP}', '{TOKEN}']),
  reach('fast-open', 'data with the first packet, without connect', ['reach', 'fast-open', '{TCP}', '{TOKEN}']),
  reach('udp', 'a packet', ['reach', 'udp', '{UDP}', '{TOKEN}']),
  reach('udp-connected', 'a packet after connect', ['reach', 'udp-connected', '{UDP}', '{TOKEN}']),
  reach('udp-bash', 'the paths of bash', ['bash', '-c', 'echo {TOKEN} >/dev/udp/127.0.0.1/{UDP}']),
  reach('dns', 'a question for a name', ['reach', 'dns', '{UDP}', '{TOKEN}']),
  reach('listening', 'a port of its own', ['reach', 'listen', '0', '{TOKEN}'], IN),
  reach(
    'listening-local',
    'a socket that others find in the workspace',
    ['reach', 'listen-local', 'here', '{TOKEN}'],
    IN,
  ),
  reach(
    'listening-short',
    'one whose name is as long as an address of netlink',
    ['reach', 'listen-short', 'here', '-'],
    IN,
  ),
  reach('listening-abstract', 'one without a path', ['reach', 'listen-local', '@handrail-{TOKEN}', '-'], IN),
  reach('listening-python', 'what workers of Python connect to', ['python3', '-c', LISTENER], IN),
  reach('unix-stream', 'a socket of the host by its path', ['reach', 'stream', '{STREAM}', '{TOKEN}']),
  reach('unix-datagram', 'the same with packets', ['reach', 'datagram', '{DATAGRAM}', '{TOKEN}']),
  reach('unix-message', 'the same with sendmsg and a name', ['reach', 'message', '{DATAGRAM}', '{TOKEN}']),
  reach('abstract-stream', 'a socket without a path', ['reach', 'stream', '{ABSTRACT_STREAM}', '{TOKEN}']),
  reach('abstract-datagram', 'the same with packets', ['reach', 'datagram', '{ABSTRACT_DATAGRAM}', '{TOKEN}']),
  reach('abstract-message', 'the same with sendmsg and a name', ['reach', 'message', '{ABSTRACT_DATAGRAM}', '{TOKEN}']),
  reach('int80', 'the calls of 32-bit programs', ['reach', 'int80', '{TCP}', '{TOKEN}']),
  reach('x32', 'the calls of x32', ['reach', 'x32', '{TCP}', '{TOKEN}']),
  reach('io_uring', 'calls through a ring', ['reach', 'io_uring', '{TCP}', '{TOKEN}']),
  reach('curl', 'an ordinary client', ['curl', '-sm2', 'telnet://127.0.0.1:{TCP}'], { input: '{TOKEN}\n' }),
  reach('python-socket', 'an ordinary interpreter', [
    'python3',
    '-c',
    'import socket; socket.create_connection(("127.0.0.1", {TCP})).sendall(b"{TOKEN}")',
  ]),
];

/** Places that a network namespace holds. Sockets in folders are none of them. */
const HELD_BY_NAMESPACE = /\{(?:TCP|UDP|ABSTRACT_STREAM|ABSTRACT_DATAGRAM)\}/;

/** The same attacks on sockets of the host by commands with a loopback of their own; without namespaces they have none. */
export const LOOPBACK_ATTACKS: readonly KernelAttack[] = REACH_ATTACKS.filter(
  ({ effect, command }) => effect === 'reached' && command.some((word) => HELD_BY_NAMESPACE.test(word)),
).map((row) => ({ ...row, id: `loopback-${row.id}`, confine: { network: 'loopback' }, anywhere: true }));
