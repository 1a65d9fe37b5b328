/** Ways of a command to reach the socket of an offer to attach, or the token. Each is a program for Python. */

/** One way. `S` is the path of the socket, `T` the token, `I` the id, `H` the host's process, `C` that of a person's client, `W` a root. */
export interface AttachWay {
  readonly id: string;
  /** Whether it has to find the token: it is not told. */
  readonly findsToken?: true;
  /** Whether it listens in place of the host, for a client to come. */
  readonly listens?: true;
  /** Whether it reaches into other processes, which only a plan keeps commands from. */
  readonly needsPlan?: true;
  readonly code: string;
}

/** What every way begins with: `talk` shows the token over a connected socket, and prints what comes. */
export const PRELUDE = `
import array, ctypes, glob, json, os, signal, socket, struct, subprocess, sys, time
S, T, I, H, C, W = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6]
libc = ctypes.CDLL(None, use_errno=True)
def made():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(1)
    return s
def connected(path):
    s = made()
    s.connect(path)
    return s
def talk(s):
    s.settimeout(1)
    s.sendall((json.dumps({'token': T}) + '\\n').encode())
    print(s.recv(300))
def tried(work):
    try:
        work()
    except Exception as error:
        print(error)
PIDFD_OPEN, PIDFD_GETFD = 434, 438
`;

const DAEMON = `
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        WORK
    os._exit(0)
`;

