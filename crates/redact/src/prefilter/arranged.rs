//! The buckets of the windows that the built-in rules have. [`arrange`](super::arrange) writes this file.

use std::sync::LazyLock;

use super::window::Window;

/// Each as it is found in a literal, without regard to case.
#[rustfmt::skip]
pub(super) const BUCKETS: &[&[&str]] = &[
    &["aqvn", "azdo", "azfu", "eztk", "ntn_", "pat", "pat-", "pat_", "re_", "rnd_", "sk5", "sk6", "sk7", "ske",
       "skey", "skf", "tkey"],
    &["alia", "curl", "jina", "jira", "lash", "licl", "loka", "moll", "oinb", "ollb", "s-cl", "secr", "x-jf",
       "xoxa", "xoxb", "_liv"],
    &["kagi", "key", "key-", "keyt", "keyv", "mong", "nanc", "ncen", "nhub", "nked", "ogic", "ogin", "v1.0", "_pw",
       "_pw_"],
    &[":\\/\\", "api_", "att3", "atta", "hvs.", "ks.z", "lsa_", "lsn.", "ls__", "m1a_", "mysq", "pass", "pbox",
       "pca_", "prj_", "wpa_", "wpl_", "xosc"],
    &["+acr", "+arm", "+asb", "+ast", "-v3/", "4b1d", "db1_", "dbx_", "glft", "glrt", "igd_", "igqv", "igqw",
       "into", "k---", "mist", "trav", "try-", "try_", "y---"],
    &["+aba", "+aeh", "-sec", "grok", "k001", "k002", "k003", "ntok", "rgej", "tifi", "udfl", "umbl", "_sec"],
    &["+amc", "/v2/", "atbb", "aws_", "cred", "k004", "k005", "kab-", "ooke", "opsg", "opus", "owse", "\\033"],
    &["asan", "asia", "hub_", "m1r_", "npm_", "ovh_", "penw", "phx_", "pnb_", "pua_", "sbp_", "semg", "slk_",
       "sqa_", "sv1.", "sv2_", "ter_", "vca_", "vci_", "vck_", "vcp_", "vona", "waka", "ypt_", "zoho", "_v1_",
       "_v2_"],
    &["1//0", "://", "akcp", "c01.", "flws", "fo1_", "glc_", "glso", "gnat", "q0cs", "s01.", "scw_", "xai-"],
    &["-tok", "adog", "aik_", "aiot", "aio_", "aklt", "fact", "ggly", "ico-", "ink ", "jdc_", "krak", "lack",
       "mqct", "ora_", "rcom", "rkly", "ya29", "ycaj"],
    &["--us", "a91b", "k-us", "o-u-", "oy2", "pdo(", "plx-", "pnu_", "sig=", "sk0", "sk1", "sk8", "sk9", "sk_",
       "sk_l", "sk_t", "tfp_", "tful", "yk_v"],
    &["-us1", "-us2", "-us3", "-us4", "-us5", "-us9", "aaaa", "abia", "cohe", "cook", "eaaa", "eaab", "gdom",
       "goca", "ibab", "odec", "odoi", "shod", "spx-", "wooc", "ybad", "_tok"],
    &["-lin", "pwd", "qlcm", "qlsh", "sg.", "sk3", "sk4", "sk::", "skc", "skd", "sl.", "whse", "\\u00", "_eyj",
       "_sk_"],
    &["`clo", "acdb", "dme_", "eaag", "fm2_", "pdl_", "ppa_", "qclo", "ral-", "robo", "rra-", "trex", "uplo",
       "uth(", "uth_", "vmdg"],
    &["auth", "dril", "duty", "ipmi", "lunk", "poti", "roti", "shpa", "smtp", "snmp", "snyk", "sona", "xapp"],
    &["-u ", "-us0", "-us6", "-us7", "-us8", ".qq.", "3489", "s-s4", "scw", "sdk-", "sk-", "sk-a", "sk-h", "sk-l",
       "sk-o", "\\33[", "\\e["],
    &["-api", "-key", "/key", "e2b_", "rell", "rpa_", "spag", "stly", "sul_", "ude_", "_mmk", "_tes"],
    &["7q~", "8q~", ":*:", ":aa", "jqqj", "otp", "p.au", "pgra", "sgp_", "sk2", "ska", "skb", "wand", "_api",
       "_app"],
    &["`udp", "`uni", "aiza", "akia", "akid", "amk_", "dapi", "hc-p", "hclo", "okta", "ppo_", "pul-", "twit",
       "vult"],
    &["absk", "acca", "assw", "bmcl", "ew_r", "ghu_", "glag", "glcb", "isco", "lgol", "mbcl", "nssl", "pss_",
       "rys_", "ryu_", "\\x1b"],
    &["%20k", "ailj", "ailw", "apim", "arif", "buck", "desk", "glim", "park", "pliv", "ubyg", "ypef"],
    &["ale_", "alk_", "bear", "book", "btc_", "btu_", "d-ap", "f au", "gsk_", "hetz", "oken"],
    &["bird", "bm_c", "box-", "glpt", "nfp_", "nfur", "rmos", "roku", "xau_", "xfre", "xkey", "xoxc", "xoxd",
       "xoxe", "xoxo", "xoxp", "xoxr", "xoxs"],
    &["bbdc", "bugs", "cle:", "ctio", "ctt3", "ddit", "dp.c", "dp.p", "dp.s", "dron", "gldt", "jses"],
    &["0cba", "432:", "cio", "ckr_", "csk-", "csk_", "gh s", "gho_", "ghp_", "hvb.", "hvr.", "mixp", "psk",
       "tzr\\"],
    &["ghr_", "ghs_", "plai", "rtab", "sq0a", "sqp_", "ssu_", "stma", "ushe", "vcr_", "viru", "vns_"],
    &["7z ", "dkey", "ekey", "eyj", "eyjh", "eyjr", "hzij", "jhdx", "k_te", "liyu", "nzip"],
    &[".eyj", "elic", "ess-", "jars", "lar_", "nexm", "rcy_", "rii-", "rjs-", "rku-", "vly-"],
    &["hf_", "lgun", "mak-", "mj_a", "ook.", "p8e-", "phps", "r8_", "rak-", "rqub", "rzp_", "sauc", "squa", "squ_"],
    &["amzn", "azca", "azse", "gite", "gitt", "glff", "gloa", "k.of", "ldap", "ltai", "nflu", "nvap", "wili"],
    &["-amz", "`tcp", "cat_", "eway", "ezak", "kua_", "kuco", "mad_", "mbly", "pscp", "rsca", "tza\\"],
    &[":543", "c-c-", "iadb", "ildk", "inic", "jenk", "lick", "lino", "sudo", "tcdc", "ypi-", "ytim"],
];

/// Sorted.
static HOMES: LazyLock<Vec<(Window, usize)>> = LazyLock::new(|| {
    let numbered = BUCKETS.iter().enumerate();
    let home = |(home, windows): (usize, &&'static [&str])| {
        windows.iter().map(move |window| (Window::at(window.as_bytes(), 0), home))
    };
    let mut homes: Vec<_> = numbered.flat_map(home).collect();
    homes.sort_unstable();
    homes
});

/// The number of the bucket of a window, if it is one of these.
pub(super) fn home(window: Window) -> Option<usize> {
    let index = HOMES.binary_search_by_key(&window, |&(window, _)| window).ok()?;
    Some(HOMES[index].1)
}
