//! Texts that commands read and write: files, standard input and standard output.

use std::fmt::Display;
use std::fs::Permissions;
use std::io::{Read, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::failure::{Exit, Failure};
use super::output::print;

/// Maximum size in bytes of a text that is read.
pub(super) const MAX_BYTES: u64 = 1024 * 1024;

/// Path that means standard input.
const STANDARD_INPUT: &str = "-";

/// Reads a text of at most [`MAX_BYTES`] from a file, or from standard input if the path is `-`.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    if path == Path::new(STANDARD_INPUT) {
        return bounded(std::io::stdin().lock(), &"standard input");
    }
    let shown = path.display();
    let file = std::fs::File::open(path);
    let file = file.map_err(|error| Failure::new(Exit::Usage, format!("{shown} cannot be opened: {error}")))?;
    bounded(file, &shown)
}

fn bounded(source: impl Read, shown: &dyn Display) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = source.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(Exit::Usage, format!("{shown} cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::new(Exit::Usage, format!("{shown} is larger than 1 MiB; split it into several texts")));
    }
    let text = String::from_utf8(bytes);
    text.map_err(|_| Failure::new(Exit::Usage, format!("{shown} is not UTF-8 text; save it as UTF-8")))
}

/// Writes a text to a file or to standard output. A file appears only when it is complete.
pub(super) fn write(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = path else { return print(text) };
    let failed = |error| Failure::new(Exit::Failed, format!("{} cannot be written: {error}", path.display()));
    // Links are followed. A path that is not a regular file, such as a device, is written to instead of replaced.
    let known = std::fs::metadata(path).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return std::fs::write(path, text).map_err(failed);
    }
    let path = &*std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = || {
        // A temporary file is readable only by its owner by default. For a new file, use the permissions of the
        // process's umask.
        let permissions = known.map_or_else(|| Permissions::from_mode(0o666), |known| known.permissions());
        let mut file = tempfile::Builder::new().prefix(".contentgen-").permissions(permissions).tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)
    };
    written().map(drop).map_err(failed)
}

/// Returns the text with its front matter replaced by blank lines, so that line numbers stay the same. Front matter is between
/// two lines `---` or `+++` at the beginning, as in static site generators.
pub(super) fn without_front_matter(text: &str) -> String {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let fence = first.trim_start_matches('\u{feff}').trim_end();
    if !matches!(fence, "---" | "+++") {
        return text.to_owned();
    }
    let mut length = first.len();
    for line in lines {
        length += line.len();
        if line.trim_end() == fence {
            let (matter, rest) = text.split_at(length);
            return "\n".repeat(matter.matches('\n').count()) + rest;
        }
    }
    // A single line of dashes is a thematic break in Markdown.
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::without_front_matter;

    #[test]
    fn front_matter_goes_and_every_line_keeps_its_number() {
        assert_eq!(without_front_matter("---\ntitle: x\n---\nText\n"), "\n\n\nText\n");
        assert_eq!(without_front_matter("\u{feff}+++\r\na = 1\r\n+++\r\nText"), "\n\n\nText");
        for whole in ["---\n\nText\n", "Text\n---\nx\n---\n", "", "----\na\n----\n"] {
            assert_eq!(without_front_matter(whole), whole);
        }
    }
}
