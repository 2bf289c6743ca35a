//! Owners of the rows in a filled database: accounts of different sizes, and the ids and times of the rows by their numbers. The texts are
//! in `shapes`.

use contentgen_server_stub::clock::SystemClock;
use contentgen_server_stub::domain::account::{Account, Website, WebsiteStatus};
use contentgen_server_stub::domain::clock::{Clock as _, Timestamp};
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::hook::{EndpointStatus, HookEndpoint, HookSecret};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::domain::publishing_slots::PublishingSlots;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::Store;

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;
/// Period in which articles and leads were created.
const YEAR: i64 = 365 * DAY;
/// Period in which events were created. Older events were deleted.
const MONTH: i64 = 29 * DAY;

/// An account with a busy website, a quiet one, and webhook endpoints.
#[derive(Debug, Clone)]
pub(crate) struct Owner {
    pub(crate) account_id: String,
    pub(crate) websites: [String; 2],
    /// Ids of the endpoints. There are [`Population::endpoints`].
    pub(crate) endpoint_ids: Vec<String>,
}

/// The rows of a database by their numbers.
#[derive(Debug)]
pub(crate) struct Population {
    /// Number of articles, and number of leads.
    pub(crate) size: u64,
    pub(crate) owners: Vec<Owner>,
    /// Endpoints of each account, and so deliveries of each event.
    pub(crate) endpoints: u64,
    pub(crate) now: Timestamp,
}

/// Returns a deterministic, evenly spread number: one step of `SplitMix64`.
pub(crate) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

impl Population {
    /// Creates `count` accounts with `endpoints` endpoints each in the store, for a database of that size. If there are several, the first
    /// is large: it owns three rows of ten.
    pub(crate) async fn new(store: &Store, size: u64, count: usize, endpoints: u64) -> anyhow::Result<Self> {
        let now = SystemClock.wall();
        let made = now.plus_millis(-2 * YEAR);
        let mut owners = Vec::with_capacity(count);
        for number in 0..count {
            let account = Account {
                id: id::new(Kind::Account, made, &SystemRandomness),
                name: format!("owner-{number}"),
                created_at: made,
            };
            store.create_account(&account).await?;
            let websites = [(); 2].map(|()| website(&account.id, made));
            for website in &websites {
                store.create_website(website).await?;
            }
            let mut endpoint_ids = Vec::new();
            for _ in 0..endpoints {
                let endpoint = endpoint(&account.id, made);
                store.create_hook_endpoint(&endpoint).await?;
                endpoint_ids.push(endpoint.id);
            }
            let websites = websites.map(|website| website.website_id);
            owners.push(Owner { account_id: account.id, websites, endpoint_ids });
        }
        Ok(Self { size, owners, endpoints, now })
    }

    /// Returns the owner of the article or lead with that number.
    pub(crate) fn owner(&self, number: u64) -> &Owner {
        let spread = mix(number);
        let others = self.owners.len() as u64 - 1;
        let index = if others == 0 || spread % 10 < 3 { 0 } else { 1 + (spread >> 8) % others };
        &self.owners[usize::try_from(index).unwrap_or_default()]
    }

    /// Returns its website. One of fifty belongs to the quiet website.
    pub(crate) fn website(&self, number: u64) -> &str {
        &self.owner(number).websites[usize::from((mix(number) >> 24).is_multiple_of(50))]
    }

    /// Returns the creation time of the article or lead with that number, spread evenly over the last year.
    pub(crate) fn made_at(&self, number: u64) -> Timestamp {
        self.spread(number, self.size, YEAR)
    }

    /// Returns the creation time of the event with that number, spread evenly over the last month.
    pub(crate) fn event_at(&self, number: u64) -> Timestamp {
        self.spread(number, 2 * self.size, MONTH)
    }

    fn spread(&self, number: u64, count: u64, over: i64) -> Timestamp {
        let part = i128::from(over) * i128::from(count - number.min(count)) / i128::from(count);
        self.now.plus_millis(-MINUTE - i64::try_from(part).unwrap_or(over))
    }

    /// Returns the id of the row with that number. Like the server's ids, it sorts by time.
    pub(crate) fn id(&self, kind: Kind, number: u64) -> String {
        let at = match kind {
            Kind::Event => self.event_at(number),
            Kind::Delivery => self.event_at(number / self.endpoints),
            _ => self.made_at(number),
        };
        format!("{}{:012x}7{:03x}8{number:015x}", kind.prefix(), at.millis(), mix(number) & 0xFFF)
    }
}

fn website(account_id: &str, made: Timestamp) -> Website {
    Website {
        account_id: account_id.to_owned(),
        website_id: id::new(Kind::Website, made, &SystemRandomness),
        status: WebsiteStatus::Active,
        name: "A website".to_owned(),
        url: "https://example.org/".to_owned(),
        language: "en".to_owned(),
        time_zone: "UTC".to_owned(),
        auto_publish: true,
        publishing_slots: PublishingSlots::default(),
        brand_voice_id: None,
        lead_retention: None,
        target_word_count: None,
        lead_form: LeadForm::default(),
        pages_at_url: false,
        full_text_feed: false,
        created_at: made,
        updated_at: made,
    }
}

fn endpoint(account_id: &str, made: Timestamp) -> HookEndpoint {
    HookEndpoint {
        id: id::new(Kind::HookEndpoint, made, &SystemRandomness),
        account_id: account_id.to_owned(),
        url: "https://hooks.example.org/in".to_owned(),
        events: EventType::DEFAULT.to_vec(),
        website_id: None,
        description: None,
        secret: HookSecret::generate(&SystemRandomness),
        status: EndpointStatus::Active,
        include_content: false,
        created_at: made,
    }
}
