/** Where package managers get packages from: hosts that they know by themselves, and the settings that name others. */
import type { SettingsSyntax } from './setting-files.js';

/** The package managers of one kind of project, by the name of the first of them. */
export type PackageTool = 'npm' | 'pip' | 'cargo' | 'go';

/** A settings file. */
export interface SettingsFile {
  /** Relative to its folder, with `*` for any text in the name. */
  readonly path: string;
  readonly syntax: SettingsSyntax;
  /** The settings whose values name registries; those of tables with the table in front. */
  readonly names: RegExp;
}

/** What is known of the package managers of a kind. */
export interface ToolRegistries {
  /** The hosts that they use where nothing is set: of the registry, and of what it sends downloads to. */
  readonly defaults: readonly string[];
  /** The variables that name registries. */
  readonly variables: RegExp;
  /** The settings files of a project. */
  readonly projectFiles: readonly SettingsFile[];
  /** Those of the user in the home, and in the folder of settings, which is most often `~/.config`. */
  readonly homeFiles: readonly SettingsFile[];
  readonly configFiles: readonly SettingsFile[];
  /** Those of the machine; absolute. */
  readonly machineFiles: readonly SettingsFile[];
}

/** Registries of npm's settings, and where packages that bring programs get these from. */
const NPM_NAMES = /^(?:@[\w.-]+:)?registry$|(?:^|[_-])(?:disturl|mirror|binary_host|binary_site)$/;
const PIP_NAMES = /^(?:index-url|extra-index-url|find-links)$/;
const UV_NAMES = /^(?:pip\.)?(?:index-url|extra-index-url|find-links|index|index\.url)$/;
const PYPROJECT_NAMES =
  /^tool\.uv\.(?:pip\.)?(?:index-url|extra-index-url|find-links|index|index\.url)$|^tool\.(?:poetry|pdm)\.source\.url$/;
const REQUIREMENTS_NAMES = /^(?:-i|-f|--index-url|--extra-index-url|--find-links|--pypi-url)$/;
const CARGO_NAMES = /^(?:source|registries)\.|^registry\.index$/;
const YARN_NAMES = /^(?:@[\w.-]+:)?registry$/;
const YARN_BERRY_NAMES = /^(?:npmRegistryServer|npmScopes\..*|npmAuditRegistry)$/;

const npmrc = (path: string): SettingsFile => ({ path, syntax: 'lines', names: NPM_NAMES });
const pip = (path: string): SettingsFile => ({ path, syntax: 'joined', names: PIP_NAMES });
const uv = (path: string): SettingsFile => ({ path, syntax: 'toml', names: UV_NAMES });
const cargo = (path: string): SettingsFile => ({ path, syntax: 'toml', names: CARGO_NAMES });
const requirements = (path: string): SettingsFile => ({ path, syntax: 'words', names: REQUIREMENTS_NAMES });
const bun = (path: string): SettingsFile => ({
  path,
  syntax: 'toml',
  names: /^install\.(?:registry|scopes\.)/,
});
const yarn: readonly SettingsFile[] = [
  { path: '.yarnrc', syntax: 'words', names: YARN_NAMES },
  { path: '.yarnrc.yml', syntax: 'yaml', names: YARN_BERRY_NAMES },
];

/** By the kind of package manager. */
export const REGISTRIES: Readonly<Record<PackageTool, ToolRegistries>> = {
  npm: {
    // The last one has the headers that modules with native code are built with.
    defaults: ['registry.npmjs.org', 'registry.yarnpkg.com', 'repo.yarnpkg.com', 'nodejs.org'],
    variables:
      /^(?:npm_config_(?:.*(?:registry|disturl|mirror|binary_host|binary_site))|YARN_(?:REGISTRY|NPM_REGISTRY_SERVER)|BUN_CONFIG_REGISTRY|COREPACK_NPM_REGISTRY)$/i,
    projectFiles: [
      npmrc('.npmrc'),
      ...yarn,
      bun('bunfig.toml'),
      { path: 'pnpm-workspace.yaml', syntax: 'yaml', names: /^(?:registry|registries\..*)$/ },
    ],
    homeFiles: [npmrc('.npmrc'), ...yarn, bun('.bunfig.toml')],
    configFiles: [npmrc('pnpm/rc')],
    machineFiles: [npmrc('/etc/npmrc'), npmrc('/usr/etc/npmrc'), npmrc('/usr/local/etc/npmrc')],
  },
  pip: {
    defaults: ['pypi.org', 'files.pythonhosted.org'],
    variables:
      /^(?:PIP_(?:INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS)|UV_(?:INDEX_URL|EXTRA_INDEX_URL|DEFAULT_INDEX|INDEX|FIND_LINKS)|PIPENV_PYPI_MIRROR|PDM_PYPI_URL|POETRY_REPOSITORIES_\w+_URL)$/,
    projectFiles: [
      { path: 'pyproject.toml', syntax: 'toml', names: PYPROJECT_NAMES },
      uv('uv.toml'),
      { path: 'Pipfile', syntax: 'toml', names: /^source\.url$/ },
      { path: 'poetry.toml', syntax: 'toml', names: /^repositories\..*url$/ },
      pip('.venv/pip.conf'),
      pip('venv/pip.conf'),
      requirements('requirements*.txt'),
      requirements('requirements*.in'),
      requirements('requirements/*.txt'),
      requirements('requirements/*.in'),
    ],
    homeFiles: [pip('.pip/pip.conf')],
    configFiles: [
      pip('pip/pip.conf'),
      uv('uv/uv.toml'),
      { path: 'pypoetry/config.toml', syntax: 'toml', names: /^repositories\..*url$/ },
    ],
    machineFiles: [pip('/etc/pip.conf'), pip('/etc/xdg/pip/pip.conf'), uv('/etc/uv/uv.toml')],
  },
  cargo: {
    defaults: ['index.crates.io', 'static.crates.io', 'crates.io'],
    variables: /^CARGO_(?:REGISTRIES_\w+_INDEX|SOURCE_\w+_(?:REGISTRY|GIT))$/,
    projectFiles: [cargo('.cargo/config.toml'), cargo('.cargo/config')],
    homeFiles: [cargo('.cargo/config.toml'), cargo('.cargo/config')],
    configFiles: [],
    machineFiles: [],
  },
  go: {
    // The mirror sends large downloads to the storage.
    defaults: ['proxy.golang.org', 'sum.golang.org', 'storage.googleapis.com'],
    variables: /^(?:GOPROXY|GOSUMDB)$/,
    projectFiles: [],
    homeFiles: [],
    configFiles: [{ path: 'go/env', syntax: 'lines', names: /^(?:GOPROXY|GOSUMDB)$/ }],
    machineFiles: [],
  },
};

/** Variables that name a settings file of the user, with how that is written. */
export const NAMED_FILES: readonly (readonly [tool: PackageTool, variable: RegExp, file: SettingsFile])[] = [
  ['npm', /^npm_config_(?:user|global)config$/i, npmrc('')],
  ['pip', /^PIP_CONFIG_FILE$/, pip('')],
  ['pip', /^UV_CONFIG_FILE$/, uv('')],
  ['go', /^GOENV$/, { path: '', syntax: 'lines', names: /^(?:GOPROXY|GOSUMDB)$/ }],
];

/** Variables that name a folder of the user, with the settings files in it. */
export const NAMED_FOLDERS: readonly (readonly [tool: PackageTool, variable: string, file: SettingsFile])[] = [
  ['cargo', 'CARGO_HOME', cargo('config.toml')],
  ['pip', 'VIRTUAL_ENV', pip('pip.conf')],
];
