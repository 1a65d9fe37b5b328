//! Secrets known by the shape around them, and tokens by how they begin. Everything that looks like one is built here.

use crate::support::{capitals, hex, letters, redact, unchanged};

const MASK: &str = "[REDACTED]";

#[test]
fn headers() {
    for (input, expected) in [
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [REDACTED]"),
        ("authorization: bearer abc.def-1", "authorization: bearer [REDACTED]"),
        ("> Authorization: Token 0123abcd", "> Authorization: Token [REDACTED]"),
        ("-H 'Authorization: Bearer abcd1234' -v", "-H 'Authorization: Bearer [REDACTED]' -v"),
        (r#"{"Authorization": "Bearer abcd1234"}"#, r#"{"Authorization": "Bearer [REDACTED]"}"#),
        ("Authorization: abcdef0123456789", "Authorization: [REDACTED]"),
        ("Proxy-Authorization: Basic dXNlcjpwYXNz", "Proxy-Authorization: Basic [REDACTED]"),
        (
            "Authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature=c",
            "Authorization: AWS4-HMAC-SHA256 [REDACTED]",
        ),
        (
            "Authorization: Digest username=\"u\", response=\"r\"",
            "Authorization: Digest [REDACTED]",
        ),
        ("Authorization: Token token=\"aB3d\", nonce=\"x\"", "Authorization: Token [REDACTED]"),
        ("-H 'Authorization: Token token=\"aB3d\"' -v", "-H 'Authorization: Token [REDACTED]' -v"),
        (
            r#"-H "Authorization: Token token=\"aB3d\"" -v"#,
            r#"-H "Authorization: Token [REDACTED]" -v"#,
        ),
        (
            r#"{"Authorization":"Token token=\"aB3d\"","b":1}"#,
            r#"{"Authorization":"Token [REDACTED]","b":1}"#,
        ),
        ("Authorization: Bearer token=\"aB3d\"", "Authorization: Bearer [REDACTED]"),
        ("Authorization: MAC id=\"x\", mac=\"aB3d\"", "Authorization: MAC [REDACTED]"),
        ("Authorization: EG1-HMAC-SHA256 a=b;c=d", "Authorization: EG1-HMAC-SHA256 [REDACTED]"),
        ("Authorization: Own-Scheme key=\"aB3d\"", "Authorization: Own-Scheme [REDACTED]"),
        ("Authorization: ApiToken aB3dE5gH7j\n", "Authorization: ApiToken [REDACTED]\n"),
        ("Authorization: Bearer H790Mr?_AV4prZ", "Authorization: Bearer [REDACTED]"),
        ("Authorization: Basic H790Mr%_AV4prZ", "Authorization: Basic [REDACTED]"),
        ("X-Auth-Token: p0AtiI&&ilP06v", "X-Auth-Token: [REDACTED]"),
        ("password=p0AtiI&&ilP06v", "password=[REDACTED]"),
        ("password=p0AtiI&&python3 x", "password=[REDACTED]&&python3 x"),
        ("sent Bearer abcd1234efgh? yes", "sent Bearer [REDACTED]? yes"),
        ("sent Bearer abcd1234efgh to it", "sent Bearer [REDACTED] to it"),
        ("Bearer abcd1234efgh: 5\n", "Bearer [REDACTED]: 5\n"),
        ("Authorization: Basic dXNlcjpwYXNz:\n", "Authorization: Basic [REDACTED]:\n"),
        ("Cookie: sid=abc; theme=dark", "Cookie: sid=[REDACTED]; theme=[REDACTED]"),
        ("Set-Cookie: sid=abc; Path=/; HttpOnly", "Set-Cookie: sid=[REDACTED]; Path=/; HttpOnly"),
        ("-H \"Cookie: a=1\"", "-H \"Cookie: a=[REDACTED]\""),
    ] {
        assert_eq!(redact(input), expected);
    }
    for input in [
        "Authorization: required",
        "authorization: the user must log in",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "Authorization: Bearer [REDACTED]",
        "uses bearer authentication for all",
        "cookie: a small text",
        "Cookie: sid=[REDACTED]; theme=[REDACTED]",
        "authorization is needed",
    ] {
        unchanged(input);
    }
}

#[test]
fn addresses() {
    for (input, expected) in [
        ("postgres://u:p4ss@db/x", "postgres://u:[REDACTED]@db/x"),
        ("redis://:abc@h:6379", "redis://:[REDACTED]@h:6379"),
        ("https://user:p@ss@host/a?b=c", "https://user:[REDACTED]@host/a?b=c"),
        ("mongodb+srv://u:p/w@h/db", "mongodb+srv://u:[REDACTED]@h/db"),
        ("(see amqp://u:pw@h)", "(see amqp://u:[REDACTED]@h)"),
        ("curl -u alice:hunter2 http://h", "curl -u alice:[REDACTED] http://h"),
        ("curl --user 'a:b c' http://h", "curl --user 'a:[REDACTED]' http://h"),
    ] {
        assert_eq!(redact(input), expected);
    }
    for input in [
        "https://example.org/a:b@c",
        "http://host:8080/path?x=a@b",
        "git@github.com:owner/name.git",
        "ssh://git@github.com/owner/name.git",
        "postgres://user:${PASSWORD}@db/x",
        "postgres://user:[REDACTED]@db/x",
        "postgres://user:***@db/x",
        "docker run -u 1000:1000 image",
        "https://a.b/c, mail d:e@f",
    ] {
        unchanged(input);
    }
}

#[test]
fn web_tokens_and_webhooks() {
    let token = format!("eyJ{}.eyJ{}.{}", letters(20), letters(40), letters(43));
    assert_eq!(redact(&format!("jwt {token} end")), "jwt [REDACTED] end");
    assert_eq!(redact(&format!("jwt {token}.")), "jwt [REDACTED].");
    let cut = format!("eyJ{}.eyJ{}", letters(20), letters(40));
    assert_eq!(redact(&cut), MASK);
    let path = format!("T{}/B{}/{}", capitals(8), capitals(8), letters(24));
    assert_eq!(
        redact(&format!("https://hooks.slack.com/services/{path} ok")),
        "https://hooks.slack.com/services/[REDACTED] ok"
    );
    let discord = format!("https://discord.com/api/webhooks/123456/{}", letters(60));
    assert_eq!(redact(&discord), "https://discord.com/api/webhooks/123456/[REDACTED]");
    let key = format!("ghp_{}", letters(36));
    assert_eq!(
        redact(&format!("https://{key}:hunter2@host")),
        "https://[REDACTED]:[REDACTED]@host"
    );
    assert_eq!(
        redact(&format!("Cookie: a={key}; {key}=1; b=2")),
        "Cookie: a=[REDACTED]; [REDACTED]=[REDACTED]; b=[REDACTED]"
    );
    let bot = format!("123456789:AA{}", letters(33));
    assert_eq!(redact(&bot), "123456789:[REDACTED]");
    assert_eq!(
        redact(&format!("https://api.telegram.org/bot{bot}/x")),
        "https://api.telegram.org/bot123456789:[REDACTED]/x"
    );
    for input in
        ["eyJ", "eyJhbGci", "keyJoint.value", "hooks.slack.com/services/", "12:AAB", "a.eyJ.b"]
    {
        unchanged(input);
    }
}

/// Each prefix with a body of the right kind and length.
fn tokens() -> Vec<(&'static str, String)> {
    let mut tokens = Vec::new();
    let mut add = |id, prefixes: &[&str], body: String| {
        for prefix in prefixes {
            tokens.push((id, format!("{prefix}{body}")));
        }
    };
    add("anthropic-key", &["sk-ant-"], format!("api03-{}", letters(40)));
    add("openai-key", &["sk-", "sk-proj-", "sk-or-v1-"], letters(40));
    add("hugging-face-token", &["hf_", "api_org_"], letters(34));
    add("replicate-token", &["r8_"], letters(37));
    add("groq-key", &["gsk_"], letters(52));
    add("perplexity-key", &["pplx-"], letters(48));
    add("xai-key", &["xai-"], letters(80));
    add("cerebras-key", &["csk-"], letters(48));
    add("nvidia-key", &["nvapi-"], letters(64));
    add("langsmith-key", &["lsv2_pt_", "lsv2_sk_"], format!("{}_{}", hex(32), hex(10)));
    add("elevenlabs-key", &["sk_"], hex(48));
    add("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], letters(36));
    add("github-fine-grained-token", &["github_pat_"], format!("{}_{}", letters(22), letters(59)));
    add(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-",
            "glsoat-", "gloas-",
        ],
        letters(20),
    );
    add("bitbucket-app-password", &["ATBB"], letters(32));
    add("atlassian-token", &["ATATT3", "ATCTT3"], letters(120));
    add("npm-token", &["npm_"], letters(36));
    add("pypi-token", &["pypi-AgE"], letters(80));
    add("rubygems-key", &["rubygems_"], hex(48));
    add("nuget-key", &["oy2"], letters(43).to_lowercase());
    add("crates-io-token", &["cio"], letters(32));
    add("docker-hub-token", &["dckr_pat_", "dckr_oat_"], letters(27));
    add("sourcegraph-token", &["sgp_"], hex(40));
    add("sonar-token", &["sqp_", "squ_", "sqa_"], hex(40));
    add("jfrog-key", &["AKCp"], letters(69));
    add("clojars-token", &["CLOJARS_"], hex(60));
    add("buildkite-token", &["bkua_"], hex(40));
    add("circleci-token", &["CCIPAT_"], format!("{}_{}", letters(22), hex(40)));
    add("pulumi-token", &["pul-"], hex(40));
    add("netlify-token", &["nfp_"], letters(40));
    add("linear-key", &["lin_api_", "lin_oauth_"], letters(40));
    add("prefect-key", &["pnu_"], letters(36));
    add("aws-access-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], capitals(16));
    add("aws-bedrock-key", &["ABSK"], letters(120));
    add("google-api-key", &["AIza"], letters(35));
    add("google-oauth-secret", &["GOCSPX-"], letters(28));
    add("google-oauth-token", &["ya29."], letters(80));
    add("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], hex(64));
    add("heroku-key", &["HRKU-"], letters(58));
    add("fly-token", &["fo1_", "fm2_", "fm1r_", "fm1a_"], letters(43));
    add("alibaba-access-key-id", &["LTAI"], letters(20));
    add("tencent-secret-id", &["AKID"], letters(32));
    add("scaleway-access-key", &["SCW"], capitals(17));
    add("planetscale-token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], letters(43));
    add("databricks-token", &["dapi"], hex(32));
    add(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        letters(43),
    );
    add("vault-token", &["hvs.", "hvb.", "hvr."], letters(90));
    add("one-password-token", &["ops_eyJ"], letters(250));
    add("age-secret-key", &["AGE-SECRET-KEY-1"], capitals(58));
    add("supabase-token", &["sbp_"], hex(40));
    add("supabase-secret-key", &["sb_secret_"], letters(31));
    add("tailscale-key", &["tskey-auth-", "tskey-api-"], letters(30));
    add("cloudflare-origin-key", &["v1.0-"], format!("{}-{}", hex(24), hex(146)));
    add(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe."],
        format!("1234567890-{}", letters(24)),
    );
    add("slack-app-token", &["xapp-"], format!("1-A{}-{}", capitals(10), hex(64)));
    add("sendgrid-key", &["SG."], format!("{}.{}", letters(22), letters(43)));
    add("mailgun-key", &["key-"], hex(32));
    add("brevo-key", &["xkeysib-", "xsmtpsib-"], format!("{}-{}", hex(64), letters(16)));
    add("resend-key", &["re_"], format!("{}_{}", letters(8), letters(24)));
    add("facebook-token", &["EAACEdEose0cBA", "EAAG", "EAAB"], letters(120));
    add("twitter-bearer-token", &["AAAAAAAAAAAAAAAAAAAAA"], letters(80));
    add("notion-token", &["ntn_"], letters(46));
    add("stripe-key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_"], letters(24));
    add("stripe-webhook-secret", &["whsec_"], letters(32));
    add("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_"], hex(32));
    add("square-token", &["EAAAE", "sq0atp-", "sq0csp-"], letters(60));
    add("flutterwave-key", &["FLWSECK_TEST-", "FLWSECK-"], format!("{}-X", hex(32)));
    let uuid = format!("{}-{}-{}-{}-{}", hex(8), hex(4), hex(4), hex(4), hex(12));
    add(
        "plaid-token",
        &["access-sandbox-", "access-production-", "access-development-"],
        uuid.clone(),
    );
    add("easypost-key", &["EZAK", "EZTK"], letters(54));
    add("shippo-token", &["shippo_live_", "shippo_test_"], hex(40));
    add("duffel-token", &["duffel_live_", "duffel_test_"], letters(43));
    add("grafana-token", &["glsa_"], format!("{}_{}", letters(32), hex(8)));
    add("grafana-cloud-token", &["glc_"], letters(100));
    add("new-relic-key", &["NRAK-", "NRJS-", "NRII-", "NRRA-", "NRAL-"], capitals(27));
    add("sentry-token", &["sntrys_", "sntryu_"], letters(64));
    add("dynatrace-token", &["dt0c01.", "dt0s01."], format!("{}.{}", capitals(24), capitals(64)));
    add("honeycomb-key", &["hcaik_", "hcalk_", "hcamk_"], letters(58));
    add("posthog-key", &["phx_"], letters(43));
    add("airtable-token", &["pat"], format!("{}.{}", letters(14), hex(64)));
    add("figma-token", &["figd_"], letters(40));
    add("postman-key", &["PMAK-"], format!("{}-{}", hex(24), hex(34)));
    add("dropbox-token", &["sl."], letters(140));
    add("contentful-token", &["CFPAT-"], letters(43));
    add("hubspot-token", &["pat-na1-", "pat-eu1-", "pat-na2-"], uuid);
    add("typeform-token", &["tfp_"], letters(59));
    add("frameio-token", &["fio-u-"], letters(64));
    add("readme-key", &["rdme_"], letters(70).to_lowercase());
    add("infracost-key", &["ico-"], letters(32));
    add("twilio-key", &["SK0", "SKf"], hex(31));
    tokens
}

#[test]
fn every_prefix_is_masked_in_every_place() {
    for (id, token) in tokens() {
        for (before, after) in [
            ("", ""),
            ("at ", " ok"),
            ("(", ")"),
            ("\"", "\","),
            ("x=", "&y=1"),
            ("'", "'"),
            ("\\n", "\\n"),
            ("a,", ","),
            ("<b>", "</b>"),
        ] {
            let text = format!("{before}{token}{after}");
            assert_eq!(redact(&text), format!("{before}{MASK}{after}"), "{id}: {text}");
        }
    }
}

#[test]
fn findings_name_their_rule() {
    let redactor = handrail_redact::Redactor::new(handrail_redact::Options::default()).unwrap();
    for (id, token) in tokens() {
        let findings = redactor.scan(format!("at {token} ok").as_bytes());
        assert_eq!(findings.len(), 1, "{id}");
        assert_eq!(
            (redactor.rule_name(findings[0].rule), findings[0].start, findings[0].end),
            (id, 3, 3 + token.len())
        );
    }
}

#[test]
fn a_prefix_inside_a_word_or_without_a_body_stays() {
    for (id, token) in tokens() {
        let prefix: String = token.chars().take(3).collect();
        unchanged(&format!("{prefix} alone"));
        let inside = format!("x{token}");
        let redacted = redact(&inside);
        assert!(redacted == inside || redacted.starts_with('x'), "{id}: {redacted}");
    }
    for input in [
        "sk-folding-cube",
        "sk-learn",
        "disk-usage-report-1234567890",
        "ghp_short",
        "AKIASHORT",
        "npm_config_registry",
        "hf_hub_download",
        "glpat-",
        "pattern.matching",
        "re_export_everything_from_module_here",
        "key-value-store",
        "AGE-SECRET-KEY-",
        "SKIP0123",
    ] {
        unchanged(input);
    }
}
