import type { NativePlan } from '../native/binding.js';
import type { OptionAdvice } from '../report/advice.js';
import type { Blocked } from '../report/blocked.js';
import {
  entryFor,
  isAddress,
  isListenedAt,
  isLoopback,
  namesTarget,
  type Target,
  targetsIn,
  targetText,
} from './targets.js';
import type { HostContact } from './way-out.js';

/** What commands reach by the plan, and of a list of hosts its entries. */
export interface NetworkPlan extends Pick<NativePlan, 'network'> {
  /** The entries of the list, with those that words of it stand for. Absent: there is no list, or somebody is asked. */
  readonly hosts?: readonly string[] | undefined;
  /** The words of the list that an entry has to stand beside, so that they go on to hold. */
  readonly keeping?: readonly string[] | undefined;
}

/** What is told of one run at most. */
const MAX_NAMED_HOSTS = 3;

/** Texts that programs write when there is no network. */
const NETWORK_NOT_REACHED =
  /Address family not supported|\bEAFNOSUPPORT\b|(?:could not|couldn't|can't|cannot|failed to) (?:resolve|connect|reach)|name resolution|Name or service not known|Network is unreachable|\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b|getaddrinfo/i;
/** Of these the texts of errors that only a missing network gives. */
const NO_NETWORK =
  /Address family not supported|\bEAFNOSUPPORT\b|name resolution|Name or service not known|Network is unreachable|\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b|getaddrinfo/i;
/** What is written where somebody has answered. */
const ANSWERED = /Connection refused|ECONNREFUSED/i;
/** An address in such a line: a device of bash, the host of a URL, or a host name after a word such as `to` or `resolve`. */
const ADDRESS =
  /\/dev\/(?:tcp|udp)\/[^\s'":]+|[a-z][a-z0-9+.-]*:\/\/[^\s'"/]+|(?<=(?:host|to|resolve|getaddrinfo \w+|ENETUNREACH)[: ]+)[\w-]+(?:[.:][\w-]+)+/i;
/** The loopback in such a line. */
const LOOPBACK = /(?<![\w.-])(?:localhost|127(?:\.\d{1,3}){3}|::1)(?![\w.-])/i;

/**
 * Programs that are of no use without the network, each with the subcommands that need it; none where all uses do. They may
 * fail without a word about it, as `wget -q` does.
 */
const NETWORK_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  curl: [],
  wget: [],
  http: [],
  xh: [],
  aria2c: [],
  ssh: [],
  scp: [],
  sftp: [],
  ftp: [],
  nc: [],
  ncat: [],
  telnet: [],
  ping: [],
  dig: [],
  host: [],
  nslookup: [],
  git: ['clone', 'fetch', 'pull', 'push', 'ls-remote', 'submodule'],
  npm: ['install', 'i', 'ci', 'add', 'update', 'view', 'outdated', 'audit', 'publish'],
  pnpm: ['install', 'i', 'add', 'update', 'dlx', 'publish', 'outdated'],
  yarn: ['install', 'add', 'up', 'upgrade', 'dlx', 'publish'],
  bun: ['install', 'i', 'add', 'update'],
  pip: ['install', 'download', 'index'],
  pip3: ['install', 'download', 'index'],
  uv: ['sync', 'add', 'lock'],
  poetry: ['install', 'add', 'update', 'lock'],
  cargo: ['fetch', 'install', 'add', 'update', 'search', 'publish'],
  go: ['get', 'install', 'mod'],
  gem: ['install', 'update', 'push'],
  bundle: ['install', 'update'],
  apt: ['update', 'install', 'upgrade'],
  'apt-get': ['update', 'install', 'upgrade'],
  docker: ['pull', 'push', 'login'],
};

