//! The rules of the leads of one person: forms with the same website, `form_id` and `email`, sent within ten minutes.

use std::fmt;

use super::machine::{Allowed, Machine};

const ACCEPTED: &str = "The response is the same for a new lead, a repeated one and one that looks like spam.";
const ONE_LEAD: &str = "Forms with the same website, `form_id` and `email` (in any ASCII case) within ten minutes make one lead: the first.";

/// The leads of the person, by the number of the form that made each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leads {
    /// The lead that does not look like spam.
    pub ordinary: Option<usize>,
    /// The lead that looks like spam.
    pub suspected: Option<usize>,
}

/// A call about the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `POST /capture/{website_id}` with the form of this number.
    Capture(usize),
    /// Reading the list of leads, after all of them can be read.
    List,
}

impl fmt::Display for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capture(form) => write!(formatter, "send form {form}"),
            Self::List => formatter.write_str("list the leads"),
        }
    }
}

/// A response to such a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// 202
    Accepted,
    /// 200 with these leads.
    Leads(Leads),
    /// Any other response. The rules never allow it.
    Other(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted => formatter.write_str("202"),
            Self::Leads(Leads { ordinary: None, suspected: None }) => formatter.write_str("200, no lead"),
            Self::Leads(Leads { ordinary, suspected }) => {
                let ordinary = ordinary.map(|form| format!("the lead of form {form}"));
                let suspected = suspected.map(|form| format!("the lead of form {form}, suspected of spam"));
                let all: Vec<String> = ordinary.into_iter().chain(suspected).collect();
                write!(formatter, "200, {}", all.join(" and "))
            }
            Self::Other(response) => formatter.write_str(response),
        }
    }
}

/// The rules of a person.
#[derive(Debug, Clone, Copy)]
pub struct Person;

impl Machine for Person {
    type State = Leads;
    type Call = Call;
    type Answer = Answer;

    fn steps(&self, _: &Leads) -> Vec<Leads> {
        Vec::new()
    }

    fn allowed(&self, state: &Leads, call: &Call) -> Vec<Allowed<Leads, Answer>> {
        match call {
            // The service decides which forms look like spam.
            Call::Capture(form) => [
                Leads { ordinary: state.ordinary.or(Some(*form)), ..*state },
                Leads { suspected: state.suspected.or(Some(*form)), ..*state },
            ]
            .map(|next| Allowed { answer: Answer::Accepted, next, clause: ACCEPTED })
            .into(),
            Call::List => vec![Allowed { answer: Answer::Leads(*state), next: *state, clause: ONE_LEAD }],
        }
    }

    fn accept(&self, allowed: &Allowed<Leads, Answer>, answer: &Answer) -> Option<Leads> {
        (allowed.answer == *answer).then_some(allowed.next)
    }
}
