//! How much a text looks like chance.

/// Shannon's entropy of the bytes, in bits per byte: 0 for nothing and for one byte over and over, 8 at most.
pub(super) fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for &byte in text {
        counts[usize::from(byte)] += 1;
    }
    let all = f64::from(counts.iter().sum::<u32>());
    let share = |count: u32| f64::from(count) / all;
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| -share(count) * share(count).log2())
        .sum()
}

#[cfg(test)]
mod tests {
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
}
