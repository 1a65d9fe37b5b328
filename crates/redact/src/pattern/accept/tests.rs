use super::entropy;

#[test]
fn entropy_is_in_bits_per_byte() {
    for (text, expected) in
        [("", 0.0), ("aaaa", 0.0), ("abab", 1.0), ("abcd", 2.0), ("aaab", 0.811_278)]
    {
        assert!((entropy(text.as_bytes()) - expected).abs() < 1e-5, "{text}");
    }
    let all: Vec<u8> = (0..=255).collect();
    assert!((entropy(&all) - 8.0).abs() < 1e-9);
}
