//! A requirement: its identity, its clause, its conditions, its property.
//!
//! All of them are in `requirements::catalogue`; running is in `runner`.

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
use crate::spec::{Document, Profile};
use crate::strategies::{Draw, Space};

/// What breaking a requirement means, in the words of RFC 2119.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Breaking it fails the run.
    Must,
    /// Breaking it warns.
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

/// When a requirement runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// In its turn. The next one may begin while it waits.
    InTurn,
    /// After all of those: it looks at what they have seen.
    AfterAll,
    /// From the start, beside the others, because it mostly waits; reported in its turn at the end.
    Background,
}

/// How many cases a requirement has.
#[derive(Debug, Clone, Copy)]
pub enum Cases {
    /// This many, whatever `--cases` says.
    Exactly(u32),
    /// As many as `--cases` says.
    Searched,
    /// `--cases` divided by this, at least one: for cases that cost a whole article or more.
    Divided(u32),
    /// One for each entry of a list that the document gives.
    Listed(fn(&Space) -> usize),
    /// Such a list, and as many as `--cases` says beyond it.
    ListedThenSearched(fn(&Space) -> usize),
}

type DrawCase = Arc<dyn Fn(&Space, &mut Draw) -> Value + Send + Sync>;
type AcceptCase = Arc<dyn Fn(&Space, &Value) -> bool + Send + Sync>;
type CheckCase = Arc<dyn Fn(Context, Value) -> BoxFuture<'static, Verdict> + Send + Sync>;
/// Looks at one exchange of the run, whoever made it; `None` when the exchange does not concern it.
pub type Observe = Arc<dyn Fn(&Document, &Facts, &Exchange) -> Option<Result<(), Finding>> + Send + Sync>;

/// One checkable sentence of the contract.
#[derive(Clone)]
pub struct Requirement {
    /// `area.subject.property`, never reused.
    pub id: &'static str,
    /// The sentence that is checked.
    pub clause: &'static str,
    /// Where the sentence stands.
    pub source: &'static str,
    /// What breaking it means.
    pub level: Level,
    /// `Core` requirements run in both profiles, `Full` ones only in `full`.
    pub profile: Profile,
    /// What target and set-up must have.
    pub needs: &'static [Capability],
    /// What kind of cases it draws, in a few words.
    pub from: &'static str,
    /// When it runs.
    pub schedule: Schedule,
    /// How many cases it has.
    pub cases: Cases,
    /// Pointer of the part of a case that may be made smaller; `None` when a case is as small as it can be.
    pub focus: Option<&'static str>,
    draw: DrawCase,
    accepts: AcceptCase,
    check: CheckCase,
    observe: Option<Observe>,
    /// Whether its own case makes exchanges that no other requirement makes.
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
    /// A requirement of the full profile that must hold, checked once by `check`.
    pub fn must<Check, Run>(id: &'static str, clause: &'static str, source: &'static str, check: Check) -> Self
    where
        Check: Fn(Context, Value) -> Run + Send + Sync + 'static,
        Run: Future<Output = Verdict> + Send + 'static,
    {
        Self {
            id,
            clause,
            source,
            level: Level::Must,
            profile: Profile::Full,
            needs: &[],
            from: "one scenario",
            schedule: Schedule::InTurn,
            cases: Cases::Exactly(1),
            focus: None,
            draw: Arc::new(|_, _| Value::Null),
            accepts: Arc::new(|_, _| false),
            check: Arc::new(move |context, case| check(context, case).boxed()),
            observe: None,
            has_own_scene: false,
        }
    }

    /// Only warns.
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

    /// Needs these capabilities.
    #[must_use]
    pub fn needs(mut self, needs: &'static [Capability]) -> Self {
        self.needs = needs;
        self
    }

    /// Runs beside the others from the start.
    #[must_use]
    pub fn background(mut self) -> Self {
        self.schedule = Schedule::Background;
        self
    }

    /// Runs after all the ordinary ones.
    #[must_use]
    pub fn last(mut self) -> Self {
        self.schedule = Schedule::AfterAll;
        self
    }

    /// Draws `cases` cases `from` a strategy.
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

    /// Lets a failing case be made smaller at `focus`, as long as `accepts` says that it still belongs.
    #[must_use]
    pub fn shrinks(
        mut self,
        focus: &'static str,
        accepts: impl Fn(&Space, &Value) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.focus = Some(focus);
        self.accepts = Arc::new(accepts);
        self
    }

    /// Looks at every exchange of the run; its own case only makes sure that there is one.
    #[must_use]
    pub fn observing(
        mut self,
        observe: impl Fn(&Document, &Facts, &Exchange) -> Option<Result<(), Finding>> + Send + Sync + 'static,
    ) -> Self {
        self.from = "every exchange of the run";
        self.observe = Some(Arc::new(observe));
        self
    }

    /// Looks at every exchange of the run, of which its own case makes some that no other does.
    #[must_use]
    pub fn observing_also(
        mut self,
        observe: impl Fn(&Document, &Facts, &Exchange) -> Option<Result<(), Finding>> + Send + Sync + 'static,
    ) -> Self {
        self.has_own_scene = true;
        self.observing(observe)
    }

    /// How many cases there are when `--cases` says `asked`.
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

    /// Whether `case` is one that could have been drawn.
    pub fn accepts(&self, space: &Space, case: &Value) -> bool {
        (self.accepts)(space, case)
    }

    /// Runs one case.
    pub fn check(&self, context: Context, case: Value) -> BoxFuture<'static, Verdict> {
        (self.check)(context, case)
    }

    /// What it looks for in every exchange, if it does.
    pub fn observer(&self) -> Option<Observe> {
        self.observe.clone()
    }

    /// Whether the exchanges of others show as much as its own case.
    pub fn is_shown_by_any_exchange(&self) -> bool {
        self.observe.is_some() && !self.has_own_scene
    }
}

fn whole(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
