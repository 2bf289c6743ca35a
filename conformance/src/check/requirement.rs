//! A requirement: its id, its clause, its conditions, its check.
//!
//! `requirements::catalogue` lists them all; `runner` runs them.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::capability::Capability;
use super::context::Context;
use super::exchange::Exchange;
use super::facts::Facts;
use super::verdict::{Finding, Verdict};
use crate::spec::{Document, Profile, Version};
use crate::strategies::{Draw, Space};

/// Severity of a violation, in the words of RFC 2119.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A violation fails the run.
    Must,
    /// A violation only warns.
    Should,
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Must => "must",
            Self::Should => "should",
        })
    }
}

/// Time at which a requirement runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// In order. The next one may begin while it waits.
    InTurn,
    /// After all of those: it checks the exchanges that they made.
    AfterAll,
    /// From the start, in parallel, because it mostly waits. It is reported in order at the end.
    Background,
    /// After everything else, one at a time, because it restarts the target, breaks its writer or moves its clock by about this many days.
    /// Short moves come first: keys, articles and leads of the set-up may expire during long ones.
    Alone(u16),
}

/// The first version of the document that states the requirements which name no other version.
const FIRST_VERSION: Version = Version::new(0, 1, 0);

/// Number of cases of a requirement.
#[derive(Debug, Clone, Copy)]
pub enum Cases {
    /// This many, regardless of `--cases`.
    Exactly(u32),
    /// The number in `--cases`.
    Searched,
    /// `--cases` divided by this, at least one: for expensive cases that need an article or more.
    Divided(u32),
    /// One for each entry of a list in the document.
    Listed(fn(&Space) -> usize),
    /// One for each entry of such a list, and in addition the number in `--cases`.
    ListedThenSearched(fn(&Space) -> usize),
}

type DrawCase = Arc<dyn Fn(&Space, &mut Draw) -> Value + Send + Sync>;
type CheckCase = Arc<dyn Fn(Context, Value) -> BoxFuture<'static, Verdict> + Send + Sync>;
/// Checks one exchange of the run, made by any case. Returns `None` if the exchange does not concern it.
pub type Observe = Arc<dyn Fn(&Document, &Facts, &Exchange) -> Option<Result<(), Finding>> + Send + Sync>;

/// One checkable sentence of the contract.
#[derive(Clone)]
pub struct Requirement {
    /// `area.subject.property`, never reused.
    pub id: &'static str,
    /// The sentence that is checked.
    pub clause: &'static str,
    /// The texts that state it.
    pub sources: &'static [Source],
    /// Severity of a violation.
    pub level: Level,
    /// `Core` requirements run in both profiles, `Full` ones only in `full`.
    pub profile: Profile,
    /// The first version of the document that states it. A target that declares an earlier version only gets a warning.
    pub since: Version,
    /// Capabilities that target and set-up must have.
    pub needs: &'static [Capability],
    /// Kind of cases that it draws, in a few words.
    pub from: &'static str,
    /// Time at which it runs.
    pub schedule: Schedule,
    /// Number of its cases.
    pub cases: Cases,
    draw: DrawCase,
    check: CheckCase,
    observe: Option<Observe>,
    /// True if its own case makes exchanges that no other requirement makes.
    has_own_scene: bool,
}

impl fmt::Debug for Requirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Requirement")
            .field("id", &self.id)
            .field("level", &self.level)
            .field("profile", &self.profile)
            .finish_non_exhaustive()
    }
}

