//! `docker run --entrypoint pytest image -q`: the program that takes the place of the image's.

use super::segment::Word;
use super::wrapper::base_name;
use super::wrappers::CONTAINER;
use alloc::vec::Vec;

/// Programs with `run --entrypoint`.
const PROGRAMS: &[&str] = &["docker", "docker-compose", "podman"];

/// Words further back are not looked at for the program and its `run`.
const MAX_FRONT: usize = 16;

/// The words with the entry point, if one is named, behind the image, where a
/// program stands otherwise.
pub(super) fn entered(words: Vec<Word>) -> Vec<Word> {
    match place(&words) {
        Some(place) => moved(&words, &place),
        None => words,
    }
}

/// Where things are among the words.
struct Place {
    /// The option, and how many words it takes.
    option: usize,
    taken: usize,
    entry: Word,
    image: usize,
}

fn place(words: &[Word]) -> Option<Place> {
    let front = words.get(..words.len().min(MAX_FRONT))?;
    let program = front
        .iter()
        .position(|word| PROGRAMS.contains(&base_name(&word.text)))?;
    let run = front.iter().skip(program).position(|w| w.text == "run")?;
    let mut at = program.saturating_add(run).saturating_add(1);
    let mut found = None;
    loop {
        let text = words.get(at)?.text.as_str();
        if text.len() < 2 || !text.starts_with('-') {
            break;
        }
        let valued = CONTAINER.contains(&text);
        let taken = if valued { 2 } else { 1 };
        if text == "--entrypoint" {
            found = Some((at, taken, words.get(at.saturating_add(1))?.clone()));
        } else if let Some(value) = text.strip_prefix("--entrypoint=") {
            found = Some((at, taken, Word::plain(value)));
        }
        at = at.saturating_add(taken);
    }
    let (option, taken, entry) = found?;
    Some(Place {
        option,
        taken,
        entry,
        image: at,
    })
}

fn moved(words: &[Word], place: &Place) -> Vec<Word> {
    let option = place.option..place.option.saturating_add(place.taken);
    let mut moved = Vec::with_capacity(words.len());
    for (index, word) in words.iter().enumerate() {
        if !option.contains(&index) {
            moved.push(word.clone());
        }
        // An empty one leaves the command as it stands.
        if index == place.image && !place.entry.text.is_empty() {
            moved.push(place.entry.clone());
        }
    }
    moved
}
