//! The buckets of the windows that the built-in rules have. [`arrange`](super::arrange) writes this file.

use std::sync::LazyLock;

use super::window::Window;

/// Each as it is found in a literal, without regard to case.
#[rustfmt::skip]
pub(super) const BUCKETS: &[&[&str]] = &[
    &["azdo", "buil", "ctio", "ctt3", "ezak", "eztk", "mta", "mti", "mtm", "mtq", "pa-", "pat", "pat-", "pat.",
       "pat_", "pk_", "pnb_", "qn_", "re_", "sk-", "sk-a", "sk-h", "sk-l", "sk-o", "sk1", "sk2", "sk4", "sk9",
       "ska", "skb", "skd", "sk_", "sk_c", "sk_d", "sk_l", "sk_o", "sk_p", "sk_s", "sk_t", "sna", "snmp"],
    &["gram", "nral", "p8e-", "plai", "rail", "rak-", "raki", "rapi", "secr", "skey", "umbl", "xai-", "xkey",
       "_api", "_key", "_mmk"],
    &[".qq.", "akia", "akid", "fo1_", "kaa_", "key", "key-", "key0", "keyt", "keyv", "mong", "nanc", "nbp_",
       "q.ab", "sbp_", "sca", "scal", "scan", "scw", "scw_", "smar", "vona"],
    &["dril", "hvb.", "hzij", "jump", "o801", "sk0", "sk5", "sk6", "sk7", "sk8", "ske", "skf", "tifi", "tkey",
       "vmdg", "xels", "zhip"],
    &["/v1/", "ailj", "civo", "cnvc", "lack", "lass", "lick", "lip_", "pass", "qclo", "rgej", "s16.", "sgp_",
       "sv1.", "sys_", "uplo", "ycaj", "ypef", "\\x1b", "_pub", "_pw_", "_v1_"],
    &[":2-h", ":3-h", "adth", "akcp", "aklt", "assw", "atta", "crow", "ddit", "dp.p", "fb_a", "qlsh", "smtp",
       "twit", "vf.d", "vf.w"],
    &["abil", "adog", "adye", "base", "bmcl", "deep", "gdom", "ghos", "mail", "mbcl", "omme", "ypes", "ytim"],
    &["fsq3", "lt_", "rbr-", "rcy_", "rsp-", "rzp_", "vcp_", "vcr_", "vly-", "wise", "wist", "ycp", "yk_v", "\\e[",
       "\\u00"],
    &["+asb", "+ast", "256~", "bird", "dato", "ddw_", "dg9r", "fat_", "inr_", "into", "mist", "ret_", "rys_",
       "ryu_", "vtwn", "ypt_"],
    &["-amz", "-key", ".cmq", "/key", "btu_", "db1_", "ddo_", "dkey", "dtn_", "dvc_", "ggly", "ghs_", "igo_",
       "inc_", "ine_", "ive_", "kaj_", "kar_", "kps_", "ks.z", "ls__", "ltm_", "m1a_", "m1r_", "mbly", "nary",
       "nkey", "ora_", "ory_", "ryi_", "try_", "wpa_", "xray", "xtw_"],
    &["a91b", "aik_", "aiot", "aio_", "amk_", "ck_", "cove", "f au", "gnat", "hf_", "koye", "p.au", "wsap", "zxiv"],
    &["/v2/", "000.", "ate_", "aws_", "npm_", "ovh_", "penw", "ph0_", "phr_", "phs_", "phx_", "pnu_", "sec_",
       "sts_", "sul_", "sv2_", "ter_", "tfp_", "_v2_", "_wh_"],
    &["`clo", "aaaa", "alk_", "eaaa", "eaag", "eaah", "eaaj", "eaao", "flow", "gloa", "hc-p", "hclo", "ina_",
       "ink ", "kn-1", "ldap", "loka", "pca_", "pdl_", "pdo(", "ppo_", "vca_", "x_ap"],
    &["4b1d", "5aep", ":\\/\\", "q0cs", "s03.", "s06.", "sauc", "squa", "t0s0", "trav", "tza\\", "ubyg", "vaul",
       "xaat", "xait", "xa_a", "ypi-"],
    &["+aeh", "arif", "ew_r", "eyjh", "k.of", "krak", "spag", "syt_", "todo", "uth(", "uth:"],
    &["--us", "`uni", "alia", "ecur", "elic", "flws", "geni", "k-us", "kagi", "liyu", "ltai", "ooke", "stac",
       "ushe", "_sec"],
    &["3489", "ably", "alfx", "deu+", "llx-", "pliv", "plx-", "sbx-", "stly", "sts.", "trex", "try-", "tsy-",
       "\\33[", "_dev", "_liv"],
    &["+aba", "+acr", "+amc", "-us0", "-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9",
       "==:", "pwd", "sg.", "sgd_", "v1.0", "ya29", "ycm", "ycn", "yco"],
    &["ard_", "eyjr", "gsk_", "gumr", "hub_", "hunt", "isco", "prd-", "prj_", "y---", "_pro", "_sk_", "_stg"],
    &["+arm", "-v3/", ".eyj", ".in/", "api-", "ate-", "curl", "dp.c", "dp.s", "nssl", "tful", "ver-", "verc",
       "yowm", "\\033"],
    &["!aq", "aiza", "bigm", "eaab", "eaac", "eaad", "eaaf", "eaai", "eaam", "eaan", "eo_", "ha_v", "ibab", "jotf",
       "ogic", "ogin", "okta", "r8_", "rra-", "y0_a", "y0__", "z_ai", "_pw"],
    &["$aac", "-api", "dapi", "jenk", "movi", "odec", "ollb", "rqub", "rtab", "semg", "sk::", "zuli", "_tok"],
    &["!ar", "apim", "api_", "aqvn", "sl.", "slk_", "soa", "tka_", "udfl"],
    &["a01.", "c01.", "e01.", "k/p/", "park", "pot_", "ppa_", "pua_", "qov_", "s08.", "sat.", "ser.", "sqp_",
       "squ_", "ssu_", "usto", "vci_", "vck_", "xau_", "xup_"],
    &["-u ", "7z ", "asia", "awk.", "mte", "sq0a", "sqa_", "sua", "sudo"],
    &["%20k", "432:", ":543", "d-ap", "e2b_", "o-u-", "tsk_", "tsy_", "tzr\\", "vult", "xtp_", "_tes"],
    &["-dev", "`udp", "bly_", "btc_", "cht_", "ckr_", "cut_", "da2-", "ddp_", "dme_", "do00", "flp_", "fut_",
       "jdc_", "kct_", "kpt_", "mad_", "mysq", "s04."],
    &["7q~", "8q~", "`tcp", "a3-", "asan", "azca", "azfu", "azse", "b_se", "hubs", "hvr.", "hvs.", "jqqj", "m0-",
       "mqct"],
    &[":1-h", "abia", "absk", "acca", "acdb", "amzn", "beam", "bear", "bitw", "book", "cflt", "gitg", "gitt",
       "jb3j", "jira"],
    &["bb_t", "bm_c", "dbox", "hpt_", "kbox", "pbox", "plit", "rkly", "rmos", "roku", "sm_a", "sm_s", "snyk",
       "tly_", "vns_"],
    &["bitl", "goca", "k001", "qlcm", "rcom", "rell", "shpa", "sig=", "sona"],
    &["3mvg", "atbb", "att3", "bbdc", "bbff", "bbus", "cred", "gh s", "ghp_", "ghu_", "nfp_", "nfur", "nfu_",
       "nhub", "nked", "roti", "x-jf"],
    &["bint", "box$", "braz", "cat_", "cfk_", "cle:", "gldt", "glft", "glwt", "k---", "kit_", "mat-", "spx-"],
    &["bsa", "buck", "bunn", "csa_", "csk-", "csk_", "eyj", "ipdb", "ipmi", "kuco", "k_ma", "lsa_", "lubh", "lunk",
       "msh"],
    &["bugs", "dkea", "eaar", "figm", "glag", "glff", "glim", "jses", "mixp", "na1.", "nexm"],
    &["cg-", "cio", "cohe", "coin", "cook", "ebex", "fhb-", "fobi", "md-", "mob-"],
    &["cs_", "cu_", "cypr", "dron", "grok", "k002", "k003", "k004", "k005", "otp", "oy2"],
    &["auth", "desk", "dus+", "duty", "eu1.", "giph", "igqv", "igqw", "lash", "lify", "oks.", "t1.9"],
    &["c-c-", "dose", "fm2_", "gite", "glcb", "glso", "jfro", "lgol", "s-cl", "s-s4", "wili", "xfre", "xosc",
       "xoxa", "xoxb", "xoxc", "xoxd", "xoxe", "xoxo", "zoho"],
    &["elp_", "fact", "fal_", "gho_", "ghr_", "glc_", "glpt", "glrt", "jhdx", "mak-", "mj_a", "pscp", "pss_",
       "psta", "pts_", "upti", "wpl_"],
    &["1//0", ":*:", "://", "fb_", "fc-", "mb_", "papi", "phav", "phps", "xapp", "xapt", "xoxp", "xoxr", "xoxs",
       "_app", "_bot"],
    &["coda", "est-", "l_01", "mtom", "ntok", "prod", "sdk-", "shod", "stma", "wand", "ybad", "zpka"],
    &[":aa", "fna", "iadb", "nfc_", "psk", "saa", "sk3", "skc", "xwfp"],
    &["fw_", "k_te", "nzip", "poti", "rii-", "rnd_", "sig_", "tfy-", "xnd_"],
    &["ekey", "hetz", "ico-", "igd_", "igu_", "ikey", "lake", "nflu", "nfo_", "pp_u", "rjs-", "rku-", "rpa_"],
    &["k.co", "lino", "lio_", "logd", "logt", "ncen", "oken", "pinf", "tcdc", "tmdb", "y.co", "_tkn"],
    &["-tok", "inea", "inic", "licl", "moll", "om/i", "opus", "waka", "_eyj"],
    &["jars", "kab-", "ken$", "ken.", "kua_", "lar_", "lsn.", "nar.", "ndr+", "ntbr", "ntn_", "ole-", "ook.",
       "pul-", "uth_"],
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
