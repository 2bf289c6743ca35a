//! The document's recipe for keeping a copy of the leads in sync. It misses nothing, whatever changes during and between its walks.

use std::collections::BTreeMap;
use std::time::Duration;

use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::event::Event;
use contentgen_server_stub::domain::lead::{ConfirmationStatus, Lead, LeadConfirmation};
use contentgen_server_stub::domain::store::{LeadFilter, PageKey, PageRequest};
use contentgen_server_stub::domain::visibility::Visibility;
use proptest::prelude::*;

use super::world::World;

/// Overlap of two walks, from the document.
const OVERLAP: Duration = Duration::from_mins(5);

#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Stores a lead whose time was read this number of milliseconds earlier.
    Capture { late: i64 },
    /// Confirms one of the leads, with a time that was read this number of milliseconds earlier.
    Confirm { which: usize, late: i64 },
    /// Erases one of the leads.
    Erase { which: usize },
    /// Lets this number of milliseconds pass.
    Pass(u64),
    /// Requests the next page of the walk, or the first page of the next walk.
    Page,
}

/// Returns steps and a page size.
pub(crate) fn cases() -> impl Strategy<Value = (Vec<Step>, u32)> {
    let late = || 0..=i64::try_from(OVERLAP.as_millis()).expect("five minutes fit");
    let step = prop_oneof![
        4 => late().prop_map(|late| Step::Capture { late }),
        2 => (any::<usize>(), late()).prop_map(|(which, late)| Step::Confirm { which, late }),
        1 => any::<usize>().prop_map(|which| Step::Erase { which }),
        2 => (0..400_000_u64).prop_map(Step::Pass),
        6 => Just(Step::Page),
    ];
    (prop::collection::vec(step, 0..60), 1..5_u32)
}

/// A started walk.
struct Walk {
    filter: LeadFilter,
    after: Option<PageKey>,
    /// `Date` of the first page.
    date: Timestamp,
    /// Leads of the server when the walk started.
    begun_with: Vec<Lead>,
}

/// A client with its copy.
struct Client<'a> {
    world: &'a World,
    limit: u32,
    copy: BTreeMap<String, Lead>,
    walk: Option<Walk>,
    /// `Date` of the first page of the last walk.
    remembered: Option<Timestamp>,
}

async fn leads(world: &World) -> Vec<Lead> {
    let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
    world
        .store
        .list_leads(&visibility, &LeadFilter::default(), &PageRequest { after: None, limit: 1000 })
        .await
        .unwrap()
}

impl Client<'_> {
    /// Requests a page. A walk that ends has returned all leads that existed when it started.
    async fn request_page(&mut self) {
        let world = self.world;
        let mut walk = match self.walk.take() {
            Some(walk) => walk,
            None => Walk {
                filter: LeadFilter {
                    updated_since: self.remembered.map(|date| date.minus(OVERLAP)),
                    ..LeadFilter::default()
                },
                after: None,
                date: Timestamp::from_millis(world.now().seconds() * 1000),
                begun_with: leads(world).await,
            },
        };
        let visibility = Visibility { account_id: world.account_id.clone(), website_ids: None };
        let page = PageRequest { after: walk.after.take(), limit: self.limit };
        let rows = world.store.list_leads(&visibility, &walk.filter, &page).await.unwrap();
        walk.after = rows.last().map(|lead| PageKey { time: lead.captured_at, id: lead.id.clone() });
        let is_last = rows.len() < self.limit as usize;
        self.copy.extend(rows.into_iter().map(|lead| (lead.id.clone(), lead)));
        if !is_last {
            self.walk = Some(walk);
            return;
        }
        self.remembered = Some(walk.date);
        for lead in walk.begun_with {
            if world.store.find_lead(&lead.id).await.unwrap().is_some() {
                let copied = self.copy.get(&lead.id).unwrap_or_else(|| panic!("{} is missing", lead.id));
                assert!(copied.updated_at >= lead.updated_at, "the copy of {} is older than the walk", lead.id);
            }
        }
    }
}

pub(crate) async fn a_copy_kept_by_the_recipe_equals_the_leads(world: World, (steps, limit): (Vec<Step>, u32)) {
    let mut client = Client { world: &world, limit, copy: BTreeMap::new(), walk: None, remembered: None };
    let (mut erased, mut captured) = (Vec::new(), 0);
    for step in steps {
        let known = leads(&world).await;
        let pick = |which: usize| known.get(which % known.len().max(1)).cloned();
        match step {
            Step::Capture { late } => {
                captured += 1;
                let (mut lead, _) = world.lead(Some(&format!("{captured}@example.org")));
                lead.captured_at = world.now().plus_millis(-late);
                lead.updated_at = lead.captured_at;
                lead.confirmation = LeadConfirmation::of_new_lead(true);
                let event = Event::lead_captured(format!("evt_of_{}", lead.id), &lead, None);
                world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
            }
            Step::Confirm { which, late } => {
                let is_pending = |lead: &Lead| lead.confirmation.status == ConfirmationStatus::Pending;
                if let Some(lead) = pick(which).filter(is_pending) {
                    let lead = lead.confirmed(world.now().plus_millis(-late));
                    let event = Event::lead_confirmed(format!("evt_on_{}", lead.id), &lead, lead.updated_at);
                    assert!(world.store.confirm_lead(&lead, &event, world.now()).await.unwrap());
                }
            }
            Step::Erase { which } => {
                if let Some(lead) = pick(which) {
                    assert!(world.store.erase_lead(&lead.id).await.unwrap());
                    erased.push(lead.id);
                }
            }
            Step::Pass(millis) => {
                world.advance(Duration::from_millis(millis));
            }
            Step::Page => client.request_page().await,
        }
    }
    // The current walk, if there is one, and a complete one.
    for _ in 0..2 {
        client.request_page().await;
        while client.walk.is_some() {
            client.request_page().await;
        }
    }
    // The list does not report erasures.
    client.copy.retain(|id, _| !erased.contains(id));
    let there: BTreeMap<_, _> = leads(&world).await.into_iter().map(|lead| (lead.id.clone(), lead)).collect();
    assert_eq!(client.copy, there);
}
