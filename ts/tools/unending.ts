/** Commands that go on until somebody ends them: no limit of time is long enough for them. */
import { isLoopback, targetsIn, targetText } from '../terminal/targets.js';

/** Programs that go on by themselves, each with the words that make it do so; none where every use does. */
const UNENDING: Readonly<Record<string, readonly string[]>> = {
  tail: ['-f', '-F', '--follow', '-fn', '-n0f'],
  journalctl: ['-f', '--follow'],
  watch: [],
  yes: [],
  nodemon: [],
  vite: ['dev', 'preview', 'serve'],
  next: ['dev', 'start'],
  nuxt: ['dev', 'start'],
  astro: ['dev', 'preview'],
  ng: ['serve'],
  npm: ['start', 'dev', 'serve', 'watch', 'preview'],
  pnpm: ['start', 'dev', 'serve', 'watch', 'preview'],
  yarn: ['start', 'dev', 'serve', 'watch', 'preview'],
  bun: ['start', 'dev', 'serve', 'watch', 'preview'],
  'http-server': [],
  serve: [],
  flask: ['run'],
  uvicorn: [],
  gunicorn: [],
  rails: ['server', 's'],
  php: ['-S'],
  hugo: ['server'],
  'redis-server': [],
  caddy: ['run'],
};
/** Words that make many programs go on, whatever they are. */
const WATCHING: readonly string[] = ['--watch', '--watch-all', 'http.server', 'runserver', 'infinity'];
/** What servers write when they are ready, with their place. */
const SERVES =
  /\b(?:listening|serving|ready|running|started|server|local|available)\b.{0,60}(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|\bport\b).{0,8}\d{2,5}/i;
/** What watchers write when they wait. */
const WATCHES = /\bwatching for|\bwaiting for (?:file )?changes|\bpress ctrl/i;
/** Tests start servers as well, and end. */
const TESTS = /\b(?:tests?|spec|e2e)\b/i;

/** The words of a command, without what quotes them. */
function wordsOf(command: string): string[] {
  return command.split(/[\s'"=;&|]+/).filter((word) => word !== '');
}

/** Whether a command that was ended for its time is one that never ends, by its words and by what it wrote. */
export function isUnending(command: string, written: string): boolean {
  const words = wordsOf(command);
  const goesOn = words.some((word, at) => {
    const uses = Object.hasOwn(UNENDING, word) ? UNENDING[word] : undefined;
    return uses !== undefined && (uses.length === 0 || words.slice(at + 1).some((other) => uses.includes(other)));
  });
  const isTest = words.some((word) => TESTS.test(word));
  const says = SERVES.test(written) && !isTest;
  return goesOn || words.some((word) => WATCHING.includes(word)) || says || WATCHES.test(written);
}

/** The address at which a server has said that it listens. */
export function servedAt(written: string): string | undefined {
  const own = targetsIn(written).find(isLoopback);
  return own === undefined ? undefined : targetText(own);
}
