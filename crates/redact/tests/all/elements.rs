//! Values of elements: what closes them, what is said of them in attributes, and labels that are none.

use crate::support::{pauses_show_nothing, redact, unchanged};

#[test]
fn the_value_of_an_element_is_masked_up_to_the_tag_that_closes_it() {
    for (text, expected) in [
        ("<password>aB3dE&amp;f6hIj</password>", "<password>[REDACTED]</password>"),
        ("<password>aB3dE&lt;f6=hIj;x:y&z=1</password>", "<password>[REDACTED]</password>"),
        ("<password>aB3dEf6hIj)</password>", "<password>[REDACTED]</password>"),
        ("<Password>aB3d Ef6hIj</Password>", "<Password>[REDACTED]</Password>"),
        ("<password>say \"x\" 9</password>", "<password>[REDACTED]</password>"),
        (
            "<password type=\"string\">aB3dEf6hIj</password>",
            "<password type=\"string\">[REDACTED]</password>",
        ),
        (
            "<wsse:Password Type='x#Text' y=\"1\">aB3d f6</wsse:Password>",
            "<wsse:Password Type='x#Text' y=\"1\">[REDACTED]</wsse:Password>",
        ),
        (
            "<property name=\"db.password\">aB3dE</property>",
            "<property name=\"db.password\">[REDACTED]</property>",
        ),
        (
            "<entry key=\"db.password\">aB3dE f6</entry>",
            "<entry key=\"db.password\">[REDACTED]</entry>",
        ),
        (
            "<name>dfs.password</name><value>aB3dE</value>",
            "<name>dfs.password</name><value>[REDACTED]</value>",
        ),
        (
            "<key>password</key> <string>aB3dE&amp;9</string>",
            "<key>password</key> <string>[REDACTED]</string>",
        ),
    ] {
        assert_eq!(redact(text), expected);
        assert_eq!(redact(expected), expected);
        let json = |text: &str| serde_json::json!({"a": text, "b": ["</i>"]}).to_string();
        assert_eq!(redact(&json(text)), json(expected));
    }
}

#[test]
fn labels_and_other_elements_stay() {
    for text in [
        "<password>Your password</password>",
        "<password>Enter the password again</password>",
        "<string name=\"password\">wachtwoord invoeren</string>",
        "<label for=\"password\">Password 2</label>",
        "<password type=\"string\"/> <b>a1b2c3</b>",
        "<param name=\"password\"/><b>a1b2c3</b>",
        "The <password> of a1b2 is <b>bold</b>",
        "<name>password</name><desc>a1b2c3</desc>",
        "{\"a\":\"<password>x1y2\",\"b\":\"z</i>\"}",
    ] {
        unchanged(text);
    }
}

/// `&` and `;` separate nothing in a variable on a line of its own, and an `&` nothing in a connection string or a flag.
#[test]
fn signs_that_separate_nothing_end_no_value() {
    for (text, expected) in [
        ("DB_PASSWORD=0WK&vGQvK=STk", "DB_PASSWORD=[REDACTED]"),
        ("DB_PASSWORD=0WK;vGQvK=STk&", "DB_PASSWORD=[REDACTED]"),
        ("  export DB_PASSWORD=0WK&vGQvK:STk", "  export DB_PASSWORD=[REDACTED]"),
        ("ENV DB_PASSWORD=0WK&vGQvK=STk\n", "ENV DB_PASSWORD=[REDACTED]\n"),
        ("- DB_PASSWORD=0WK&vGQvK=STk\n", "- DB_PASSWORD=[REDACTED]\n"),
        ("  \"DB_PASSWORD=0WK&vGQvK=STk\",\n", "  \"DB_PASSWORD=[REDACTED]\",\n"),
        ("Server=a;Password=Wb4%&Di9V5D&ZI94;X=1", "Server=a;Password=[REDACTED];X=1"),
        ("c=\"Server=a;Password=Wb4&amp;D=9;X=1\"", "c=\"Server=a;Password=[REDACTED];X=1\""),
        (
            "c=&quot;Server=a;Password=Wb4&quot;&a=1",
            "c=&quot;Server=a;Password=[REDACTED]&quot;&a=1",
        ),
        ("sshpass -p s4UW7$&nvuc/C349 ssh", "sshpass -p [REDACTED] ssh"),
        // Here they separate.
        ("?a=1&password=a1b2c3&y=1", "?a=1&password=[REDACTED]&y=1"),
        ("?a=1&amp;Password=a1b2c3&amp;y=1", "?a=1&amp;Password=[REDACTED]&amp;y=1"),
        ("password=a1b2c3&y=1", "password=[REDACTED]&y=1"),
        ("mysql -pa1b2 & x -y", "mysql -p[REDACTED] & x -y"),
        ("mysql -pa1b2&& x -y", "mysql -p[REDACTED]&& x -y"),
        ("mysql -pa1b2&sshpass -p c3d4", "mysql -p[REDACTED]&sshpass -p [REDACTED]"),
        ("mysql -pa1b2 2>&1 -x", "mysql -p[REDACTED] 2>&1 -x"),
    ] {
        assert_eq!(redact(text), expected);
        assert_eq!(redact(expected), expected);
    }
}

#[test]
fn an_unfinished_element_shows_nothing_of_its_value() {
    for text in [
        "<Password>aB3d Ef6hIj</Password>",
        "<property name=\"db.password\">aB3d f6</property>",
        "<password type=\"string\">aB3d f6</password>",
        "<name>dfs.password</name><value>aB3d x9</value>",
        "{\"secret\":[[],[0,null,\"x\"],1e+20]}",
        "DB_PASSWORD=0WK&vGQvK=STk",
        "sshpass -p s4UW7$&nvuc/C349 ssh",
        "{\"Authorization\":\"Digest username=\\\"u\\\", c=1\",\"b\":1}",
    ] {
        pauses_show_nothing(text);
    }
}
