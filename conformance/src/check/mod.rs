//! Building blocks of a check: requirement, context, exchanges, demands, verdict.
//!
//! Checks reach the target through a [`Channel`]; the runner sends and counts.

mod activity;
mod capability;
mod channel;
mod clock;
mod context;
pub(crate) mod demand;
pub(crate) mod difference;
mod exchange;
mod facts;
pub(crate) mod header_fields;
pub(crate) mod html;
pub(crate) mod link;
pub(crate) mod markdown;
mod pausing;
mod proxy_page;
mod raw_answer;
mod requirement;
mod secrets;
mod shared;
pub(crate) mod signature;
mod verdict;
mod waiting;
mod writer;

pub use activity::{Activity, CaseActivity};
pub use capability::Capability;
pub use channel::{Channel, Precedence, TransportFault, Waits};
pub use clock::{ClockSwitch, MovableClock};
pub use context::{Context, Tap};
pub use difference::excerpt;
pub use exchange::{Credential, Exchange, ExchangeId, Origin, Request};
pub(crate) use facts::map_texts;
pub use facts::{ArticleIdSource, Capture, Facts, FailingJob, LeadEraser, Restarter};
pub use pausing::{PausableWebsite, PauseTurn, WebsiteSwitch};
pub use raw_answer::RawAnswer;
pub(crate) use raw_answer::behind_last_chunk;
pub use requirement::{Cases, Level, Observe, Requirement, Schedule, Source};
pub use secrets::{SecretForm, SecretPlace, Secrets};
pub use signature::{sign_as as sign_hook, verify as verify_hook};
pub use verdict::{A_RESPONSE, About, Finding, Halt, Verdict, ensure, ensure_met};
pub use waiting::Look;
pub use writer::{BreakableWriter, WriterState, WriterSwitch};
