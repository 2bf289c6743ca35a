//! Lead forms of a few people that several clients send at the same time, compared with the `model`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Halt, Requirement, Verdict, demand};
use crate::model::lead::{Answer, Call, Leads, Person};
use crate::steps::histories::{Clock, History};
use crate::steps::lead_form::{awaited, is_marked, mentioning, send, settle};
use crate::strategies::Draw;

/// Numbers of people and of clients, and maximum number of forms. Few addresses may send more than ten in a minute.
const PEOPLE: usize = 2;
const CLIENTS: usize = 4;
const FORMS: usize = 7;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "sequences.leads.concurrent",
            "If several clients send forms with the same email at the same time, they make one lead: that of a form that may have been the first.",
            &[
                Sentence(
                    "Forms with the same website, `form_id` and `email` (in any ASCII case) within ten minutes make one lead: the first.",
                ),
                Sentence("A form that looks like spam and one that does not never make one lead."),
                Sentence(
                    "The response is the same for a new lead, a repeated one and one that looks like spam.",
                ),
            ],
            run,
        )
        .needs(&[Capability::LEADS, Capability::LEAD_FORM])
        .drawn("up to 7 forms of 2 people by up to 4 clients", Cases::Exactly(3), |_, draw| forms(draw)),
    ]
}

/// Draws forms as pairs of a person and a client.
fn forms(draw: &mut Draw) -> Value {
    json!(draw.value(&proptest::collection::vec((0..PEOPLE, 0..CLIENTS), 2..=FORMS)))
}

async fn run(context: Context, case: Value) -> Verdict {
    let marker = context.fresh("people");
    let clock = Clock::default();
    let mut clients: BTreeMap<u64, Vec<(usize, u64)>> = BTreeMap::new();
    for (form, pair) in case.as_array().into_iter().flatten().enumerate() {
        let [person, client] = [0, 1].map(|at| pair[at].as_u64().unwrap_or_default());
        clients.entry(client).or_default().push((form, person));
    }
    let people: Mutex<BTreeMap<u64, History<Call, Answer>>> = Mutex::default();
    let (context, marker, clock, people) = (&context, &marker, &clock, &people);
    let client = |(client, forms): (&u64, &Vec<(usize, u64)>)| {
        let (client, forms) = (usize::try_from(*client).unwrap_or_default(), forms.clone());
        async move {
            for (form, person) in forms {
                let begun = clock.now();
                let exchange = send(context, &filled(marker, person, form)).await?;
                let answer =
                    if exchange.status == 202 { Answer::Accepted } else { Answer::Other(demand::seen(&exchange)) };
                let event = clock.event(client, Call::Capture(form), answer, begun);
                let mut people = people.lock().unwrap_or_else(PoisonError::into_inner);
                people.entry(person).or_default().add(event, exchange);
            }
            Ok::<_, Halt>(())
        }
    };
    futures::future::try_join_all(clients.iter().map(client)).await?;
    settle(context).await?;
    let mut people = std::mem::take(&mut *people.lock().unwrap_or_else(PoisonError::into_inner));
    for (person, history) in &mut people {
        let name = format!("{marker}-{person}");
        awaited(context, &name, 1).await?;
        let begun = clock.now();
        let leads = mentioning(context, &name).await?;
        let Some(page) = context.trace().pop() else { continue };
        history.add(clock.event(0, Call::List, leads_in(&leads), begun), page);
        history.explained_by(&Person, Leads::default())?;
    }
    Ok(())
}

/// Returns a form of a person. Its name shows its number. The letter case of the address differs.
fn filled(marker: &str, person: u64, form: usize) -> Value {
    let email = format!("{marker}-{person}@example.com");
    let email = if form.is_multiple_of(2) { email } else { email.to_ascii_uppercase() };
    json!({ "email": email, "name": format!("{marker}-{person} {form}") })
}

/// Returns the leads in the list, by the numbers of their forms.
fn leads_in(leads: &[Value]) -> Answer {
    let mut all = Leads::default();
    for lead in leads {
        let form = lead["name"].as_str().and_then(|name| name.rsplit(' ').next()?.parse().ok());
        let place = if is_marked(lead) { &mut all.suspected } else { &mut all.ordinary };
        if form.is_none() || place.is_some() {
            return Answer::Other(format!("200, {} leads: {}", leads.len(), demand::brief(&json!(leads))));
        }
        *place = form;
    }
    Answer::Leads(all)
}
