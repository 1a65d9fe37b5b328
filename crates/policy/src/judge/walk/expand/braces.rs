//! Brace expansion, which works on words before all other expansions.

use crate::syntax::tree::{Part, RawWord};

/// Most words that braces make of one word.
const MAX_WORDS: usize = 256;
/// Most opening braces in one word: for each of them, all that follows is searched.
const MAX_BRACES: usize = 64;

/// A character of a word, or a part in which braces mean nothing.
#[derive(Clone, Debug)]
enum Token {
    Bare(char),
    Part(Part),
}

impl Token {
    fn is(&self, wanted: char) -> bool {
        matches!(self, Self::Bare(character) if *character == wanted)
    }
}

/// Expands the braces of a word. `None` when there would be too many words, and when the name of a variable would
/// change with its braces.
pub(super) fn expand(word: &RawWord) -> Option<Vec<RawWord>> {
    let braces = word.characters().filter(|(character, bare)| *bare && *character == '{').count();
    if braces == 0 {
        return Some(vec![word.clone()]);
    }
    if braces > MAX_BRACES {
        return None;
    }
    let all = product(&tokens(word), &mut 0).ok()?;
    let done: Vec<RawWord> = all.iter().map(|tokens| joined(tokens, word)).collect();
    // In `$a{b,c}` the names would become `$ab` and `$ac`.
    let is_open = |part: &Part| match part {
        Part::Parameter(parameter) => !parameter.braced,
        Part::Bare(text) => text.contains('$'),
        _ => false,
    };
    (done.len() == 1 || !word.parts.iter().any(is_open)).then_some(done)
}

/// All words that the braces make. `made` counts them, at every level.
fn product(tokens: &[Token], made: &mut usize) -> Result<Vec<Vec<Token>>, TooMany> {
    let Some((before, alternatives, after)) = first(tokens)? else {
        return Ok(vec![tokens.to_vec()]);
    };
    let after = product(&after, made)?;
    let mut all = Vec::new();
    for alternative in alternatives {
        for middle in product(&alternative, made)? {
            for end in &after {
                *made += 1;
                if *made > 4 * MAX_WORDS || all.len() == MAX_WORDS {
                    return Err(TooMany);
                }
                all.push([before.as_slice(), &middle, end].concat());
            }
        }
    }
    Ok(all)
}

fn tokens(word: &RawWord) -> Vec<Token> {
    let mut tokens = Vec::new();
    for part in &word.parts {
        match part {
            Part::Bare(text) => tokens.extend(text.chars().map(Token::Bare)),
            part => tokens.push(Token::Part(part.clone())),
        }
    }
    tokens
}

/// There are too many words, or a form of braces that is not read.
struct TooMany;

type Expansion = (Vec<Token>, Vec<Vec<Token>>, Vec<Token>);

/// The first brace expansion: the part in front of it, its alternatives, and the part after it.
fn first(tokens: &[Token]) -> Result<Option<Expansion>, TooMany> {
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| token.is('{')) {
        let Some((end, commas)) = matching(&tokens[at..]) else { continue };
        if tokens[at + 1].is('}') {
            // What bash makes of `{}` depends on its surroundings.
            return Err(TooMany);
        }
        let inside = &tokens[at + 1..at + end];
        let alternatives = if commas.is_empty() {
            match sequence(inside)? {
                Some(alternatives) => alternatives,
                None if inside.iter().any(|token| token.is('{')) => return Err(TooMany),
                None => continue,
            }
        } else {
            let mut start = 1;
            let mut all = Vec::new();
            for comma in commas.into_iter().chain([end]) {
                all.push(tokens[at + start..at + comma].to_vec());
                start = comma + 1;
            }
            all
        };
        return Ok(Some((tokens[..at].to_vec(), alternatives, tokens[at + end + 1..].to_vec())));
    }
    Ok(None)
}

/// The index of the brace that closes the first one, and of the commas between them on the same level. A closing brace
/// without a comma or two dots before it is ordinary text.
fn matching(tokens: &[Token]) -> Option<(usize, Vec<usize>)> {
    let mut depth = 0_usize;
    let mut commas = Vec::new();
    let mut dots = false;
    for (at, token) in tokens.iter().enumerate() {
        if token.is('{') {
            depth += 1;
        } else if token.is('}') && depth > 1 {
            depth -= 1;
        } else if token.is('}') && (dots || !commas.is_empty()) {
            return Some((at, commas));
        } else if token.is(',') && depth == 1 {
            commas.push(at);
        } else if token.is('.') && depth == 1 {
            dots |= tokens.get(at + 1).is_some_and(|next| next.is('.'))
                && !tokens.get(at + 2).is_some_and(|next| next.is('}'));
        }
    }
    None
}

/// The members of a sequence such as `1..5`, `a..e` or `1..9..2`. `None` for anything else.
fn sequence(inside: &[Token]) -> Result<Option<Vec<Vec<Token>>>, TooMany> {
    let mut text = String::new();
    for token in inside {
        let Token::Bare(character) = token else { return Ok(None) };
        text.push(*character);
    }
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, "1"),
        [first, last, step] => (*first, *last, *step),
        _ => return Ok(None),
    };
    let Ok(step) = step.parse::<i64>() else { return Ok(None) };
    let step = step.unsigned_abs().max(1);
    let letter =
        |text: &str| text.chars().next().filter(|c| text.len() == 1 && c.is_ascii_alphabetic());
    if let (Some(first), Some(last)) = (letter(first), letter(last)) {
        if first.is_ascii_lowercase() != last.is_ascii_lowercase() {
            return Err(TooMany);
        }
        let step = usize::try_from(step).unwrap_or(usize::MAX);
        let (low, high) = (first.min(last), first.max(last));
        let all: Vec<char> = if first <= last {
            (low..=high).step_by(step).collect()
        } else {
            (low..=high).rev().step_by(step).collect()
        };
        return Ok(Some(all.into_iter().map(|c| vec![Token::Bare(c)]).collect()));
    }
    let (Ok(first_number), Ok(last_number)) = (first.parse::<i64>(), last.parse::<i64>()) else {
        return Ok(None);
    };
    let distance = first_number.abs_diff(last_number) / step;
    if distance >= MAX_WORDS as u64 {
        return Err(TooMany);
    }
    let is_padded = |text: &str| {
        text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0')
    };
    let width = if is_padded(first) || is_padded(last) { first.len().max(last.len()) } else { 0 };
    let numbers = (0..=distance).map(|at| {
        let offset = i64::try_from(at * step).unwrap_or(i64::MAX);
        if first_number <= last_number { first_number + offset } else { first_number - offset }
    });
    Ok(Some(
        numbers
            .map(|number| format!("{number:0width$}").chars().map(Token::Bare).collect())
            .collect(),
    ))
}

fn joined(tokens: &[Token], word: &RawWord) -> RawWord {
    let mut all = RawWord { parts: Vec::new(), quoted: word.quoted, span: word.span };
    for token in tokens {
        match token {
            Token::Bare(character) => all.push_bare(character.encode_utf8(&mut [0; 4])),
            Token::Part(part) => all.parts.push(part.clone()),
        }
    }
    // Only a quote in the alternative itself makes an empty word of it.
    all.quoted = all.parts.iter().any(|part| !matches!(part, Part::Bare(_)));
    all
}
