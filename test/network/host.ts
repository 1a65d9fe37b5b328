/** What stands for the Internet in these tests: a proxy of the machine, behind which a few names have servers. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';

/** The kinds of files that are texts. */
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.json': 'application/json' };

/** The names that lead somewhere. Every other name does too: what is not refused is seen. */
export interface Internet extends AsyncDisposable {
  /** The URL of the machine's proxy. */
  readonly proxy: string;
  /** What the proxy was asked for: `host:port` of each tunnel and request. */
  readonly asked: string[];
  /** The certificate of the servers, which is its own authority, for every name of `example.com`. */
  readonly certificate: string;
}

/**
 * Starts it.
 *
 * @param files A folder that every server shows. In text, `{HOST}` stands for the server that was asked.
 * @param folder A folder for the key of the servers.
 * @param others Ports of this machine that tunnels to other ports lead to, by `:port`.
 */
export async function internet(
  files: string,
  folder: string,
  others: Readonly<Record<string, number>> = {},
): Promise<Internet> {
  const asked: string[] = [];
  const show: http.RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://any.example');
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    try {
      const content = readFileSync(path.join(files, path.normalize(decodeURIComponent(name))));
      const type = TYPES[path.extname(name)];
      if (type !== undefined) response.setHeader('content-type', type);
      const text = () => content.toString('utf8').replaceAll('{HOST}', request.headers.host ?? '');
      response.end(type === undefined ? content : text());
    } catch {
      response.writeHead(404).end();
    }
  };
  const plain = http.createServer(show);
  const pair = certificate(folder);
  const secure = https.createServer(pair, show);
  const [plainPort, securePort] = [await listen(plain), await listen(secure)];
  const proxy = http.createServer((request, response) => {
    const url = new URL(request.url ?? '');
    asked.push(`${url.hostname}:${url.port === '' ? 80 : url.port}`);
    const own = { port: plainPort, path: url.pathname + url.search, method: request.method, headers: request.headers };
    request.pipe(
      http.request(own, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  proxy.on('connect', ({ url }, client) => {
    asked.push(url ?? '');
    const other = others[/:\d+$/.exec(url ?? '')?.[0] ?? ''];
    const server = net.connect(other ?? (url?.endsWith(':443') ? securePort : plainPort), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.pipe(client).pipe(server);
    });
    const end = () => {
      server.destroy();
      client.destroy();
    };
    server.on('error', end);
    client.on('error', end);
  });
  const proxyPort = await listen(proxy);
  return {
    proxy: `http://127.0.0.1:${proxyPort}`,
    asked,
    certificate: pair.cert.toString('utf8'),
    async [Symbol.asyncDispose]() {
      await Promise.all([plain, secure, proxy].map(close));
    },
  };
}

/** A server of lines on this machine's loopback: it answers each connection with one line. */
export async function greeter(line: string): Promise<{ port: number } & AsyncDisposable> {
  const server = net.createServer((client) => {
    client.on('error', () => client.destroy());
    client.once('data', () => client.end(line));
  });
  return { port: await listen(server), [Symbol.asyncDispose]: () => close(server) };
}

/** A key of its own for each run of the tests. */
function certificate(folder: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string];
  const names = ['-addext', 'subjectAltName=DNS:*.example.com,DNS:*.b.example.org'];
  const subject = ['-subj', '/CN=example.com', ...names, '-days', '1', '-nodes'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

/** Makes a repository of git with one commit, as servers show it. */
export function writeRepository(repository: string): void {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-C', repository, ...args], {
      input: '',
      encoding: 'utf8',
    }).trim();
  execFileSync('git', ['init', '-q', '--bare', repository]);
  const tree = git('hash-object', '-t', 'tree', '-w', '--stdin');
  git('update-ref', 'HEAD', git('commit-tree', '-m', 'first', tree));
  git('update-server-info');
}

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: net.Server): Promise<void> {
  if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
