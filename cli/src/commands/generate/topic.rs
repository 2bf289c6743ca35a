//! Reads the topic from the command line, a file, or standard input.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use crate::arguments::Generate;
use crate::failure::Failure;
use crate::output::Screen;

/// Maximum number of bytes that are read of a topic: at most 1000 characters of up to 4 bytes, plus surrounding space.
const MOST_TOPIC_BYTES: u64 = 4096;
/// Argument that means standard input.
const STANDARD_INPUT: &str = "-";

/// Returns the topic. Reads standard input before any asynchronous work, so that Ctrl-C ends a blocking read too.
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

/// Reads a topic, trims surrounding whitespace and converts inner ones to a form that the API accepts.
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