/** What separates the commands of a list. */
const COMMAND_SEPARATORS = /[;&|()\n]+/;
/** A variable that is set in front of a program. */
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Whether a command names a program that is of no use without the network. */
function needsNetwork(command: string | readonly string[]): boolean {
  const lists =
    typeof command === 'string' ? command.split(COMMAND_SEPARATORS).map((part) => part.split(/\s+/)) : [command];
  return lists.some((given) => {
    const [program = '', ...others] = given.filter((word) => word !== '' && !ASSIGNMENT.test(word));
    const uses = Object.hasOwn(NETWORK_PROGRAMS, program) ? NETWORK_PROGRAMS[program] : undefined;
    const use = others.find((word) => !word.startsWith('-'));
    return uses !== undefined && (uses.length === 0 || (use !== undefined && uses.includes(use)));
  });
}

/** Whether a command can do nothing under this plan, because it needs a network or a host that the plan does not have. */
export function isUnreached(command: string | readonly string[], plan: NetworkPlan | undefined): boolean {
  const isClosed = plan?.network === 'loopback' && !LOOPBACK.test([command].flat().join(' '));
  const isUnlisted = plan?.network === 'allow' && closedTarget(command, plan) !== undefined;
  return (plan?.network === 'none' || isClosed || isUnlisted) && needsNetwork(command);
}

/** The first address that a command names and no entry of the list, but for its own loopback. */
function closedTarget(command: string | readonly string[], { hosts }: NetworkPlan): Target | undefined {
  if (hosts === undefined) return undefined;
  const named = targetsIn([command].flat().join(' ')).filter((target) => !isLoopback(target));
  return named.find((target) => !hosts.some((entry) => namesTarget(entry, target)));
}

/** Words with which programs say that a proxy refused them. Most do not repeat its reason. */
const PROXY_REFUSED = /\b(?:403|421|handrail|prox(?:y|ied)|tunnel|socks5?)\b/i;

/**
 * The hosts that the way out refused while a run went on. Other programs of its owner may have asked for them meanwhile:
 * the run is told of those that its output names, or else its command, and of the others only where it names none and
 * says that a proxy refused something, or where nothing else of its owner ran that could have asked.
 */
export function refusedHosts(
  { command, written, isAlone, hasFailed }: { command: string; written: string; isAlone: boolean; hasFailed: boolean },
  contacts: readonly HostContact[],
): readonly Blocked[] {
  const refused = contacts.filter(({ outcome, host }) => outcome === 'refused' && host !== undefined);
  // A client that takes any answer succeeds with the refusal as what it has read.
  if (!hasFailed) {
    const read = refused.filter(({ message = '' }) => message !== '' && written.includes(message));
    return read.slice(-MAX_NAMED_HOSTS).map(hostRefusal);
  }
  const named = (text: string) => refused.filter(({ host = '' }) => text.includes(host));
  const isProxyNamed = PROXY_REFUSED.test(written);
  const inOutput = named(written);
  const own = inOutput.length > 0 ? inOutput : named(command);
  const all = own.length === 0 && (isProxyNamed || isAlone) ? refused : own;
  return all.slice(-MAX_NAMED_HOSTS).map(hostRefusal);
}

function hostRefusal({ host, port, message = '', entry, keeping }: HostContact): Blocked {
  return {
    guarantee: 'network',
    subject: `${host}:${port}`,
    message,
    hint: 'Work with what is here, or with an allowed host.',
    advice:
      entry === undefined
        ? []
        : [
            {
              kind: 'option',
              name: 'confine.network.allow',
              value: entry,
              ...(keeping === undefined ? {} : { keeping }),
            },
          ],
  };
}

/** What is named where no address is known. */
const NETWORK = 'the network';

const ANY_NETWORK: OptionAdvice = { kind: 'option', name: 'confine.network', value: 'any' };

/** What commands reach, by the plan. */
export const NETWORK_LIMITS: Readonly<Record<NativePlan['network'], string>> = {
  none: 'commands have no network',
  loopback: 'commands have only a loopback of their own',
  allow: 'commands reach the hosts of the list, and those through the proxy that HTTPS_PROXY names',
  any: '',
};

/**
 * What a line says of a network that the plan keeps from the run: undefined where it is about this machine, where somebody
 * has answered, and where it names neither an address nor an error that only a missing network gives.
 */
