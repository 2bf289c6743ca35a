//! Runs the calls of an application against each fault of the API. No call may panic, exceed its time limits, or return values that
//! the server did not send.

use std::time::Duration;

use contentgen_faults::catalogue::Fault;
use contentgen_sdk::{Client, Error, ErrorKind};
use serde_json::{Map, Value};

use super::expected::{Expected, expected, has_row};
use super::findings::{Findings, try_all, watched};
use super::lane::{Lane, PATIENCE, WRONG_KEY};
use super::reading::{Call, Read, Subject};

/// First time limit for an attempt that a fault stalls.
const SHORT: Duration = Duration::from_secs(1);
/// Maximum number of repetitions of a call because the data changes meanwhile.
const MOST_CHANGES: usize = 20;

#[test]
fn every_fault_of_a_server_leads_to_what_is_true_or_to_an_error() {
    try_all(|fault| fault.edge.is_used(), try_portion);
}

async fn try_portion(faults: Vec<Fault>) -> Findings {
    let lane = Lane::start().await;
    let mut findings = Findings::new();
    for (number, fault) in (0..).zip(faults) {
        lane.faulty.enable(fault);
        // Grows with the lists, so that they have a few pages each time.
        let subject = Subject { page_limit: 2 + number / 2, ..lane.subject(fault) };
        try_fault(&lane, fault, subject, &mut findings).await;
        lane.faulty.disable(fault.name);
    }
    lane.server.stop().await;
    findings
}

async fn try_fault(lane: &Lane, fault: Fault, mut subject: Subject, findings: &mut Findings) {
    let key = lane.server.accounts()[0].api_key.as_str();
    let (client, stranger) = (lane.client(key, PATIENCE), lane.client(WRONG_KEY, PATIENCE));
    for call in Call::ALL {
        let client = if call == Call::WrongKey { &stranger } else { &client };
        let found = if is_stalled(fault, call) {
            try_stalled_call(lane, fault, (&mut subject, call), key).await
        } else {
            try_call(lane, fault, (&mut subject, call), client).await
        };
        findings.extend(found.into_iter().map(|found| format!("{}, {call:?}: {found}", fault.name)));
    }
    if has_row(fault) && lane.spoiled() == 0 {
        findings.push(format!("{}: no call met it", fault.name));
    }
}

/// Returns true if a fault stalls a call until its time limit.
fn is_stalled(fault: Fault, call: Call) -> bool {
    let is_over = |kind: &ErrorKind| matches!(kind, ErrorKind::Timeout | ErrorKind::WaitTimeout);
    matches!(expected(fault, call), Expected::Fails(kinds) if kinds.iter().any(is_over))
}

/// Makes a call with a short time limit. If the call ends before the fault changed anything, repeats it with a longer limit.
async fn try_stalled_call(
    lane: &Lane,
    fault: Fault,
    (subject, call): (&mut Subject, Call),
    key: &str,
) -> Option<String> {
    let mut patience = SHORT;
    loop {
        let spoiled = lane.spoiled();
        let found = try_call(lane, fault, (subject, call), &lane.client(key, patience)).await;
        if lane.spoiled() > spoiled || patience >= PATIENCE {
            return found;
        }
        patience *= 3;
    }
}

/// Makes a call, and describes the error in its outcome. Repeats the call if the server has changed the data meanwhile.
async fn try_call(lane: &Lane, fault: Fault, (subject, call): (&mut Subject, Call), client: &Client) -> Option<String> {
    let mut found = None;
    for _ in 0..MOST_CHANGES {
        let before = lane.known(call);
        let spoiled = lane.spoiled();
        let outcome = match watched(subject.call(call, client)).await {
            Ok(outcome) => outcome,
            Err(words) => return Some(words),
        };
        let is_spoiled = lane.spoiled() > spoiled;
        if let Some(words) = said_wrongly(lane, &outcome) {
            return Some(words);
        }
        take_ids(subject, call, &outcome);
        let expected = if is_spoiled { expected(fault, call) } else { Expected::True };
        if before.as_ref().is_some_and(|truth| is_met(expected, &outcome, truth)) {
            return None;
        }
        let truth = lane.truth(subject, call).await;
        if is_met(expected, &outcome, &truth) {
            return None;
        }
        found = Some(told(expected, &outcome, &truth));
        if !call.may_change() || before.is_some_and(|before| is_true(&before, &truth)) {
            break;
        }
    }
    found
}

