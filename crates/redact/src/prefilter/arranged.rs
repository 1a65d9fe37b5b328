//! The buckets of the windows that the built-in rules have. [`arrange`](super::arrange) writes this file.

use std::sync::LazyLock;

use super::window::Window;

/// Each as it is found in a literal, without regard to case.
#[rustfmt::skip]
pub(super) const BUCKETS: &[&[&str]] = &[
    &["oy2", "pass", "pat", "pat-", "pat_", "phx_", "plx-", "re_", "sg.", "sig=", "sk5", "sk7", "sk_", "sk_l",
       "sk_t", "sl."],
    &["0cba", "1//0", "akcp", "mong", "pliv", "secr", "semg", "v1.0", "vmdg", "vona", "x-jf", "_liv"],
    &[".qq.", "7z ", "://", "eaaa", "eaab", "eaag", "flws", "key", "key-", "keyt", "ooke", "_pw", "_pw_"],
    &["-lin", "c01.", "cred", "lsn.", "robo", "s01.", "sbp_", "sgp_", "ter_", "vcr_", "zoho"],
    &["-api", "-u ", "aqvn", "azca", "azfu", "azse", "mysq", "sk0", "sk1", "sk2", "sk6", "sk9", "ska", "skb",
       "ske", "skey", "skf", "snyk", "tza\\", "tzr\\", "\\e[", "\\u00"],
    &["-us1", "-us2", "-us3", "-us4", "-us6", "-us8", "-us9", "o-u-", "qlcm", "rjs-", "rtab", "sona", "tifi",
       "waka", "wand", "_sec"],
    &["+aba", "+acr", "+aeh", "+arm", "+asb", "4b1d", "aik_", "aiza", "akia", "akid", "auth", "db1_", "krak",
       "lack", "lash", "nzip", "squa", "sudo", "trav", "\\x1b"],
    &["-v3/", "/v2/", "atta", "eztk", "k---", "ovh_", "spx-", "sq0a", "sqp_", "sv2_", "try-", "try_", "uth_",
       "ypi-", "_v2_"],
    &["-us0", "-us5", "-us7", "cohe", "glcb", "glso", "goca", "inic", "ink ", "lgun", "sdk-", "wooc", "xosc",
       "xoxa", "xoxb", "xoxc", "xoxd", "xoxe", "xoxo"],
    &["aiot", "aio_", "aklt", "dbx_", "gnat", "mist", "nflu", "nfp_", "pnu_", "ppa_", "ppo_", "rnd_", "rzp_",
       "tfp_", "trex", "vns_", "wpl_", "_v1_"],
    &["fm2_", "glc_", "gldt", "glff", "glft", "glrt", "jars", "pnb_", "prj_", "pscp", "psk", "pss_", "pwd", "sk-",
       "sk-a", "sk-h", "sk-l", "sk-o", "sk3", "sk4", "skc", "skd", "vck_"],
    &["c-c-", "gite", "gitt", "gloa", "jira", "mj_a", "ral-", "stly", "stma", "ubyg", "ushe", "ytim"],
    &[":543", "abia", "acca", "bbdc", "fo1_", "ghr_", "ghs_", "hetz", "loka", "odec", "ogic", "ogin", "oken",
       "rcy_", "rgej", "vcp_", "\\33["],
    &["-sec", "-tok", "q0cs", "roti", "shod", "shpa", "ude_", "udfl", "ybad", "ycaj", "\\033"],
    &["+ast", "-amz", "-key", "/key", "k001", "k003", "k004", "k005", "m1a_", "m1r_", "rpa_", "rys_", "ryu_",
       "vult", "_sk_", "_tes"],
    &["7q~", "8q~", "bm_c", "ghu_", "hf_", "nfur", "nhub", "nssl", "r8_", "sauc", "scw", "scw_", "sk8", "tful",
       "whse", "xau_"],
    &[":aa", "aaaa", "aid_", "amk_", "hc-p", "hvb.", "ipmi", "rii-", "vca_", "vci_"],
    &["absk", "adog", "ailj", "ailw", "dapi", "gdom", "ggly", "glag", "nexm", "odoi", "penw", "pul-", "spag",
       "wili", "_api", "_tok"],
    &["432:", "bear", "bird", "ddit", "dkey", "ekey", "ldap", "rqub", "tkey", "twit", "xkey", "xoxp", "xoxr"],
    &["ale_", "alk_", "apim", "api_", "book", "btu_", "cle:", "cook", "csk-", "csk_", "glim", "gsk_", "lsa_",
       "ltai", "pca_", "rkly", "roku", "slk_", "vly-", "xai-"],
    &["+amc", "a91b", "arif", "atbb", "att3", "azdo", "bugs", "ctt3", "hub_", "k002", "kua_", "kuco"],
    &["amzn", "asia", "assw", "bmcl", "btc_", "ckr_", "curl", "hclo", "jdc_", "moll", "npm_"],
    &["acdb", "dp.c", "dp.p", "dp.s", "elic", "ezak", "iadb", "ibab", "ico-", "kab-", "nanc", "qclo", "ya29"],
    &["--us", "cat_", "d-ap", "dme_", "e2b_", "fact", "gho_", "ghp_", "k-us", "kagi", "mbcl", "nked"],
    &["dril", "dron", "duty", "ew_r", "grok", "hvr.", "hvs.", "jses", "k.of", "ks.z", "s-cl", "s-s4"],
    &["ess-", "ildk", "isco", "mad_", "mak-", "p8e-", "pdl_", "pua_", "rku-", "rra-", "_mmk"],
    &[":*:", "asan", "cio", "eway", "eyj", "eyjr", "glpt", "jina", "otp"],
    &["aws_", "desk", "igd_", "igqv", "igqw", "jqqj", "mixp", "nvap", "okta", "ora_", "sqa_", "sul_", "sv1."],
    &[".eyj", "buck", "lgol", "lick", "licl", "lunk", "ntok", "oinb", "ollb", "park", "rell", "umbl", "_eyj"],
    &["k_te", "opsg", "opus", "owse", "p.au", "pgra", "poti", "viru", "xfre", "xoxs"],
    &["box-", "lar_", "lino", "ncen", "ook.", "rak-", "rcom", "rsca", "squ_", "ssu_", "yk_v", "ypef"],
    &["3489", "liyu", "ls__", "mbly", "ntn_", "pbox", "rmos", "smtp", "xapp", "_app"],
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
