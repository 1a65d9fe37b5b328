use super::{is_quiet_awk, is_quiet_sed};

#[test]
fn plain_texts_start_nothing() {
    for text in
        ["{print $1}", "$1 > 3 {print}", "/kill/{n++} END{print n}", "a || b", "/a|b@c/ || $2 == 1"]
    {
        assert!(is_quiet_awk(text), "{text}");
    }
    for text in [
        "BEGIN{system(\"id\")}",
        "BEGIN{\"id\"|getline}",
        "BEGIN{print \"x\"|&\"id\"}",
        "BEGIN{f=\"sys\" \"tem\"; @f(\"id\")}",
        "@load \"x\"",
        "{print \"a\" ||| \"id\"}",
        "/[/]/{print | \"id\"}",
    ] {
        assert!(!is_quiet_awk(text), "{text}");
    }
    for text in [
        "p",
        "s/e/e/g",
        "/rm/p",
        "1,5p;$d",
        "1~2!{s,a,b,;s|c|d|2p}",
        "/a/,/b/{p;}",
        "\\,a,d",
        "$!N;s/\\n/ /;ta",
        "i e id",
        "w out",
        "y/abc/xyz/",
        ":a;N;$!ba;s/\\n/,/g",
        "5q",
        "# e\np",
        "s/[^/]*$//",
        "s/[^a]e*$//",
        "s/[[:alpha:]_]x/y/",
    ] {
        assert!(is_quiet_sed(text), "{text}");
    }
    for text in [
        "1e id",
        "e",
        "s/x/id/e",
        "s/x/id/ge",
        "p;e id",
        "a\\\ne id\ne id",
        "s/[/]/id/e",
        "s/[]/]/id/e",
        "s/[[:alpha:]/]/e/",
        "s/\\x5b[]/id/e;#]//",
        "s/[\\]/a/w;s/]/id/e",
        "{s/a/b/e}",
        "s/a\nb/c/e",
    ] {
        assert!(!is_quiet_sed(text), "{text}");
    }
}
