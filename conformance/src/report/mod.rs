//! Shows the results of a run: live progress, a summary, and files for users, CI and other tools.
//!
//! Reports consume events and results; they send nothing and decide nothing.

mod annotations;
mod badge;
mod certificate;
mod choices;
mod coverage;
mod curl;
mod diff;
mod diff_text;
mod evidence;
mod fix_first;
mod from_run;
mod har;
mod html;
mod junit;
mod latency;
mod markdown;
mod markdown_escape;
mod model;
mod recorded;
mod saved;
mod terminal;
mod transcript;
mod verdict;
mod visible;
mod write;

pub use annotations::github_annotations;
pub use certificate::{Certificate, CertificateError, CertifiedFeature};
pub use choices::{ChoiceDifference, ChoiceReport};
pub use coverage::{CoverageReport, CoverageTotal, PartReport};
pub use diff::{DiffCounts, HeadDifference, ReportDiff, RequirementChange};
pub use evidence::{ExchangeReport, HookReport};
pub use har::Archives;
pub use latency::{LatencyBin, LatencyReport};
pub use model::{
    About, Conclusion, FailureReport, FeatureReport, FixFirst, Report, RequirementReport, Status, TargetReport, Urgency,
};
pub use recorded::{RecordedError, RecordedReport};
pub use saved::{SavedError, SavedFailure, SavedTarget};
pub use terminal::Terminal;
pub(crate) use visible::{on_one_line, shell_word, visible};
pub use write::{ReportError, write};
