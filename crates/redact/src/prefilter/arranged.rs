//! The buckets of the windows that the built-in rules have. [`arrange`](super::arrange) writes this file.

use std::sync::LazyLock;

use super::window::Window;

/// Each as it is found in a literal, without regard to case.
#[rustfmt::skip]
pub(super) const BUCKETS: &[&[&str]] = &[
    &["8q~", "://", ":\\/\\", "pass", "pat", "pat-", "pat.", "pat_", "phs_", "phx_", "pk_", "plx-", "re_", "sg.",
       "sk1", "sk3", "sk4", "sk_", "sk_c", "sk_d", "sk_l", "sk_o", "sk_p", "sk_s", "sk_t", "smtp", "sm_a", "sm_s",
       "xa_a", "xoxa", "xoxb", "xoxc", "xoxd", "xoxe", "xoxo", "xoxp", "xoxr", "xoxs", "\\e["],
    &[".eyj", "buil", "cred", "csk-", "ctio", "gram", "jqqj", "krak", "nral", "rail", "rak-", "rcy_", "xai-",
       "_eyj"],
    &["!aq", "+amc", "a01.", "aaaa", "akia", "akid", "c01.", "coin", "cook", "ico-", "igo_", "igqv", "igqw",
       "kaa_", "key", "key-", "key0", "keyt", "keyv", "s04.", "s06.", "sca", "scal", "scan", "sk6", "sk9", "skd",
       "skf", "soa", "v1.0", "vca_", "y0_a", "y0__", "ycaj", "ycm", "ycn", "yco"],
    &["acca", "acdb", "assw", "azca", "bbff", "bb_t", "coda", "dbox", "hzij", "jb3j", "pbox", "plit", "pliv",
       "secr", "_bot", "_liv"],
    &["3489", "432:", "==:", "hubs", "hub_", "lubh", "mtm", "sk5", "sk::", "ske", "skey", "stma", "tcdc", "tifi",
       "tmdb", "tzr\\", "xup_", "\\u00"],
    &[".qq.", "/v1/", "cat_", "cht_", "ghp_", "ghs_", "lack", "lick", "na1.", "nfur", "nfu_", "oken", "okta",
       "rku-", "rys_", "sat.", "shpa", "sv1.", "sys_", "_pub", "_v1_"],
    &["+arm", "+asb", "/v2/", "a91b", "aiza", "atta", "da2-", "db1_", "desk", "deu+", "dus+", "into", "jfro",
       "nhub", "sv2_", "try-", "_v2_"],
    &["abil", "adye", "base", "bitl", "bitw", "bmcl", "dg9r", "hc-p", "omme", "p.au", "pscp", "q.ab", "rqub",
       "xwfp"],
    &["-key", "-v3/", "/key", "cfk_", "csa_", "dkey", "dvc_", "fal_", "ghu_", "glc_", "igu_", "ikey", "ina_",
       "ive_", "lsa_", "sgp_", "slk_", "sqa_", "sqp_", "ssu_", "tka_", "tkey", "tly_", "trex", "try_", "tsy_",
       "vci_", "vns_", "_key"],
    &[":543", "civo", "hclo", "inic", "ink ", "ogic", "sudo", "y.co", "ypi-", "_stg"],
    &["amzn", "api-", "e01.", "elp_", "flp_", "fo1_", "k001", "k004", "ken$", "ken.", "kps_", "mist", "mysq",
       "ook.", "ory_"],
    &["-amz", ".cmq", ":1-h", ":3-h", "ably", "alfx", "cflt", "fact", "ggly", "glft", "lash", "mbly", "tsk_",
       "twit", "vck_", "vf.d", "vf.w", "wpl_"],
    &["-us4", "-us6", "-us7", "-us8", "3mvg", "aqvn", "awk.", "aws_", "c-c-", "crow", "curl", "cut_", "fut_",
       "hunt", "hvb.", "k---", "m1r_", "ovh_"],
    &["m1a_", "pdl_", "pnb_", "pnu_", "pts_", "ret_", "rpa_", "ryi_", "ryu_", "s16.", "sgd_", "sq0a", "squ_",
       "stly", "syt_", "ter_", "tfp_", "wpa_", "xau_", "xtp_", "xtw_", "ya29", "ypt_", "_sk_"],
    &["--us", "256~", "pss_", "psta", "rell", "sauc", "squa", "sts.", "tful", "usto", "vaul", "vtwn", "waka"],
    &["%20k", "+acr", "+aeh", "+ast", "beam", "bear", "dkea", "ekey", "igd_", "kaj_", "llx-", "prd-", "pwd", "sua"],
    &["abia", "ckr_", "geni", "glag", "goca", "inea", "ine_", "inr_", "mong", "nfp_", "nkey", "pca_", "penw",
       "plai", "sbp_", "sona", "xkey"],
    &["$aac", "+aba", "aik_", "aio_", "akcp", "alia", "alk_", "apim", "api_", "eaaa", "eaab", "eaac", "eaag",
       "eaam", "eaao", "eaar", "elic", "ew_r", "jars", "kar_", "lar_", "lass", "lio_", "q0cs", "t0s0", "\\033"],
    &["-api", "-dev", "-tok", "-us0", "-us3", "-us9", "dapi", "odec", "om/i", "rapi", "s03.", "snmp", "snyk",
       "_dev", "_tes", "_tok"],
    &["bigm", "figm", "rbr-", "rii-", "rra-", "sdk-", "sig=", "stac", "tfy-", "trav", "tsy-", "ver-", "verc",
       "y---"],
    &["5aep", "`udp", "f au", "phav", "ppa_", "prj_", "pua_", "rnd_", "roku", "sec_", "sul_", "uth_", "xnd_",
       "zhip", "zxiv", "_wh_"],
    &["!ar", "4b1d", "7z ", "flws", "glpt", "glwt", "scw", "scw_", "sk-", "sk-a", "sk-h", "sk-l", "sk-o", "sl.",
       "xfre", "ycp"],
    &["-lin", "-u ", "-us1", "-us2", "-us5", ":*:", ":aa", "asan", "azdo", "bsa", "ipdb", "l_01"],
    &["7q~", "dtn_", "fsq3", "ipmi", "npm_", "otp", "oy2", "s08.", "spx-", "_pro", "_pw", "_pw_", "_tkn"],
    &["`tcp", "`uni", "asia", "btc_", "ddp_", "ddw_", "dril", "jenk", "k002", "k005", "k_ma", "mbcl", "nfc_",
       "nzip"],
    &["adog", "eaaf", "eaah", "eaaj", "gdom", "glff", "k.of", "kab-", "mob-", "pdo(", "semg", "spag", "uth(",
       "uth:", "ytim"],
    &["ailj", "aiot", "aklt", "bbdc", "bm_c", "book", "box$", "bugs", "ctt3", "eztk", "k003", "ntok"],
    &["absk", "arif", "att3", "bbus", "jotf", "o-u-", "opus", "phps", "pinf", "xosc", "_mmk"],
    &["azfu", "azse", "bint", "bird", "bly_", "btu_", "dp.p", "flow", "gho_", "ghr_", "glrt", "hvr.", "hvs.",
       "jdc_", "jira"],
    &[".in/", "braz", "buck", "bunn", "b_se", "csk_", "isco", "ks.z", "kua_", "kuco", "lsn.", "lunk", "nssl",
       "ora_", "\\33["],
    &["cle:", "d-ap", "ddo_", "dme_", "do00", "fat_", "fm2_", "jhdx", "kbox", "kct_", "kit_"],
    &["1//0", "a3-", "cio", "cohe", "cove", "fb_", "fb_a", "fna", "r8_"],
    &["cnvc", "deep", "e2b_", "ebex", "gh s", "ghos", "giph", "gnat", "nked", "o801"],
    &["`clo", "cypr", "dp.c", "dp.s", "duty", "hetz", "hpt_", "kagi", "kpt_", "nanc", "t1.9"],
    &[":2-h", "adth", "dato", "ddit", "fobi", "prod", "uplo", "upti", "vult", "zuli"],
    &["dose", "dron", "eaad", "eaan", "eu1.", "gite", "gitg", "gloa", "lgol", "nexm", "s-cl", "s-s4", "vmdg"],
    &["atbb", "auth", "grok", "ha_v", "lip_", "ls__", "ltm_", "mixp", "nbp_", "x-jf", "xaat", "xait", "xapp",
       "xapt"],
    &["eyj", "eyjh", "eyjr", "glcb", "gldt", "glim", "glso", "gsk_", "hf_", "iadb", "ppo_", "pp_u", "psk"],
    &["ezak", "k.co", "pul-", "rcom", "rjs-", "rmos", "rzp_", "vona", "xels", "zoho"],
    &["fhb-", "gitt", "gumr", "jump", "koye", "k_te", "nary", "wsap", "xray"],
    &["jses", "kn-1", "lake", "ltai", "nflu", "raki", "rkly", "wili", "yk_v", "ypef", "ypes"],
    &["k-us", "k/p/", "ph0_", "phr_", "pot_", "qov_", "rgej", "todo", "udfl", "umbl", "vcp_", "vcr_", "_sec"],
    &["lify", "logd", "logt", "loka", "mj_a", "moll", "movi", "p8e-", "qclo", "ubyg", "ybad", "yowm"],
    &["amk_", "licl", "lino", "mad_", "mail", "mak-", "mat-", "mqct", "nfo_", "sbx-", "shod", "vly-"],
    &["eaai", "ldap", "liyu", "ogin", "ooke", "rsp-", "rtab", "tza\\", "ushe", "x_ap", "zpka", "z_ai", "\\x1b"],
    &["msh", "mta", "mte", "mti", "mtom", "mtq", "papi", "qlcm", "qlsh", "sk0", "sk8", "ska", "wise", "wist",
       "_api", "_app"],
    &["ntbr", "ntn_", "saa", "sk2", "sk7", "skb", "skc", "smar", "sna", "wand"],
    &["ecur", "ibab", "nar.", "ncen", "ndr+", "oks.", "ollb", "park", "poti", "roti"],
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
