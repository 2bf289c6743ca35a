//! Where the topic comes from: the command line, a file, or standard input.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use crate::arguments::Generate;
use crate::failure::Failure;
use crate::output::Screen;

/// The most bytes that are read of a topic: what 1000 characters, the most that are allowed, take at the most, and some
/// space around them.
const MOST_TOPIC_BYTES: u64 = 4096;
/// What stands for standard input.
const STANDARD_INPUT: &str = "-";

/// The topic that was asked for. Standard input is read here, before anything else is waited for: Ctrl-C ends that, too.
pub(in crate::commands) fn topic(options: &Generate, screen: Screen) -> Result<String, Failure> {
    let topic = match (&options.topic, &options.topic_file) {
        (Some(topic), _) if topic != STANDARD_INPUT => topic.clone(),
        (None, Some(path)) if path != Path::new(STANDARD_INPUT) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
            read(file, &name)?
        }
        _ => {
            if io::stdin().is_terminal() {
                screen.mention("type the topic, then press Ctrl-D on a new line");
            }
            read(io::stdin().lock(), "standard input")?
        }
    };
    if topic.trim().is_empty() {
        return Err(Failure::usage("the topic is empty").advise("describe the subject of the article in a few words"));
    }
    Ok(topic)
}

/// Reads a topic without the line breaks around it, and with those inside as the API takes them.
fn read(from: impl Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    from.take(MOST_TOPIC_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > MOST_TOPIC_BYTES {
        let message = format!("{name} has more than {MOST_TOPIC_BYTES} bytes, too many for a topic");
        return Err(Failure::usage(message).advise("a topic has 1 to 1000 characters"));
    }
    let text = String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{name} is not valid UTF-8")))?;
    Ok(text.trim().replace("\r\n", "\n"))
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::usage(format!("{name} cannot be read: {error}"))
}
