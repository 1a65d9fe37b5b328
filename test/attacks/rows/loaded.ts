import { type Attack, attack } from '../attack.js';

/** Code that is loaded into a listed program: what the plan stops of it, it stops by what that code may open and map. */
export const LOADED: readonly Attack[] = [
  attack(
    'openssl-rsa-in',
    'a key that is an address of an engine, and the engine a file',
    ['openssl', 'rsa', '-in', 'org.openssl.engine:{LIB}:k'],
    { reproduction: true, inside: true },
  ),
  attack('openssl-dgst-sign', 'the same in dgst', ['openssl', 'dgst', '-sign', 'org.openssl.engine:{LIB}:k'], {
    inside: true,
  }),
  attack(
    'openssl-x509-signkey',
    'the same in x509',
    ['openssl', 'x509', '-req', '-signkey', 'org.openssl.engine:{LIB}:k'],
    { inside: true },
  ),
  attack(
    'openssl-req-key',
    'the same in req',
    ['openssl', 'req', '-new', '-batch', '-key', 'org.openssl.engine:{LIB}:k'],
    { inside: true },
  ),
  attack(
    'openssl-pkeyutl-inkey',
    'the same in pkeyutl',
    ['openssl', 'pkeyutl', '-inkey', 'org.openssl.engine:{LIB}:k'],
    { inside: true },
  ),
  attack('openssl-storeutl', 'the same in storeutl', ['openssl', 'storeutl', 'org.openssl.engine:{LIB}:k'], {
    inside: true,
  }),
  attack(
    'openssl-verify-CAstore',
    'the same as a store of certificates',
    ['openssl', 'verify', '-CAstore', 'org.openssl.engine:{LIB}:k'],
    { inside: true },
  ),
  attack(
    'openssl-s_client-key',
    'the same in s_client',
    ['openssl', 's_client', '-key', 'org.openssl.engine:{LIB}:k'],
    { inside: true },
  ),
  attack(
    'openssl-pkcs12-inkey',
    'the same in pkcs12',
    ['openssl', 'pkcs12', '-export', '-inkey', 'org.openssl.engine:{LIB}:k'],
    { inside: true },
  ),
  attack('gnutls-serv', 'an option names a library of PKCS#11', ['gnutls-serv', '--provider={LIB}'], { inside: true }),
  attack('uwsgi-dlopen', 'an option names a library', ['uwsgi-core', '--dlopen', '{LIB}'], { inside: true }),
  attack(
    'apache-C',
    'a directive on the command line names a module',
    ['apache2', '-C', 'LoadModule evil_module {LIB}', '-t'],
    { inside: true },
  ),
  attack('apache-f', 'a settings file names a module', ['apache2', '-f', '{WORK}/c', '-t'], {
    files: { c: 'LoadModule evil_module {LIB}\n' },
    inside: true,
  }),
  attack('gcc-Wp', 'an argument for the preprocessor names a plug-in', ['gcc', '-Wp,-fplugin={LIB}', '-E', 'a.c'], {
    files: { 'a.c': 'int main(){}\n' },
    inside: true,
  }),
  attack(
    'gtags',
    'a settings file names a parser, which is a library',
    ['gtags', '--gtagsconf', '{WORK}/c', '--gtagslabel', 'x'],
    { files: { c: 'x:\\\n\t:langmap=C\\:.c:\\\n\t:gtags_parser=C\\:{LIB}\\:p:\n', 'a.c': 'int a;\n' }, inside: true },
  ),
  attack(
    'gdb-data',
    'the folder of its own scripts, which gdb runs at its start',
    ['gdb', '--data-directory', '{WORK}', '--batch'],
    { reproduction: true, files: { 'python/gdb/__init__.py': 'open("{RAN}","w")\n' }, inside: true },
  ),
  attack('gdb-D', 'the short name of that option', ['gdb', '-D', '{WORK}', '-batch'], {
    files: { 'python/gdb/__init__.py': 'open("{RAN}","w")\n' },
    inside: true,
  }),
  attack('gdb-data-joined', 'the same joined with an equals sign', ['gdb', '-data-directory={WORK}', '-batch'], {
    files: { 'python/gdb/__init__.py': 'open("{RAN}","w")\n' },
    inside: true,
  }),
  attack('cmake-P', '-P joined with an equals sign', ['cmake', '-P=f'], {
    reproduction: true,
    files: { f: 'execute_process(COMMAND touch {RAN})\n' },
  }),
  attack('cmake-P-joined', '-P joined with the name of its file', ['cmake', '-Pf'], {
    files: { f: 'execute_process(COMMAND touch {RAN})\n' },
  }),
  attack('cpack', 'the project file of cpack is cmake code', ['cpack'], {
    files: { 'CPackConfig.cmake': 'execute_process(COMMAND touch {RAN})\n' },
  }),
  attack('cmake-install', 'what is installed is said in cmake code', ['cmake', '--install', '.'], {
    files: { 'cmake_install.cmake': 'execute_process(COMMAND touch {RAN})\n', 'CMakeCache.txt': '' },
  }),
  attack('cmake-S', 'a project file of cmake in another folder', ['cmake', '-S', '{WORK}/s', '-B', '{WORK}/b'], {
    files: { 's/CMakeLists.txt': 'execute_process(COMMAND touch {RAN})\n' },
  }),
  attack('ctest-sub', 'a test file of ctest in another folder', ['ctest', '--test-dir', 't'], {
    files: { 't/CTestTestfile.cmake': 'execute_process(COMMAND touch {RAN})\n' },
  }),
  attack('ctest-N', 'a test file of ctest while tests are only listed', ['ctest', '-N'], {
    files: { 'CTestTestfile.cmake': 'execute_process(COMMAND touch {RAN})\n' },
  }),
  attack('ctest-custom', 'a settings file of ctest is cmake code', ['ctest', '-T', 'Test'], {
    files: {
      'CTestCustom.cmake': 'execute_process(COMMAND touch {RAN})\n',
      'DartConfiguration.tcl': 'BuildDirectory: {WORK}\nSourceDirectory: {WORK}\nSite: a\nBuildName: b\n',
    },
  }),
  attack('flake8', 'a settings file names a check, which is Python', ['flake8', '--config', '{WORK}/c', 'a.py'], {
    files: {
      c: '[flake8:local-plugins]\nextension =\n  X1 = evil:f\npaths =\n  {WORK}\n',
      'evil.py': 'open("{RAN}","w")\ndef f(tree): pass\n',
      'a.py': '',
    },
    inside: true,
  }),
  attack('mypy', 'a settings file names a plug-in, which is Python', ['mypy', '--config-file', '{WORK}/c', 'a.py'], {
    files: { c: '[mypy]\nplugins = {WORK}/evil.py\n', 'evil.py': 'open("{RAN}","w")\n', 'a.py': '' },
    inside: true,
  }),
  attack(
    'cppcheck-proj',
    'a project file names an add-on, which is Python',
    ['cppcheck', '--project={WORK}/p.cppcheck'],
    {
      files: {
        'a.c': 'int a;\n',
        'p.cppcheck':
          '<project version="1"><paths><dir name="."/></paths><addons><addon>{WORK}/evil.py</addon></addons></project>',
        'evil.py': 'open("{RAN}","w")\n',
      },
    },
  ),
  attack('ledger-py', 'an option names a file of Python', ['ledger', '-f', 'j', '--import', '{WORK}/e.py', 'reg'], {
    files: { j: '', 'e.py': 'open("{RAN}","w")\n' },
    inside: true,
  }),
  attack(
    'highlight',
    'an option names a plug-in, which is Lua',
    ['highlight', '--plug-in={WORK}/p.lua', '-i', 'a.c', '-o', 'o'],
    { files: { 'a.c': 'int a;\n', 'p.lua': 'os.execute(":>{RAN}")\nPlugins={}\n' } },
  ),
  attack(
    'highlight-conf',
    'an option names a language, which is Lua',
    ['highlight', '--config-file={WORK}/p.lang', '-i', 'a.c', '-o', 'o'],
    { files: { 'a.c': 'int a;\n', 'p.lang': 'os.execute(":>{RAN}")\nDescription="x"\nKeywords={}\n' } },
  ),
  attack(
    'highlight-lang',
    'a folder of languages, which are Lua',
    ['highlight', '-S', 'x', '--data-dir={WORK}', '-i', 'a', '-o', 'o'],
    { files: { 'langDefs/x.lang': 'os.execute(":>{RAN}")\nDescription="x"\nKeywords={}\n', a: '' } },
  ),
  attack(
    'highlight-theme',
    'an option names a theme, which is Lua',
    ['highlight', '--config-file={WORK}/p.theme', '-Sc', '-i', 'a', '-o', 'o'],
    { files: { 'p.theme': 'os.execute(":>{RAN}")\n', a: '' } },
  ),
  attack('hg-ext', 'the settings of a repository name an extension, which is Python', ['hg', 'log'], {
    setup: 'hg init .; printf "[extensions]\\nx={WORK}/e.py\\n" >.hg/hgrc; echo "open(\'{RAN}\',\'w\')" > e.py',
    inside: true,
  }),
  attack(
    'pip-dl-r2',
    'a folder in a list of requirements is built, whatever is said of binaries',
    ['pip', 'download', '--only-binary=:all:', '--no-build-isolation', '-r', 'r.txt'],
    { reproduction: true, files: { 'r.txt': './p\n', 'p/setup.py': 'open("{RAN}","w")\n' }, inside: true },
  ),
];
