//! Programs that run code of a language that this crate does not read.

use std::sync::LazyLock;

use super::Names;

/// Names of interpreters without versions, of shells with a syntax of their own, and of servers that load an
/// application.
pub(crate) static INTERPRETERS: LazyLock<Names> = LazyLock::new(|| Names::of(TEXT));

const TEXT: &str = "\
abcl amm arangosh babashka bb bigloo bosh bpython bsh bun byebug ccl celery chibi-scheme chicken clisp \
clojure cmd cobcrun coffee cscript csh csi dc debugpy deno django-admin dotnet-script ecl ed electron elixir \
elvish emacs emacsclient erb erl escript expect fennel file-rename fish flask forth gap gawk-expect \
gdb-python gforth ghci ginsh gjs gnuplot gosh gp gprolog groovy gsi gst guile gunicorn hhvm hy hypercorn iex \
iojs ion ipython ipython3 irb janet java jimsh jjs jruby jrunscript jsh jshell julia jython kotlin \
kotlinc-jvm lfe lua luajit m4 maple matlab maxima micropython mit-scheme mongo mongosh mono mshta murex \
mysqlsh newlisp nimscript node nodejs nu obosh ocaml octave octave-cli oil osascript osh pbosh pdb perl \
perl-rename php php-cgi php-fpm phpdbg picolisp pike powershell prename pry ptpython pwsh pydoc pypy pypy3 \
pyspark python pythonw qjs r r2 racket radare2 rails raku rc rhino rizin rscript ruby runghc runhaskell sage \
sash sbcl scala scheme scilab scilab-cli sclang scsh slsh spark-shell streamlit supercollider swipl tclsh \
tcsh texlua ts-node tsx uvicorn wish wolfram wolframscript wscript wsh xonsh yap yash ysh zx";
