import type { Environment } from '../config/host-environment.js';
import type { RegistryHost } from '../config/registries.js';
import type { NativeConfine, NativeContact, NativeWayOut } from '../native/binding.js';
import { type NetworkAllowList, type NetworkOption, REGISTRIES_ENTRY } from './confine.js';
import type { HostVariables } from './environment.js';
import { HOST_ANSWER_MS } from './limits.js';

/** The port of the way out, at 127.0.0.1 in the network of commands. No port that the kernel hands out by itself. */
const PROXY_PORT = 61080;
const PROXY_HOST = '127.0.0.1';
const PROXY = `http://${PROXY_HOST}:${PROXY_PORT}`;
/** What programs reach without the way out: servers of commands, and the listeners of entries such as `localhost:5432`. */
const DIRECT_HOSTS = ['localhost', '127.0.0.1', '::1'];

/** The variables that tell programs where the way out is. A program that ignores them reaches nothing. */
const VARIABLES: HostVariables = Object.entries({
  HTTP_PROXY: PROXY,
  http_proxy: PROXY,
  HTTPS_PROXY: PROXY,
  https_proxy: PROXY,
  // Not `socks5h://`, which is spoken as well: clients without a library for SOCKS fail where a variable names it.
  ALL_PROXY: PROXY,
  all_proxy: PROXY,
  NO_PROXY: DIRECT_HOSTS.join(','),
  no_proxy: DIRECT_HOSTS.join(','),
  npm_config_proxy: PROXY,
  npm_config_https_proxy: PROXY,
  npm_config_noproxy: DIRECT_HOSTS.join(','),
  YARN_HTTP_PROXY: PROXY,
  YARN_HTTPS_PROXY: PROXY,
  PIP_PROXY: PROXY,
  CARGO_HTTP_PROXY: PROXY,
  NODE_USE_ENV_PROXY: '1',
  JAVA_TOOL_OPTIONS: [
    ...['http', 'https'].flatMap((scheme) => [
      `-D${scheme}.proxyHost=${PROXY_HOST}`,
      `-D${scheme}.proxyPort=${PROXY_PORT}`,
    ]),
    `-Dhttp.nonProxyHosts=${DIRECT_HOSTS.join('|')}`,
  ].join(' '),
});

/** A host that programs asked for, and what became of that. */
export interface HostContact extends NativeContact {
  /** The words of the allow list that an entry for the host has to stand beside, so that they go on to hold. */
  readonly keeping?: readonly string[];
}

/** The contact with its texts masked. */
export function maskedContact(contact: HostContact, mask: (text: string) => string): HostContact {
  const { host, message, entry } = contact;
  return {
    ...contact,
    ...(host === undefined ? {} : { host: mask(host) }),
    ...(message === undefined ? {} : { message: mask(message) }),
    ...(entry === undefined ? {} : { entry: mask(entry) }),
  };
}

/** Whether commands reach a list of hosts. */
export function isAllowList(network: NetworkOption | undefined): network is NetworkAllowList {
  return typeof network === 'object';
}

/** Whether commands reach hosts through a proxy, because a list or somebody who is asked allows them. */
export function hasWayOut(network: NetworkOption | undefined): network is NetworkAllowList | 'ask' {
  return isAllowList(network) || network === 'ask';
}

/** The entries of the list as the host wrote them. */
export function entriesOf({ allow }: NetworkAllowList): readonly string[] {
  return typeof allow === 'string' ? [allow] : allow;
}

/** Whether commands reach the hosts of package registries because a list says so. */
export function namesRegistries(network: NetworkOption | undefined): network is NetworkAllowList {
  return isAllowList(network) && entriesOf(network).includes(REGISTRIES_ENTRY);
}

/** The variables for programs of this network. */
export function wayOutVariables(network: NetworkOption | undefined): HostVariables {
  return hasWayOut(network) ? VARIABLES : [];
}

/** The way out in the form that the binding takes. */
export function nativeWayOut(
  network: NetworkAllowList | 'ask',
  registries: readonly RegistryHost[],
  host: Environment,
): NativeWayOut {
  const entries = (isOwn: boolean): string[] =>
    registries.flatMap((registry) => (registry.isOwn === isOwn ? [registry.entry] : []));
  return {
    allow: network === 'ask' ? [] : [...entriesOf(network)],
    ...(network === 'ask' ? { answerMs: HOST_ANSWER_MS } : {}),
    registries: entries(false),
    ownRegistries: entries(true),
    proxyPort: PROXY_PORT,
    ...hostProxies(host),
    noProxy: host['no_proxy'] ?? host['NO_PROXY'] ?? '',
  };
}

/** The proxies that the host itself uses; empty for none. */
export function hostProxies(host: Environment): { readonly httpsProxy: string; readonly httpProxy: string } {
  return {
    httpsProxy: host['https_proxy'] ?? host['HTTPS_PROXY'] ?? '',
    httpProxy: host['http_proxy'] ?? host['HTTP_PROXY'] ?? '',
  };
}

/** The network in the form that the binding takes. */
export function nativeNetwork(network: NetworkOption): NonNullable<NativeConfine['network']> {
  return hasWayOut(network) ? 'allow' : network;
}

/** Whether two options name the same network. */
export function isSameNetwork(one: NetworkOption | undefined, other: NetworkOption | undefined): boolean {
  if (!isAllowList(one) || !isAllowList(other)) return one === other;
  const [entries, others] = [entriesOf(one), entriesOf(other)];
  return entries.length === others.length && entries.every((host, index) => host === others[index]);
}
