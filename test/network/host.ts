/** What stands for the Internet in these tests: a proxy of the machine, behind which a few names have servers. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';

/** The names that lead somewhere. Every other name does too: what is not refused is seen. */
export interface Internet extends AsyncDisposable {
  /** The URL of the machine's proxy. */
  readonly proxy: string;
  /** What the proxy was asked for: `host:port` of each tunnel and request. */
  readonly asked: string[];
}

/**
 * Starts it.
 *
 * @param files A folder that every server shows.
 * @param folder A folder for the key of the servers.
 */
export async function internet(files: string, folder: string): Promise<Internet> {
  const asked: string[] = [];
  const show: http.RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://any.example');
    try {
      response.end(readFileSync(path.join(files, path.normalize(decodeURIComponent(pathname)))));
    } catch {
      response.writeHead(404).end();
    }
  };
  const plain = http.createServer(show);
  const secure = https.createServer(certificate(folder), show);
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
    const server = net.connect(url?.endsWith(':443') ? securePort : plainPort, '127.0.0.1', () => {
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
  const subject = ['-subj', '/CN=packages.example.com', '-days', '1', '-nodes'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
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