export function networkRefusal(line: string, plan: NetworkPlan): Blocked | undefined {
  const { network } = plan;
  if (network === 'any') return undefined;
  const isAnswered = ANSWERED.test(line);
  const isOwn = network !== 'none' && LOOPBACK.test(line);
  if (isOwn && (isAnswered || NETWORK_NOT_REACHED.test(line))) return loopbackRefusal(line, plan);
  if (!NETWORK_NOT_REACHED.test(line)) return undefined;
  // Commands that have a loopback reach it: nobody listens there.
  if (network !== 'none' && isAnswered) return undefined;
  const address = ADDRESS.exec(line)?.[0] ?? LOOPBACK.exec(line)?.[0];
  if (address === undefined && !NO_NETWORK.test(line)) return undefined;
  return {
    guarantee: 'network',
    subject: address ?? NETWORK,
    message: `${address === undefined ? 'The network' : `'${address}'`} was not reached: ${NETWORK_LIMITS[network]}`,
    hint: 'Work with what is here.',
    advice: [ANY_NETWORK],
  };
}

/** The refusal of a port of this machine that is outside of the loopback of commands. Undefined where nobody listens at it. */
function loopbackRefusal(text: string, plan: NetworkPlan): Blocked | undefined {
  const { hosts = [] } = plan;
  const own = targetsIn(text).filter(isLoopback);
  const target = own.find(
    (one) => !hosts.some((entry) => namesTarget(entry, { ...one, host: 'localhost' })) && isListenedAt(one.port),
  );
  if (target === undefined) return undefined;
  return {
    guarantee: 'network',
    subject: targetText(target),
    message: `'${targetText(target)}' was not reached: commands have a loopback of their own, and who listens there is outside of it`,
    hint: 'Start a server of your own, or work with what is here.',
    advice: [allowing({ host: 'localhost', port: target.port }, plan)],
  };
}

function allowing(target: Target, { keeping }: NetworkPlan): OptionAdvice {
  return {
    kind: 'option',
    name: 'confine.network.allow',
    value: entryFor(target),
    ...(keeping === undefined || keeping.length === 0 ? {} : { keeping }),
  };
}

/** Without those that name no address, where others do. */
export function namedFirst(refusals: readonly Blocked[]): readonly Blocked[] {
  const hasName = refusals.some(({ guarantee, subject }) => guarantee === 'network' && subject !== NETWORK);
  return hasName
    ? refusals.filter(({ guarantee, subject }) => guarantee !== 'network' || subject !== NETWORK)
    : refusals;
}

/** Most characters of the output of a run that has said nothing of why it failed. */
const MAX_SILENT_CHARS = 200;

/**
 * The plan as a refusal of a run that needs the network where there is none, or a port that the plan keeps from it, and has
 * said next to nothing. Of a host that it asked the way out for, that tells what it refused.
 */
export function silentRefusal(
  command: string | readonly string[],
  writtenChars: number,
  plan: NetworkPlan,
): readonly Blocked[] {
  if (writtenChars > MAX_SILENT_CHARS || !needsNetwork(command)) return [];
  const ofLoopback =
    plan.network === 'none' || plan.network === 'any' ? undefined : loopbackRefusal([command].flat().join(' '), plan);
  if (ofLoopback !== undefined) return [ofLoopback];
  if (!isUnreached(command, plan)) return [];
  const target = closedTarget(command, plan);
  return [
    {
      guarantee: 'network',
      subject: target === undefined ? NETWORK : targetText(target),
      message:
        target === undefined
          ? `This program needs the network, and ${NETWORK_LIMITS[plan.network]}`
          : `'${targetText(target)}' was not reached: ${NETWORK_LIMITS[plan.network]}`,
      hint: 'Work with what is here.',
      // A program that knows no proxy reaches only addresses that are entries.
      advice: [target !== undefined && isAddress(target) ? allowing(target, plan) : ANY_NETWORK],
    },
  ];
}
