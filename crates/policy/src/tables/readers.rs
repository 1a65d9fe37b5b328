//! Readers: programs that take their arguments as data, so that the name of a denied program among them is harmless.
//! Any program that is in no table may be a launcher.

use std::sync::LazyLock;

use super::Names;

pub(crate) static READERS: LazyLock<Names> = LazyLock::new(|| Names::of(TEXT));

/// Readers that take a file of settings, plug-ins or steps from an option or operand. Their arguments are data when
/// they are written out, but not when they are known only at run time.
pub(crate) static CONFIGURED_READERS: LazyLock<Names> =
    LazyLock::new(|| Names::of(CONFIGURED_READERS_TEXT));

const CONFIGURED_READERS_TEXT: &str = "\
adduser aspell biber black cloc codespell dot doxygen flake8 info isort jest mypy ninja ps2pdf ruff tsc vitest";

/// Readers that send their arguments over the network. An argument that is known only at run time may be a secret.
pub(crate) const SENDING_READERS: [&str; 13] = [
    "curl",
    "dig",
    "getent",
    "host",
    "mtr",
    "nc",
    "ncat",
    "nmap",
    "nslookup",
    "ping",
    "traceroute",
    "wget",
    "whois",
];

/// Readers that do nothing but read the files that their operands name.
pub(crate) const FILTERS: &str = "b2sum base64 bzcat cat cksum column cut egrep fgrep fold grep head hexdump jq less md5sum more nl od paste rev rg \
    sha1sum sha224sum sha256sum sha384sum sha512sum sort strings sum tac tail wc xzcat zcat";

const TEXT: &str = "\
[ ack adduser ag apropos apt apt-cache apt-get apt-mark arch aspell b2sum base32 base64 basename bat batcat bc \
biber bibtex black brew bzcat bzip2 bunzip2 c++ cal cargo cat cc chgrp chmod chown cksum clang clang++ \
clang-format clang-tidy cmake cmp codespell col column comm convert cp cpio csplit ctest curl cut date delta df \
diff diff3 difft dig dir dircolors dirname dnf dot doxygen dpkg dpkg-query du echo egrep eslint exa expand expr eza \
factor false fd fdfind ffmpeg ffprobe fgrep file find flake8 fmt fold free fzf g++ gcc getconf getent gh git go \
gofmt gradle grep groups gunzip gzip head hexdump host hostid hostname iconv id identify info install ip isort jest \
join jq just kubectl docker podman last ldd less ln locale locate look ls lsblk lscpu lsof lua-format lz4 make man \
md5sum mkdir mkfifo mktemp more mtr mv mvn mypy nano ninja nl nm nmap npm nproc nslookup numfmt objdump od openssl \
pacman pandoc paste patch pathchk pdflatex pdftotext pgrep ping pip pip3 pkg-config pnpm pr prettier printenv \
printf ps psql ptx pwd pylint pytest readelf readlink realpath rename rev rg ripgrep rpm rsync ruff rustc rustfmt \
sed seq sha1sum sha224sum sha256sum sha384sum sha512sum shasum shellcheck shuf sleep sort split sqlite3 ss stat \
strings stty sum svn tac tail tar tee terraform test tldr top touch tput tr traceroute tree true tsc tsort tty \
uname uncompress unexpand uniq unxz unzip unzstd uptime users vdir vi view vim vitest vmstat w wc wget whatis \
whereis which who whoami whois xmllint xxd xz xzcat yarn yes yq yum zcat zdiff zgrep zip zipinfo zless zstd zstdcat \
b3sum basenc rm rmdir unlink link shred truncate sync pidof awk gawk mawk nawk hg ed ex gdb nc ncat systemctl loginctl ps2pdf tokei cloc hexyl sd choose dust";
