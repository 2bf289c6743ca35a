//! Plans late posts: posts whose time passed while no process published. `domain::late_post` decides their new times.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::clock::{Moment, Timestamp};
use crate::domain::late_post::{LateWebsite, late_cutoff, next_publication};
use crate::domain::store::Result;

use super::posts::has_missed_its_time;
use super::set_aside::read_row;
use super::sql::{BatchStatement, ExclusiveSession, Session, read, values};
use super::store::Store;
use super::{posts, slots, websites};

/// Maximum number of late posts that one transaction plans. The next claim continues.
const MAX_POSTS: u32 = 500;

/// True for a late post whose website publishes.
macro_rules! is_late {
    () => {
        concat!("run_at <= $3 AND ", has_missed_its_time!("$1", "$2"), " AND ", posts::website_publishes!())
    };
}

impl Store {
    /// Assigns new times, one after the other, to posts that missed their time.
    pub(super) async fn plan_late_posts(&self, now: Moment) -> Result<()> {
        if self
            .read_few(move |session| {
                let Moment { wall, steady } = late_cutoff(now);
                session.exists(
                    concat!("SELECT 1 FROM scheduled_posts WHERE ", is_late!(), " LIMIT 1"),
                    values![wall, steady, wall.max(steady)],
                )
            })
            .await?
        {
            for (website_id, posts) in self.write_exclusive(move |session| plan(session, now)).await? {
                tracing::info!(website_id, posts, "posts that missed their time are published one after the other");
            }
        }
        Ok(())
    }
}

/// Plans late posts. Returns their websites with the number of posts of each.
fn plan(session: &mut dyn ExclusiveSession, now: Moment) -> Result<Vec<(String, usize)>> {
    let Moment { wall, steady } = late_cutoff(now);
    let found: Vec<(String, String)> = session.rows(
        concat!("SELECT website_id, id FROM scheduled_posts WHERE ", is_late!(), " ORDER BY run_at, id LIMIT $4"),
        values![wall, steady, wall.max(steady), MAX_POSTS],
        |row| Ok((row.text()?, row.text()?)),
    )?;
    slots::lock(session, &found.iter().map(|(website_id, _)| website_id.as_str()).collect::<BTreeSet<_>>())?;
    // Another transaction may have planned some of them before the lock was taken.
    let inputs: Vec<_> = found.iter().map(|(_, id)| values![id, wall, steady].to_vec()).collect();
    let mut late: BTreeMap<&str, Vec<(&str, Timestamp)>> = BTreeMap::new();
    session.query_batch(&LOCK_LATE, &inputs, &mut |number, row| {
        let (website_id, id) = &found[number];
        late.entry(website_id).or_default().push((id, row.time()?));
        Ok(())
    })?;
    for (website_id, posts) in &late {
        plan_of_website(session, website_id, posts, now)?;
    }
    Ok(late.into_iter().map(|(website_id, posts)| (website_id.to_owned(), posts.len())).collect())
}

const LOCK_LATE: BatchStatement = BatchStatement {
    sqlite_each: concat!("SELECT publish_at FROM scheduled_posts WHERE id = $1 AND ", has_missed_its_time!("$2", "$3")),
    postgres_all: concat!(
        "SELECT input.number, publish_at
         FROM unnest($1::text[], $2::int8[], $3::int8[]) WITH ORDINALITY AS input (id, wall, steady, number)
         JOIN scheduled_posts ON scheduled_posts.id = input.id
         WHERE ",
        has_missed_its_time!("input.wall", "input.steady"),
        " ORDER BY input.number FOR UPDATE OF scheduled_posts"
    ),
};

/// Plans late posts of a website, in the order of the times that they missed.
fn plan_of_website(
    session: &mut dyn Session,
    website_id: &str,
    posts: &[(&str, Timestamp)],
    now: Moment,
) -> Result<()> {
    // A website that cannot be read has no slots here. The claim sets its posts aside.
    let website = websites::find_website(session, website_id);
    let website = read_row(website_id, website)?.ok().flatten();
    let website = website.filter(|website| !website.publishing_slots.is_empty());
    let (free, is_taken) = match &website {
        Some(website) => (
            slots::free(session, website_id, slots::of(website), now.wall, (posts.len(), ""))?,
            is_one_on_time(session, website_id, now)?,
        ),
        None => (Vec::new(), false),
    };
    let next_at = "SELECT next_at FROM late_publications WHERE website_id = $1";
    let next_at = Timestamp::from_millis(session.number(next_at, values![website_id])?);
    let next_at = next_publication(next_at, last_planned(session, website_id, now)?, now);
    let late = LateWebsite { posts: posts.len(), next_at, is_taken };
    let (publications, next_at) = late.publications(&free, now);
    let inputs: Vec<_> = posts
        .iter()
        .zip(publications)
        .map(|((id, missed), publication)| {
            let (run_at, is_wall_time) = posts::due_columns(Some(publication.due_at()));
            values![*id, publication.publish_at(*missed), run_at, is_wall_time, now.wall].to_vec()
        })
        .collect();
    session.execute_batch(&PLAN, &inputs)?;
    session.execute(
        "INSERT INTO late_publications (website_id, next_at) VALUES ($1, $2)
         ON CONFLICT (website_id) DO UPDATE SET next_at = excluded.next_at",
        values![website_id, next_at],
    )?;
    Ok(())
}

const PLAN: BatchStatement = BatchStatement {
    sqlite_each: "UPDATE scheduled_posts SET publish_at = $2, run_at = $3, is_wall_time = $4, updated_at = $5 WHERE id = $1",
    postgres_all: "UPDATE scheduled_posts
         SET publish_at = input.publish_at, run_at = input.run_at, is_wall_time = input.is_wall_time,
            updated_at = input.updated_at
         FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::int8[])
            AS input (id, publish_at, run_at, is_wall_time, updated_at)
         WHERE scheduled_posts.id = input.id",
};

/// Returns the latest time planned for a late post of the website that is neither published nor given up.
fn last_planned(session: &mut dyn Session, website_id: &str, now: Moment) -> Result<Option<Timestamp>> {
    let Moment { wall, steady } = late_cutoff(now);
    session.first(
        "SELECT run_at FROM scheduled_posts
         WHERE website_id = $1 AND status = 'scheduled' AND attempts = 0 AND is_wall_time = 0 AND publish_at <= $2
            AND run_at > $3
         ORDER BY run_at DESC LIMIT 1",
        values![website_id, wall, steady],
        read::time,
    )
}

/// Returns true if a post of the website is published about now, at its time.
fn is_one_on_time(session: &mut dyn Session, website_id: &str, now: Moment) -> Result<bool> {
    session.exists(
        "SELECT 1 FROM scheduled_posts WHERE website_id = $1 AND publish_at > $2 AND publish_at <= $3
            AND status IN ('scheduled', 'publishing', 'published') LIMIT 1",
        values![website_id, late_cutoff(now).wall, now.wall],
    )
}