export const WAYS: readonly AttachWay[] = [
  { id: 'by its path', code: 'talk(connected(S))' },
  { id: 'by a relative path', code: 'os.chdir(os.path.dirname(S)); talk(connected(os.path.basename(S)))' },
  { id: 'by a symbolic link in the root', code: "os.symlink(S, W + '/sym-' + I); talk(connected(W + '/sym-' + I))" },
  { id: 'by a hard link in the root', code: "os.link(S, W + '/hard-' + I); talk(connected(W + '/hard-' + I))" },
  { id: 'through its own root in /proc', code: "talk(connected('/proc/self/root' + S))" },
  { id: "through the host's root in /proc", needsPlan: true, code: "talk(connected(f'/proc/{H}/root' + S))" },
  {
    id: "through the host's descriptors in /proc",
    needsPlan: true,
    code: "[tried(lambda: talk(connected(f))) for f in glob.glob(f'/proc/{H}/fd/*')]",
  },
  {
    id: 'by abstract names',
    code: "[tried(lambda: talk(connected('\\0' + name))) for name in (S, I, 'handrail', 'handrail-attach', os.path.dirname(S))]",
  },
  {
    id: 'over inherited descriptors',
    needsPlan: true,
    code: 'for fd in range(3, 128):\n    tried(lambda: talk(socket.socket(fileno=fd)))',
  },
  {
    id: "with the host's descriptors, by pidfd_getfd",
    needsPlan: true,
    code: `
host = libc.syscall(PIDFD_OPEN, H, 0)
for number in range(3, 64):
    fd = libc.syscall(PIDFD_GETFD, host, number, 0)
    if fd >= 0:
        tried(lambda: talk(socket.socket(fileno=fd)))`,
  },
  {
    id: "with the client's descriptors, by pidfd_getfd",
    needsPlan: true,
    findsToken: true,
    code: `
fd = libc.syscall(PIDFD_GETFD, libc.syscall(PIDFD_OPEN, C, 0), 1, 0)
print('reached the client' if fd >= 0 else 'no')`,
  },
  {
    id: 'by tracing the client',
    needsPlan: true,
    findsToken: true,
    code: "print('reached the client' if libc.ptrace(16, C, 0, 0) == 0 else 'no')",
  },
  { id: 'as a daemon', code: DAEMON.replace('WORK', 'tried(lambda: talk(connected(S)))') },
  {
    id: 'as a daemon that waits until the call is over',
    code: DAEMON.replace('WORK', 'time.sleep(0.4); tried(lambda: talk(connected(S)))'),
  },
  {
    id: 'over a socket that a helper has connected and passed on',
    code: `
near, far = socket.socketpair()
near.settimeout(2)
if os.fork() == 0:
    c = connected(S)
    socket.send_fds(far, [b'x'], [c.fileno()])
    time.sleep(1)
    os._exit(0)
talk(socket.socket(fileno=socket.recv_fds(near, 1, 1)[1][0]))`,
  },
  {
    id: 'over a socket whose process has ended',
    code: `
near, far = socket.socketpair()
near.settimeout(2)
child = os.fork()
if child == 0:
    c = connected(S)
    socket.send_fds(far, [b'x'], [c.fileno()])
    os._exit(0)
taken = socket.recv_fds(near, 1, 1)[1][0]
os.waitpid(child, 0)
talk(socket.socket(fileno=taken))`,
  },
  {
    id: 'as another program after it has connected',
    code: `
s = connected(S)
s.sendall((json.dumps({'token': T}) + '\\n').encode())
os.set_inheritable(s.fileno(), True)
os.execvp('cat', ['cat', f'/dev/fd/{s.fileno()}'])`,
  },
  {
    id: 'with the credentials of the host',
    code: `
s = connected(S)
s.setsockopt(socket.SOL_SOCKET, 16, 1)
s.sendmsg([(json.dumps({'token': T}) + '\\n').encode()], [(socket.SOL_SOCKET, 2, struct.pack('iII', H, os.getuid(), os.getgid()))])
print(s.recv(300))`,
  },
  { id: 'under another name', code: "libc.prctl(15, b'bash', 0, 0, 0); talk(connected(S))" },
  {
    id: 'in a user and process namespace of its own',
    code: `
r = subprocess.run(['unshare', '-Urpf', sys.executable, '-c', open('/proc/self/cmdline').read().split('\\0')[2].split('#WAY')[0] + '\\ntalk(connected(S))'] + sys.argv[1:], capture_output=True)
print(r.stdout, r.stderr)`,
  },
  {
    id: 'by a bind mount in a namespace of its own',
    code: `
os.mkdir(W + '/bind-' + I)
r = subprocess.run(['unshare', '-Urm', 'sh', '-c', f'mount --bind {os.path.dirname(S)} {W}/bind-{I} && exec "$@"', 'sh', sys.executable, '-c', open('/proc/self/cmdline').read().split('\\0')[2].split('#WAY')[0] + f'\\ntalk(connected("{W}/bind-{I}/{I}"))'] + sys.argv[1:], capture_output=True)
print(r.stdout, r.stderr)`,
  },
  {
    id: 'after its folder was opened to everybody',
    code: 'tried(lambda: (os.chmod(os.path.dirname(S), 0o777), os.chmod(S, 0o777))); talk(connected(S))',
  },
  {
    id: 'in place of the host, for a client to come',
    listens: true,
    code: `
os.unlink(S)
s = socket.socket(socket.AF_UNIX)
s.bind(S)
s.listen()
s.settimeout(3)
print('listening', flush=True)
c = s.accept()[0]
c.settimeout(1)
print(c.recv(300))`,
  },
  {
    id: 'in the environment and the arguments of all processes',
    needsPlan: true,
    findsToken: true,
    code: "[tried(lambda: print(open(f, 'rb').read())) for f in glob.glob('/proc/*/environ') + glob.glob('/proc/*/cmdline')]",
  },
  {
    id: 'in the memory of the host',
    needsPlan: true,
    findsToken: true,
    code: `
for line in open(f'/proc/{H}/maps'):
    low, high = (int(part, 16) for part in line.split()[0].split('-'))
    if 'rw' in line:
        def show():
            with open(f'/proc/{H}/mem', 'rb') as memory:
                memory.seek(low)
                held = memory.read(min(high - low, 1 << 26))
            at = held.find(b'token-of-the-offer=')
            if at >= 0: print(held[at:at + 64])
        tried(show)`,
  },
  {
    id: 'in the audit file and its own root',
    findsToken: true,
    code: "[tried(lambda: print(open(f, 'rb').read(100000))) for f in glob.glob(W + '/**', recursive=True) + glob.glob(os.path.dirname(W) + '/*')]",
  },
  {
    // The last one: nothing may be left of the engine.
    id: 'after its supervisor was killed',
    needsPlan: true,
    code: `
if os.fork() == 0:
    os.setsid()
    parent = os.getppid()
    for _ in range(3):
        above = int(open(f'/proc/{parent}/stat').read().rsplit(')', 1)[1].split()[1])
        if above in (0, 1, H):
            break
        parent = above
    tried(lambda: os.kill(parent, signal.SIGKILL))
    talk(connected(S))
time.sleep(0.5)`,
  },
];