impl Requirement {
    /// Returns a requirement of the full profile with the level `Must`, checked once by `check`.
    pub fn new<Check, Run>(id: &'static str, clause: &'static str, sources: &'static [Source], check: Check) -> Self
    where
        Check: Fn(Context, Value) -> Run + Send + Sync + 'static,
        Run: Future<Output = Verdict> + Send + 'static,
    {
        Self {
            id,
            clause,
            sources,
            level: Level::Must,
            profile: Profile::Full,
            since: FIRST_VERSION,
            needs: &[],
            from: "one scenario",
            schedule: Schedule::InTurn,
            cases: Cases::Exactly(1),
            draw: Arc::new(|_, _| Value::Null),
            check: Arc::new(move |context, case| check(context, case).boxed()),
            observe: None,
            has_own_scene: false,
        }
    }

    /// Lowers the level to `Should`.
    #[must_use]
    pub fn should(mut self) -> Self {
        self.level = Level::Should;
        self
    }

    /// Also runs in the core profile.
    #[must_use]
    pub fn core(mut self) -> Self {
        self.profile = Profile::Core;
        self
    }

    /// Sets the first version of the document that states it.
    #[must_use]
    pub fn since(mut self, version: Version) -> Self {
        self.since = version;
        self
    }

    /// Needs these capabilities.
    #[must_use]
    pub fn needs(mut self, needs: &'static [Capability]) -> Self {
        self.needs = needs;
        self
    }

    /// Runs in parallel with the others from the start.
    #[must_use]
    pub fn background(mut self) -> Self {
        self.schedule = Schedule::Background;
        self
    }

    /// Runs after all the ordinary requirements.
    #[must_use]
    pub fn last(mut self) -> Self {
        self.schedule = Schedule::AfterAll;
        self
    }

    /// Runs after everything else, one at a time, because it restarts the target or breaks its writer.
    #[must_use]
    pub fn alone(self) -> Self {
        self.moving_clock(0)
    }

    /// Runs after everything else, one at a time, because it moves the clock of the target by about this many days.
    #[must_use]
    pub fn moving_clock(mut self, days: u16) -> Self {
        self.schedule = Schedule::Alone(days);
        self
    }

    /// Draws `cases` cases `from` a strategy. A failing case shrinks by the values that `draw` takes from `Draw`.
    #[must_use]
    pub fn drawn(
        mut self,
        from: &'static str,
        cases: Cases,
        draw: impl Fn(&Space, &mut Draw) -> Value + Send + Sync + 'static,
    ) -> Self {
        self.from = from;
        self.cases = cases;
        self.draw = Arc::new(draw);
        self
    }

    /// Checks every exchange of the run. Its own case only ensures that at least one exists.
    #[must_use]
    pub fn observing(
        mut self,
        observe: impl Fn(&Document, &Facts, &Exchange) -> Option<Result<(), Finding>> + Send + Sync + 'static,
    ) -> Self {
        self.from = "every exchange of the run";
        self.observe = Some(Arc::new(observe));
        self
    }

    /// Checks every exchange of the run. Its own case makes exchanges that no other case makes.
    #[must_use]
    pub fn observing_also(
        mut self,
        observe: impl Fn(&Document, &Facts, &Exchange) -> Option<Result<(), Finding>> + Send + Sync + 'static,
    ) -> Self {
        self.has_own_scene = true;
        self.observing(observe)
    }

    /// Returns the first word of the id.
    pub fn area(&self) -> &'static str {
        self.id.split('.').next().unwrap_or(self.id)
    }

    /// Returns the number of cases if `--cases` is `asked`.
    pub fn case_count(&self, space: &Space, asked: u32) -> u32 {
        match self.cases {
            Cases::Exactly(count) => count,
            Cases::Searched => asked.max(1),
            Cases::Divided(by) => (asked / by).max(1),
            Cases::Listed(count) => whole(count(space)),
            Cases::ListedThenSearched(count) => whole(count(space)).saturating_add(asked),
        }
    }

    /// Draws one case.
    pub fn draw(&self, space: &Space, draw: &mut Draw) -> Value {
        (self.draw)(space, draw)
    }

    /// Runs one case.
    pub fn check(&self, context: Context, case: Value) -> BoxFuture<'static, Verdict> {
        (self.check)(context, case)
    }

    /// Returns its check of every exchange, if it has one.
    pub fn observer(&self) -> Option<Observe> {
        self.observe.clone()
    }

    /// Returns true if the exchanges of other requirements show as much as its own case.
    pub fn is_shown_by_any_exchange(&self) -> bool {
        self.observe.is_some() && !self.has_own_scene
    }
}

fn whole(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A text that states a requirement, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A sentence in the descriptions of `openapi.yaml`, word for word, with each line break as a space.
    Sentence(&'static str),
    /// A JSON pointer (RFC 6901) to a part of `openapi.yaml` that states the requirement without a sentence, such as a schema or a limit.
    Part(&'static str),
    /// A numbered fact of `docs/service.md`, such as `4.2`.
    Fact(&'static str),
    /// A section of a published standard, such as `("RFC 9110", "13.1.2")`.
    Standard(&'static str, &'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sentence(text) => write!(formatter, "openapi.yaml: \u{201c}{text}\u{201d}"),
            Self::Part(pointer) => write!(formatter, "openapi.yaml#{pointer}"),
            Self::Fact(number) => write!(formatter, "docs/service.md, section {number}"),
            Self::Standard(name, section) => write!(formatter, "{name}, section {section}"),
        }
    }
}
