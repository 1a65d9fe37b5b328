use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;

const ROOM: u64 = 1 << 20;

#[test]
fn a_text_that_does_not_fit_is_shortened_and_kept_whole_where_there_is_room() {
    let state = std::env::temp_dir().join(format!("handrail-digest-{}", std::process::id()));
    fs::create_dir(&state).unwrap();
    fs::set_permissions(&state, fs::Permissions::from_mode(0o700)).unwrap();
    let text = format!("{}error: one line tells\n", "a line of many\n".repeat(2_000));
    let bytes = text.len() as u64;
    // Tokens, bytes of a file, room for all files; the size of the file that is made.
    let cases = [
        (100_000, ROOM, ROOM, None),
        (100, ROOM, ROOM, Some((bytes, true))),
        (100, bytes - 1, ROOM, Some((bytes - 1, false))),
        (100, ROOM, 4096, Some((4096, false))),
        (100, ROOM, 0, None),
        (100, 0, ROOM, None),
    ];
    for (number, (tokens, spill_bytes, room, kept)) in (0..).zip(cases) {
        let digest = TextDigest::new(Some(state.join("spill")), number, &Budget::new(room));
        let digest = digest.of(&text, DigestLimits { tokens, spill_bytes });
        assert_eq!(digest.is_none(), tokens == 100_000);
        let spill = digest.as_ref().and_then(|digest| digest.spill.as_ref());
        assert_eq!(spill.map(|spill| (spill.bytes, spill.complete)), kept, "case {number}");
        if let Some(spill) = spill {
            let length = usize::try_from(spill.bytes).unwrap();
            assert_eq!(fs::read_to_string(&spill.path).unwrap(), text[..length]);
            assert_eq!(fs::metadata(&spill.path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        if let Some(digest) = digest {
            assert!(digest.excerpt.text.contains("error: one line tells"));
        }
    }
    let limits = DigestLimits { tokens: 100, spill_bytes: ROOM };
    let nowhere = TextDigest::new(None, 9, &Budget::new(ROOM)).of(&text, limits).unwrap();
    assert!(nowhere.spill.is_none() && nowhere.excerpt.truncated);
    fs::remove_dir_all(&state).unwrap();
}
