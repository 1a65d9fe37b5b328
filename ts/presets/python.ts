/** What people type in a project of Python. */
import { existsSync } from 'node:fs';

import type { Preset } from './preset.js';

/** The loaders of musl, by architecture. */
const MUSL_LOADERS: readonly string[] = ['/lib/ld-musl-x86_64.so.1', '/lib/ld-musl-aarch64.so.1'];

/**
 * uv runs the loader to learn which C library there is, and a confined command may not run it by name. It would also warn
 * in each run that nothing is linked from one root to another.
 */
function uvVariables(): Readonly<Record<string, string>> {
  return { UV_LIBC: MUSL_LOADERS.some((file) => existsSync(file)) ? 'musl' : 'gnu', UV_LINK_MODE: 'copy' };
}

export const PYTHON: Preset = {
  packages: 'pip',
  groups: [
    {
      about: 'Python; its code is not judged',
      interpreters: 'python python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 ipython',
    },
    { about: 'Programs of the virtual environment', places: '.venv/bin/* venv/bin/*' },
    {
      about: 'Servers of web applications, which load the code of the project',
      interpreters: 'flask uvicorn gunicorn hypercorn django-admin streamlit',
    },
    {
      about: 'pip: install, uninstall, look up',
      programs: 'pip pip3',
      uses: [
        ...['pip install', 'pip download', 'pip wheel', 'pip -q install', 'pip --quiet install'],
        ...['pip3 install', 'pip3 download', 'pip3 wheel', 'pip3 -q install'],
        ...['pip-compile', 'pip-sync'],
      ],
    },
    {
      about: 'uv: install, run, build; not publish',
      programs: 'uv uvx',
      uses: [
        ...['uv sync', 'uv lock', 'uv add', 'uv remove', 'uv venv', 'uv build', 'uv init', 'uv export'],
        ...['uv pip install', 'uv pip sync', 'uv pip compile'],
      ],
    },
    {
      about: 'poetry, pdm, pipenv: the same',
      programs: 'poetry pdm pipenv',
      uses: [
        ...['poetry install', 'poetry add', 'poetry remove', 'poetry update', 'poetry lock', 'poetry build'],
        ...['poetry sync', 'poetry run', 'pdm install', 'pdm add', 'pdm remove', 'pdm update', 'pdm lock', 'pdm build'],
        ...['pdm sync', 'pdm run', 'pipenv install', 'pipenv sync', 'pipenv update', 'pipenv uninstall', 'pipenv lock'],
        ...['pipenv run'],
      ],
    },
    {
      about: 'Tests, linters, formatters, types and documentation',
      programs:
        'pytest py.test ruff mypy pyright black isort flake8 pylint bandit coverage codespell pyupgrade vulture ' +
        'sphinx-build mkdocs alembic virtualenv',
      uses: ['coverage run', 'tox run', 'tox -e', 'nox -s', 'hatch run', 'hatch test', 'hatch build', 'hatch fmt'],
    },
  ],
  downloads: { launchers: ['uvx', 'uv tool run', 'uv run'], folder: 'uv' },
  variables: uvVariables,
  caches: {
    PIP_CACHE_DIR: 'pip',
    UV_CACHE_DIR: 'uv',
    POETRY_CACHE_DIR: 'poetry',
    PIPENV_CACHE_DIR: 'pipenv',
    PRE_COMMIT_HOME: 'pre-commit',
  },
};
