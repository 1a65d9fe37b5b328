/** What people type in a project of Node. */
import type { Preset } from './preset.js';

export const NODE: Preset = {
  packages: 'npm',
  groups: [
    {
      about: 'Node, and what runs TypeScript with it; their code is not judged',
      interpreters: 'node tsx ts-node',
    },
    {
      about: 'npm: install, test, build, run scripts; not publish',
      programs: 'npm npx',
      uses: [
        ...['npm test', 'npm t', 'npm tst', 'npm run', 'npm run-script', 'npm start', 'npm stop', 'npm restart'],
        ...['npm -s test', 'npm -s run', 'npm --silent test', 'npm --silent run'],
        ...['npm ci', 'npm clean-install', 'npm install', 'npm i', 'npm add', 'npm install-test', 'npm it'],
        ...['npm update', 'npm up', 'npm upgrade', 'npm uninstall', 'npm remove', 'npm rm', 'npm un'],
        ...['npm rebuild', 'npm prune', 'npm dedupe', 'npm audit fix', 'npm pack', 'npm pkg', 'npm version'],
      ],
    },
    {
      about: 'pnpm: the same',
      programs: 'pnpm',
      uses: [
        ...['pnpm test', 'pnpm t', 'pnpm run', 'pnpm start', 'pnpm build', 'pnpm lint', 'pnpm dev', 'pnpm format'],
        ...['pnpm -r test', 'pnpm -r run', 'pnpm -r build', 'pnpm typecheck', 'pnpm check'],
        ...['pnpm install', 'pnpm i', 'pnpm add', 'pnpm update', 'pnpm up', 'pnpm remove', 'pnpm rm'],
        ...['pnpm rebuild', 'pnpm prune', 'pnpm dedupe', 'pnpm pack'],
      ],
    },
    {
      about: 'yarn: the same',
      programs: 'yarn',
      uses: [
        ...['yarn test', 'yarn run', 'yarn start', 'yarn build', 'yarn lint', 'yarn dev', 'yarn format'],
        ...['yarn typecheck', 'yarn check', 'yarn install', 'yarn add', 'yarn up', 'yarn upgrade', 'yarn remove'],
        ...['yarn dedupe', 'yarn pack'],
      ],
    },
    {
      about: 'bun: install, test, build, run scripts',
      uses: [
        ...['bun test', 'bun run', 'bun build', 'bun install', 'bun i', 'bun add', 'bun update', 'bun remove'],
        ...['bun pm ls', 'bun --version'],
      ],
    },
    { about: 'Programs of installed packages', places: './node_modules/.bin/*' },
    {
      about: 'Compilers, linters, formatters, test runners and bundlers',
      programs:
        'tsc eslint prettier biome oxlint vitest jest mocha ava tap c8 nyc vite rollup webpack esbuild swc tsup next ' +
        'nuxt astro svelte-check vue-tsc typedoc api-extractor',
    },
  ],
  downloads: { launchers: ['npx', 'npm exec', 'npm x', 'npm init', 'npm create'], folder: 'npm' },
  caches: {
    npm_config_cache: 'npm',
    YARN_CACHE_FOLDER: 'yarn',
    YARN_GLOBAL_FOLDER: 'yarn-berry',
    BUN_INSTALL_CACHE_DIR: 'bun',
    PNPM_HOME: 'pnpm',
  },
};
