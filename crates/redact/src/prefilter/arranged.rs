//! The buckets of the windows that the built-in rules have. [`arrange`](super::arrange) writes this file.

use std::sync::LazyLock;

use super::window::Window;

/// Each as it is found in a literal, without regard to case.
#[rustfmt::skip]
pub(super) const BUCKETS: &[&[&str]] = &[
    &["bugs", "npm_", "nssl", "pass", "pat", "pat-", "pat_", "pbox", "re_", "rjs-", "rmos", "scw", "scw_", "sk_",
       "sk_l", "sk_t", "smtp", "whse", "\\033", "\\33[", "\\e["],
    &["buck", "cle:", "dron", "nhub", "ogin", "oken", "opsg", "p8e-", "park", "secr", "semg"],
    &["1//0", "://", "a91b", "aiot", "aio_", "fo1_", "gnat", "k---", "key", "key-", "keyt", "v1.0", "vult"],
    &["assw", "auth", "desk", "igqw", "jqqj", "krak", "ks.z", "lack", "lash", "trex"],
    &["-amz", "-lin", ":*:", ":aa", "sauc", "sk-a", "sk-h", "sk-l", "sk-o", "sk0", "sk1", "sk2", "sk3", "sk5",
       "sk9", "ska", "skb", "skc", "ske", "skey", "sqa_", "squa", "sv2_", "tful", "tza\\", "vca_", "vci_"],
    &["+asb", "+ast", "-api", "432:", "cred", "qclo", "sbp_", "ter_", "tifi", "vcr_", "vns_"],
    &["+aba", "+aeh", "+amc", "-sec", "adog", "glag", "gloa", "mong", "odec", "ushe", "_sec", "_tok"],
    &["0cba", "3489", "c01.", "gdom", "ggly", "glcb", "glpt", "ibab", "k001", "k002", "k004", "k005", "mist",
       "odoi", "ollb", "ook.", "ooke", "s01."],
    &["azca", "azdo", "azfu", "azse", "eyj", "eyjr", "ezak", "eztk", "lsa_", "lsn.", "ltai", "lunk", "otp", "p.au",
       "psk", "pwd", "\\u00"],
    &["+arm", "/v2/", "aqvn", "atta", "ckr_", "curl", "fm2_", "lar_", "lgun", "o-u-", "okta", "tzr\\", "_v2_"],
    &["-us0", "-us1", "-us4", "-us6", "-us7", "4b1d", "aik_", "aiza", "akcp", "aklt", "amk_", "amzn", "db1_",
       "fact", "glc_", "glso", "ink ", "jdc_", "trav", "wpl_"],
    &["aaaa", "asia", "cat_", "dkey", "kua_", "ls__", "nfp_", "penw", "rcy_", "sona", "tfp_", "tkey", "vona",
       "waka"],
    &["-key", ".eyj", "/key", ":543", "bird", "jira", "mbly", "mj_a", "s-s4", "stly", "twit", "_tes"],
    &["7q~", "8q~", "hvr.", "hvs.", "nsul", "oy2", "r8_", "rqub", "spx-", "squ_", "ssu_", "sv1.", "_pw", "_pw_"],
    &["-u ", "-us2", "-us3", "-us5", "-us8", "-us9", "7z ", "rkly", "roku", "sg.", "sk-", "sl.", "slk_", "_sk_"],
    &["+acr", "acdb", "aid_", "akia", "akid", "asan", "ddit", "gldt", "glft", "k003", "kab-", "kagi", "kuco"],
    &["abia", "absk", "acca", "eaaa", "eaab", "eaag", "goca", "ico-", "ubyg", "wili", "xai-", "xapp", "xosc",
       "yk_v", "_api", "_app"],
    &["ailj", "ailw", "arif", "hc-p", "ildk", "ldap", "pliv", "x-jf", "ycaj", "_liv", "_mmk"],
    &["ale_", "alk_", "apim", "api_", "aws_", "box-", "btc_", "btu_", "csk-", "csk_", "dbx_", "dme_", "hclo",
       "qlcm", "rku-", "rnd_", "robo", "vck_", "xau_", "zoho"],
    &["atbb", "att3", "ctt3", "dp.c", "dp.p", "dp.s", "inic", "lino", "loka", "ogic", "oinb", "umbl", "wooc"],
    &["--us", "d-ap", "eway", "gsk_", "jses", "m1a_", "pnu_", "q0cs", "sgp_", "ude_", "vcp_", "xoxp", "xoxs"],
    &["bear", "duty", "ekey", "ew_r", "hetz", "rsca", "rzp_", "sq0a", "sqp_", "\\x1b"],
    &["-v3/", "cio", "cohe", "cook", "e2b_", "gho_", "iadb", "jina", "lgol", "mbcl"],
    &["bbdc", "dril", "elic", "ess-", "flws", "glff", "glim", "isco", "ryu_", "try-", "try_", "udfl", "vly-",
       "ypef"],
    &["ghp_", "glrt", "hf_", "hvb.", "jars", "pgra", "shpa", "sk4", "sk6", "sk7", "sk8", "skd", "skf", "xfre"],
    &["ghr_", "ghs_", "hub_", "igd_", "m1r_", "mad_", "mak-", "mixp", "mysq", "nvap", "ora_", "ovh_", "rra-",
       "rys_", "_v1_"],
    &["dapi", "gite", "gitt", "grok", "ipmi", "shod", "spag", "stma", "viru", "vmdg"],
    &[".qq.", "ntn_", "pca_", "pdl_", "plx-", "pnb_", "ppa_", "ppo_", "prj_", "pua_", "pul-", "rii-", "rpa_",
       "sig=", "sul_", "uth_", "ypi-"],
    &["book", "igqv", "k.of", "nanc", "ncen", "nked", "ntok", "rgej", "wand", "ya29", "ybad"],
    &["bm_c", "k-us", "k_te", "liyu", "nfur", "poti", "roti", "snyk", "xoxa", "xoxb", "xoxc", "xoxd", "xoxe",
       "xoxo", "xoxr"],
    &["ghu_", "nexm", "nflu", "nzip", "opus", "owse", "phx_", "pscp", "pss_", "xkey", "_eyj"],
    &["bmcl", "c-c-", "lick", "licl", "moll", "rak-", "ral-", "rcom", "rell", "rtab", "s-cl", "sdk-", "ytim"],
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
