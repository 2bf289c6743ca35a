//! Finds free publishing slots. A slot is taken by any post that will be published at its time without further approval,
//! however that time was chosen.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::domain::account::Website;
use crate::domain::clock::Timestamp;
use crate::domain::publishing_slots::{PublishingSlots, SLOTS_AHEAD};
use crate::domain::store::Result;
use crate::domain::time_zone::TimeZone;

use super::set_aside::read_row;
use super::sql::{BatchStatement, ExclusiveSession, Session, read, values};

/// Number of slots to check together.
const LOOK_AHEAD: usize = 100;

/// Locks the slots of these websites until the commit, so that free slots stay free. Transactions take these locks before they
/// lock posts, and in one order, so they do not deadlock.
pub(super) fn lock(session: &mut dyn ExclusiveSession, website_ids: &BTreeSet<&str>) -> Result<()> {
    let names: Vec<_> = website_ids.iter().map(|website_id| format!("slots:{website_id}")).collect();
    session.lock_all(&names)
}

/// Returns the first `count` free slots of a website after `now`, or fewer if too many of the next [`SLOTS_AHEAD`] are taken.
/// The slot of the post `except` counts as free.
pub(super) fn free(
    session: &mut dyn Session,
    website_id: &str,
    (slots, zone): (&PublishingSlots, TimeZone),
    now: Timestamp,
    (count, except): (usize, &str),
) -> Result<Vec<Timestamp>> {
    let moments: Vec<_> = slots.after(zone, now).take(SLOTS_AHEAD).collect();
    let mut free = Vec::new();
    for moments in moments.chunks(LOOK_AHEAD) {
        let (first, last) = (moments[0], moments[moments.len() - 1]);
        let taken: HashSet<Timestamp> = session
            .rows(
                "SELECT publish_at FROM scheduled_posts
                 WHERE website_id = $1 AND publish_at >= $2 AND publish_at <= $3 AND id <> $4
                    AND (status IN ('scheduled', 'publishing')
                        OR (status IN ('queued', 'generating') AND auto_publish = 1))",
                values![website_id, first, last, except],
                read::time,
            )?
            .into_iter()
            .collect();
        free.extend(moments.iter().filter(|moment| !taken.contains(moment)));
        if free.len() >= count {
            break;
        }
    }
    free.truncate(count);
    Ok(free)
}

/// Returns free slots for articles that become ready together: as many per website as it has such articles. Locks the slots
/// until the commit. A website without slots, or with unreadable slots, has none.
pub(super) fn for_articles<'a>(
    session: &mut dyn ExclusiveSession,
    articles: &HashMap<&'a str, usize>,
    now: Timestamp,
) -> Result<HashMap<&'a str, Vec<Timestamp>>> {
    let website_ids: Vec<_> = articles.keys().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let inputs: Vec<_> = website_ids.iter().map(|website_id| values![*website_id].to_vec()).collect();
    let mut websites = Vec::new();
    session.query_batch(&FIND_SLOTS, &inputs, &mut |number, row| {
        let website_id = website_ids[number];
        let zone = TimeZone::or_utc(row.str()?);
        let slots: PublishingSlots = read_row(website_id, row.json())?.unwrap_or_default();
        websites.push((website_id, slots, zone));
        Ok(())
    })?;
    if websites.is_empty() {
        return Ok(HashMap::new());
    }
    lock(session, &websites.iter().map(|(website_id, ..)| *website_id).collect())?;
    let mut found = HashMap::new();
    for (website_id, slots, zone) in &websites {
        found.insert(*website_id, free(session, website_id, (slots, *zone), now, (articles[website_id], ""))?);
    }
    Ok(found)
}

const FIND_SLOTS: BatchStatement = BatchStatement {
    sqlite_each: "SELECT time_zone, publishing_slots FROM websites WHERE id = $1 AND publishing_slots IS NOT NULL",
    postgres_all: "SELECT input.number, time_zone, publishing_slots
         FROM unnest($1::text[]) WITH ORDINALITY AS input (website_id, number)
         JOIN websites ON websites.id = input.website_id
         WHERE publishing_slots IS NOT NULL ORDER BY input.number",
};

/// Returns a website's slots and their time zone.
pub(super) fn of(website: &Website) -> (&PublishingSlots, TimeZone) {
    (&website.publishing_slots, TimeZone::or_utc(&website.time_zone))
}
