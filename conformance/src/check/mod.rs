//! Building blocks of a check: requirement, context, exchanges, demands, verdict.
//!
//! Checks reach the target through a [`Channel`]; the runner sends and counts.

mod activity;
mod capability;
mod channel;
mod context;
pub(crate) mod demand;
pub(crate) mod difference;
mod excerpt;
mod exchange;
mod facts;
pub(crate) mod header_fields;
pub(crate) mod html;
mod lead_eraser;
pub(crate) mod link;
pub(crate) mod markdown;
mod once;
mod origin;
mod pausing;
mod proxy_page;
mod raw_answer;
mod requirement;
mod secrets;
mod seen_ids;
mod shared_answers;
pub(crate) mod signature;
mod source;
mod stopwatch;
mod tempo;
mod verdict;
mod waiting;

pub use activity::{Activity, CaseActivity};
pub use capability::Capability;
pub use channel::{Channel, Precedence, TransportFault, Waits};
pub use context::{Context, Tap};
pub use excerpt::excerpt;
pub use exchange::{Credential, Exchange, ExchangeId, Request};
pub use facts::{ArticleIdSource, Capture, Facts, FailingJob};
pub use lead_eraser::LeadEraser;
pub use origin::Origin;
pub use pausing::{PausableWebsite, PauseTurn, WebsiteSwitch};
pub use raw_answer::RawAnswer;
pub(crate) use raw_answer::behind_last_chunk;
pub use requirement::{Cases, Level, Observe, Requirement, Schedule};
pub use secrets::{SecretForm, SecretPlace, Secrets};
pub use signature::{sign_as as sign_hook, verify as verify_hook};
pub use source::Source;
pub use verdict::{A_RESPONSE, About, Finding, Halt, Verdict, ensure, ensure_met};
pub use waiting::Look;
