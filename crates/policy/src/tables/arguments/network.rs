//! Connections, transfers, captures.

use super::Style::{Gnu, LongOnly, OneDash, OneDashAbbreviated, Whole};
use super::{Row, code, opaque, row, unseen, upload};

pub(super) const ROWS: &[Row] = &[
    row("ssh slogin", Whole, "BbcDEeiJLlmOopQRSWw", "", &[unseen("F", ""), opaque("I", "")]),
    row(
        "scp sftp",
        Whole,
        "cilPJX",
        "",
        &[code("S", ""), unseen("F", ""), code("D", ""), unseen("b", "")],
    ),
    row("ssh-copy-id", Whole, "ip", "", &[unseen("F", ""), code("t", "")]),
    row("ssh-keygen", Whole, "abCEFfIJjKMmNnOPRrsTtVYWZz", "", &[opaque("D", ""), opaque("w", "")]),
    row("ssh-add", Whole, "tEHh", "", &[opaque("s", ""), opaque("S", "")]),
    row(
        "rsync",
        Whole,
        "BTf@",
        "",
        &[
            code("e", "rsh"),
            code("", "rsync-path"),
            unseen("", "config"),
            opaque("M", "remote-option"),
        ],
    ),
    row(
        "curl",
        Gnu,
        "AbCDeHmoPQrtuUwxXyYzE",
        "data form url",
        &[
            unseen("K", "config"),
            upload("d", "data"),
            upload("", "data-binary data-ascii data-urlencode json url-query"),
            upload("F", "form"),
            upload("T", "upload-file"),
            opaque("", "engine"),
        ],
    ),
    row(
        "wget wget2",
        Gnu,
        "aoBiOPQTtUwD",
        "",
        &[
            code("", "use-askpass"),
            opaque("e", "execute"),
            unseen("", "config"),
            upload("", "post-file body-file post-data load-cookies"),
            upload("i", "input-file"),
        ],
    ),
    row(
        "aria2c",
        Gnu,
        "dijkloqstxyVUMS",
        "",
        &[
            code(
                "",
                "on-bt-download-complete on-download-complete on-download-error \
                 on-download-pause on-download-start on-download-stop",
            ),
            unseen("", "conf-path"),
        ],
    ),
    row(
        "yt-dlp youtube-dl",
        Gnu,
        "afoIrRSNpu",
        "",
        &[
            code("", "exec exec-before-download netrc-cmd"),
            opaque("", "downloader external-downloader plugin-dirs ffmpeg-location"),
            opaque("", "use-postprocessor alias"),
            unseen("", "config-locations"),
        ],
    ),
    row("lynx", OneDash, "", "", &[code("", "editor"), unseen("", "cfg cmd_script config")]),
    row(
        "nc ncat netcat",
        LongOnly,
        "ipwgG",
        "s l lu",
        &[code("e", "exec"), code("c", "sh-exec"), opaque("", "lua-exec")],
    ),
    row("nmap", LongOnly, "", "s d", &[opaque("", "script datadir"), unseen("", "servicedb")]),
    row("tcpdump", Gnu, "BcCEFGijmMQrsTVwWyZ", "", &[code("z", "postrotate-command")]),
    row("tshark wireshark", Gnu, "abBcCdefFijNorRstTuwyYz", "", &[opaque("X", "")]),
    row("ip bridge tc", OneDashAbbreviated, "", "", &[opaque("", "batch")]),
    row("iptables ip6tables arptables ebtables", Gnu, "tpsdjgiocm", "", &[opaque("M", "modprobe")]),
    row("dhclient", OneDash, "", "", &[opaque("", "sf e"), unseen("", "cf")]),
    row("dnsmasq", Gnu, "", "", &[code("6", "dhcp-script"), unseen("C", "conf-file conf-dir")]),
    row("nginx", Whole, "es", "", &[opaque("g", ""), unseen("c", ""), unseen("p", "")]),
    row("minicom cu picocom", Whole, "", "", &[opaque("S", "")]),
    row("smbclient", Gnu, "RmptTIUWLDbAnisl", "", &[opaque("c", "command")]),
    row(
        "certbot",
        Gnu,
        "cdmn",
        "",
        &[code(
            "",
            "pre-hook post-hook deploy-hook renew-hook manual-auth-hook manual-cleanup-hook",
        )],
    ),
];