/// Describes a defect of the SDK that no fault excuses: an error that contains the key, or a value that no response had.
fn said_wrongly(lane: &Lane, outcome: &Result<Read, Error>) -> Option<String> {
    let keys = [lane.server.accounts()[0].api_key.as_str(), WRONG_KEY];
    match outcome {
        Ok(read) => (!read.is_from_bodies()).then(|| format!("the SDK says what the body does not: {read:?}")),
        Err(error) => {
            let words = format!("{error} {error:?}");
            keys.iter().any(|key| words.contains(key)).then(|| format!("the error contains the key: {words}"))
        }
    }
}

/// Takes over the ids that the client has read, because later calls use them.
fn take_ids(subject: &mut Subject, call: Call, outcome: &Result<Read, Error>) {
    let Ok(read) = outcome else { return };
    let told = read.told();
    let text = |at: usize, name: &str| told.get(at)?.get(name)?.as_str().map(str::to_owned);
    match call {
        Call::Generate => subject.job_id = text(0, "job_id").unwrap_or_else(|| subject.job_id.clone()),
        Call::Leads => subject.lead_id = text(1, "id").unwrap_or_else(|| subject.lead_id.clone()),
        _ => {}
    }
}

/// Returns true if the outcome of a call is as expected. `truth` is the outcome without the proxy.
fn is_met(expected: Expected, outcome: &Result<Read, Error>, truth: &Result<Read, Error>) -> bool {
    let is_one_of = |kinds: &[_]| outcome.as_ref().is_err_and(|error| kinds.contains(&error.kind()));
    match expected {
        Expected::True => is_true(outcome, truth),
        Expected::Fails(kinds) => is_one_of(kinds),
        Expected::TrueOrFails(kinds) => is_one_of(kinds) || is_true(outcome, truth),
        Expected::Otherwise(kinds) => is_one_of(kinds) || outcome.is_ok() || is_true(outcome, truth),
        Expected::Lacks(name) => match (outcome, truth) {
            (Ok(read), Ok(truth)) => {
                let told = read.told();
                told.iter().all(|value| is_blank(&value[name])) && without(told, name) == without(truth.told(), name)
            }
            _ => false,
        },
        Expected::Refused => match (outcome, truth) {
            (Err(error), Err(truth)) => (error.kind(), error.status()) == (truth.kind(), truth.status()),
            _ => is_true(outcome, truth),
        },
    }
}

/// Returns true if the outcome is the same as without the proxy.
fn is_true(outcome: &Result<Read, Error>, truth: &Result<Read, Error>) -> bool {
    match (outcome, truth) {
        (Ok(read), Ok(truth)) => read.told() == truth.told(),
        (Err(error), Err(truth)) => {
            (error.kind(), error.status(), error.code()) == (truth.kind(), truth.status(), truth.code())
        }
        _ => false,
    }
}

/// Returns true if a field is null, an empty list or an empty object.
fn is_blank(member: &Value) -> bool {
    member.is_null() || member.as_array().is_some_and(Vec::is_empty) || member.as_object().is_some_and(Map::is_empty)
}

/// Removes a top-level field from each value.
fn without(mut values: Vec<Value>, name: &str) -> Vec<Value> {
    for value in &mut values {
        value.as_object_mut().expect("the API returns objects").remove(name);
    }
    values
}

/// Describes the expectation, and the first difference between the outcome and the truth.
fn told(expected: Expected, outcome: &Result<Read, Error>, truth: &Result<Read, Error>) -> String {
    let (outcome, truth) = match (outcome, truth) {
        (Ok(read), Ok(truth)) => first_difference(&read.told(), &truth.told()),
        _ => (in_words(outcome), in_words(truth)),
    };
    format!("{expected:?} was expected; it led to {outcome}, and the truth is {truth}")
}

fn in_words(outcome: &Result<Read, Error>) -> String {
    match outcome {
        Ok(read) => format!("{} values", read.told().len()),
        Err(error) => format!("{error:?}"),
    }
}

/// Returns the first value in which two lists differ. Of an object, it shows only the fields that differ.
fn first_difference(one: &[Value], other: &[Value]) -> (String, String) {
    let at = one.iter().zip(other).position(|(one, other)| one != other);
    let Some(at) = at else { return (format!("{} values", one.len()), format!("{} values", other.len())) };
    let (Some(left), Some(right)) = (one[at].as_object(), other[at].as_object()) else {
        return (one[at].to_string(), other[at].to_string());
    };
    let differing = |members: &Map<String, Value>, others: &Map<String, Value>| {
        let all = members.iter().filter(|(name, value)| others.get(*name) != Some(value));
        let all =
            all.map(|(name, value)| format!("{name}: {}", value.to_string().chars().take(80).collect::<String>()));
        format!("at {at} {{{}}}", all.collect::<Vec<_>>().join(", "))
    };
    (differing(left, right), differing(right, left))
}
