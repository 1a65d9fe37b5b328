//! Short pieces that are slow to look at when they come again and again: for the tests and for the bench.

#[rustfmt::skip]
pub(crate) const PIECES: &[&[u8]] = &[
    b"a-", b"eyJ", b"-eyJ", b"eyJ-eyJ.", b"key=", b"password=", b"password='", b"password=\\\"", b"password: a ",
    b"\"", b"\\\"", b"'\"", b"token", b"token-", b"_token", b"sk-", b"-sk-", b"sk-a.", b"://", b"://a:", b"://a:b/",
    b"authorization: ", b"bearer ", b"cookie:a=", b"cookie: a=b;", b"-u a:", b"[REDACTED]", b"[REDACTED:", b"\xff",
    b"\xff=token", b"ghp_", b":AA", b"1:AA", b"auth.key=a.", b"secret=(", b"secret=$(", b"key=aB3", b"\n", b"pass\n",
    b"password: |\n", b"password: |\n  a\n", b"password: |\n  The text.\n", b"password: | #", b"token: >\n\n",
    b"password\t", b"password\tx\t", b"\t\tpassword", b"token:&quot;", b"&quot;token&#34;:&#39;", b"token%22%3A%22",
    b"password:\\\\\\\"", b"password:\\\\\\\"\\", b"password:\\\"[REDACTED]\\\\\\\"", b"mysql ", b"mysql -p ",
    b"mysql -p'", b"mysql -p\"a ", b"sshpass -p ", b"\"mysql\",", b"curl -u a ",
    b"{\"cmd\":\"sshpass -p hunter2 x\"},", b"\"curl x\",", b"{'run':'curl x'},", b"{\"a\":\"curl 'x\"},",
    b"unexpected token: a ", b"auth=",
    b"a_key=", b"key=value\n", b"key=value ", b"{\"key\":\"value\"}\n", b"{\"key\":123,\"value\":\"x\"}\n",
    b"\"key\":\"", b"key='", b"key=<", b"key=a&", b"key=aB3dE5gH7jK9mN1pQ3sT5v\n", b"key=aB3dE5gH7jK9mN1pQ3sT5v[",
    b"auth: a ", b"sig=a", b"signature=0", b"token=a' ", b"password=a'b\"", b"password=-'a ", b"password='a'\''b'",
    b"password='''", b"password=\"\"a", b"password='${A}'", b"password='a'\"", b"token=a.b\\ ", b"token=\\ ", b"\\ ",
    b"password.c:1:", b"/token:1:1:1: ", b"'password=", b"<token>'a", b"<token>a'", b"token:a<", b"token=a.b(",
    b"token: A<b ", b"pass: a\n", b"passwords\": [", b"\"passwords\": [\"a\", ", b"\"passwords\": [\"\\",
    b"<add key=\"password\" value=\"", b"name=\"password\" ", b"=\"password\" a=\"\"", b"a:*:b:c:", b"\"a:*:b:c:",
    b"a:*:b:c:d' ", b"Private-Lines: 1\n", b"webhook.office.com/webhookb2/",
    b"key=aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK9mN1pQ3sT5v\n", b"tumblr-secret=`aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK\n",
    b"name: password\nvalue: x\n", b"name: password\nvalue: aB3x9\n", b"password: |\n  x1y2\n",
    b"token: |\n  x1y2\n\n", b"aB3 token: aB3dE5gH7jK\n", b"a=b token=aB3\n", b"password=aB3\nusage of token\n",
    b"aB3 token: aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK\n", b"pwd=aB3\n", b"secret = ", b"pwd = datadog", b"a://b:c@",
    b"[{\"a\":\"", b"\xf0\x9f", b"-----BEGIN ", b"-----BEGIN PRIVATE", b"mysql -pa && ", b"docker login -p a; ",
    b"PASSWORD:p\",", b"&#61;)\",token.c", b": 'PWD", b": auth0", b"snyk", b"datadog key ", b"twitter-keys=':",
    b"password:x' ", b"password=a\\ ", b"password=a`'\"", b"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"",
    b"password=\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"", b"docker login -p ", b"password='a'\\''b'",
    b"passtokensecret", b"tokense-secret-keypwd : ", b"a", b"token: aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK\n",
    b"password=\x1b[31mx\n", b"\x1b[31mpassword\x1b[0m=\x1b[32mhunter2x9\x1b[0m\n",
    b"a token of trust\n\x1b[31mpassword\x1b[0m=x\n", b"IDENTIFIED WITH x BY a1; ", b"identified by a ",
    b"set password for x ", b"\"password\", \"", b"\"password\", \"a1!b2c\"", b"password(\"", b"password || \"",
    b"NetworkCredential(\"a\", \"", b"password=md5('", b"password=a(b(", b"password=md5(md5(md5(md5(md5('", b"ENV PASSWORD ",
    b"set -x -x -x TOKEN ", b"//a/:_authToken ", b"password: &a &a ", b"password: !!str ", b"password: {{ default ",
    b"password is generated for ", b"requirepass a", b"vault login ", b"-securestring -string ", b"otp: 1", b"psk", b"_pw",
    b"name=\"password\"\n", b"form-data; name=\"password\"\n", b"form-data; name=\"password\"\n\n", b"jsessionid=",
    b"variable \"password\" {\n", b"variable \"password\" {\n default = \"a\"\n", b"password\" {", b"process.env.token ?? '",
    // Split, so that this file holds no marker.
    MARKER.as_bytes(),
];

const MARKER: &str = concat!("-----BEGIN ", "PRIVATE KEY-----");
