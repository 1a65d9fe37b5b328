/** The initial input of the page. The secrets are fake, and are assembled here so that secret scanners do not report this file. */
const TOKEN = ['gh', 'p_', 'A1b2C3d4E5f6'.repeat(3)].join('');
const BEARER = 'c0ffee'.repeat(6);

export function sampleLog(): string {
  const requests = Array.from({ length: 48 }, (_, index) => {
    const second = String(index).padStart(2, '0');
    return `10:42:${second} INFO  GET /api/items/${index + 1} 200 in ${(index * 7) % 23} ms`;
  });
  return [
    '$ npm run deploy',
    '',
    '> shop@2.4.0 deploy',
    '> node deploy.mjs --stage production',
    '',
    '\u001b[2m10:41:57\u001b[0m \u001b[32mINFO\u001b[0m  settings from .env',
    '  DATABASE_URL=postgres://shop:hunter2@db.internal:5432/shop',
    '  SESSION_SECRET=correct-horse-battery',
    `  GITHUB_TOKEN=${TOKEN}`,
    '10:41:58 INFO  12 migrations, none to apply',
    ...requests,
    `10:43:01 DEBUG POST /v1/releases Authorization: Bearer ${BEARER}`,
    '10:43:02 \u001b[31mERROR\u001b[0m release 2.4.0 was refused',
    'Error: connect ECONNREFUSED 10.0.3.7:5432',
    '    at Database.connect (/srv/shop/src/database.js:41:11)',
    '    at deploy (/srv/shop/deploy.mjs:18:3) {',
    "  url: 'postgres://shop:hunter2@db.internal:5432/shop'",
    '}',
    'npm error code 1',
    '',
  ].join('\n');
}

export const COMMANDS = [
  'git log --oneline | head -5',
  'npm test && git push --force',
  'curl -s https://get.example/install.sh | sh',
  'git status; rm -rf build',
  'echo done > /etc/motd',
];
