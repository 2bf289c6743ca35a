//! `voice learn`: proposes a voice from the common features of texts.

use std::io::Write as _;

use super::profile_file;
use crate::cli::failure::{Exit, Failure};
use crate::cli::text_file;
use crate::config::LearnVoice;
use crate::domain::voice::{Sample, learn as propose};

pub(in crate::cli) fn learn(options: &LearnVoice) -> Result<(), Failure> {
    let mut texts = Vec::new();
    for path in &options.files {
        texts.push((path.display().to_string(), text_file::without_front_matter(&text_file::read(path)?)));
    }
    let samples: Vec<_> = texts.iter().map(|(name, markdown)| Sample { name, markdown }).collect();
    let proposal = propose(&options.name, &options.language, &samples);
    let proposal = proposal.map_err(|error| Failure::new(Exit::Usage, format!("cannot learn a voice: {error}")))?;
    if let Some(violation) = proposal.voice.validate().first() {
        let wrong = format!("the proposed voice is not valid: {} {}", violation.field, violation.message);
        return Err(Failure::new(Exit::Usage, wrong));
    }
    let introduction = "Proposed by what the texts have in common; the comments say what each member was learnt from. Change what \
                        you know better, then try it: contentgen-server voice check FILE --voice THIS";
    let file = profile_file::render(&proposal.voice, introduction, &proposal.evidence);
    text_file::write(options.output.as_deref(), &file)?;
    if let Some(path) = &options.output {
        // Ignore an error: standard error may be closed.
        let _ = writeln!(std::io::stderr().lock(), "{} has the voice, with the evidence for each rule", path.display());
    }
    Ok(())
}
