//! Late posts: their new publication times, spread out so that they are not published in a burst.

use std::time::Duration;

use super::clock::{Moment, Timestamp};
use super::publish::DueAt;

/// Delay after which a due post is late (`late_after` under `x-limits`). A post with a shorter delay is published normally.
pub const LATE_AFTER: Duration = Duration::from_mins(15);
/// Pause between two late publications of a website (`late_publication_pause` under `x-limits`).
pub const LATE_PUBLICATION_PAUSE: Duration = Duration::from_mins(10);

/// Publication time of a late post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LatePublication {
    /// In this slot, which becomes the post's time.
    InSlot(Timestamp),
    /// From this steady time on. The post keeps the time that it missed.
    From(Timestamp),
}

impl LatePublication {
    /// Returns the new due time of the post.
    pub const fn due_at(self) -> DueAt {
        match self {
            Self::InSlot(slot) => DueAt::Wall(slot),
            Self::From(steady) => DueAt::Steady(steady),
        }
    }

    /// Returns the new `publish_at` of the post that missed the time `missed`.
    pub const fn publish_at(self, missed: Timestamp) -> Timestamp {
        match self {
            Self::InSlot(slot) => slot,
            Self::From(_) => missed,
        }
    }
}

/// Returns the time up to which a post is late, by either clock.
pub fn late_cutoff(now: Moment) -> Moment {
    Moment { wall: now.wall.minus(LATE_AFTER), steady: now.steady.minus(LATE_AFTER) }
}

/// Returns the steady time from which another late post of a website may be published. `known` is the former result. It is too
/// late if planned posts were cancelled. So the time is at most one pause after the last planned post, or after `now` if that is
/// later.
pub fn next_publication(known: Timestamp, last_planned: Option<Timestamp>, now: Moment) -> Timestamp {
    known.min(last_planned.unwrap_or(now.steady).max(now.steady).plus(LATE_PUBLICATION_PAUSE))
}

/// State of the late posts of a website.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LateWebsite {
    /// Number of late posts.
    pub posts: usize,
    /// Steady time from which another late post may be published.
    pub next_at: Timestamp,
    /// True if the website has slots and one of its posts is due on time now, so that all late posts move to later slots.
    pub is_taken: bool,
}

impl LateWebsite {
    /// Returns the publication time of each late post in order, and the time from which the next one may be published.
    /// `free_slots` are the website's free slots in order, one for each late post. There are fewer if the website has no slots,
    /// or too few free ones.
    pub fn publications(self, free_slots: &[Timestamp], now: Moment) -> (Vec<LatePublication>, Timestamp) {
        let mut next_at = self.next_at.max(now.steady);
        let mut publications = Vec::new();
        let mut follow = || {
            let at = next_at;
            next_at = at.plus(LATE_PUBLICATION_PAUSE);
            LatePublication::From(at)
        };
        if !self.is_taken && self.next_at <= now.steady && self.posts > 0 {
            publications.push(follow());
        }
        let mut slots = free_slots.iter().copied();
        while publications.len() < self.posts {
            publications.push(slots.next().map_or_else(&mut follow, LatePublication::InSlot));
        }
        (publications, next_at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::LatePublication::{From, InSlot};
    use super::*;

    const NOW: Moment = Moment { wall: Timestamp::from_millis(7_000_000), steady: Timestamp::from_millis(5_000_000) };
    const PAUSE: i64 = 600_000;

    fn from(pauses: i64) -> LatePublication {
        From(NOW.steady.plus_millis(pauses * PAUSE))
    }

    #[test]
    fn without_slots_late_posts_follow_each_other_with_pauses() {
        let website = LateWebsite { posts: 3, next_at: Timestamp::from_millis(0), is_taken: false };
        let (publications, next_at) = website.publications(&[], NOW);
        assert_eq!(publications, [from(0), from(1), from(2)]);
        assert_eq!(from(3), From(next_at));
        // A post that becomes late afterwards follows them.
        let (publications, next_at) = LateWebsite { posts: 1, next_at, ..website }.publications(&[], NOW);
        assert_eq!(publications, [from(3)]);
        assert_eq!(from(4), From(next_at));
    }

    #[test]
    fn with_slots_one_comes_at_once_and_the_others_move_on() {
        let slots: Vec<_> = (1..=3).map(|day| NOW.wall.plus_millis(day * 86_400_000)).collect();
        let website = LateWebsite { posts: 3, next_at: NOW.steady, is_taken: false };
        let (publications, next_at) = website.publications(&slots, NOW);
        assert_eq!(publications, [from(0), InSlot(slots[0]), InSlot(slots[1])]);
        assert_eq!(from(1), From(next_at));
        let waiting = LateWebsite { next_at, ..website };
        assert_eq!(waiting.publications(&slots, NOW), (slots.iter().copied().map(InSlot).collect(), next_at));
        let taken = LateWebsite { is_taken: true, ..website };
        assert_eq!(taken.publications(&slots, NOW), (slots.iter().copied().map(InSlot).collect(), NOW.steady));
        // More late posts than free slots.
        let (publications, _) = waiting.publications(&slots[..1], NOW);
        assert_eq!(publications, [InSlot(slots[0]), from(1), from(2)]);
    }

    #[test]
    fn without_late_posts_nothing_moves() {
        let website = LateWebsite { posts: 0, next_at: NOW.steady, is_taken: false };
        assert_eq!(website.publications(&[NOW.wall], NOW), (Vec::new(), NOW.steady));
    }

    proptest! {
        /// Posts become late one after the other, on a website that may gain and lose slots.
        #[test]
        fn two_late_publications_are_a_pause_apart_whenever_posts_become_late(
            steps in prop::collection::vec((0..3 * PAUSE, 0..5_usize, 0..5_usize, any::<bool>()), 1..20),
        ) {
            let (mut now, mut next_at, mut times) = (NOW, Timestamp::from_millis(0), Vec::new());
            for (passed, posts, free, is_taken) in steps {
                now = Moment { wall: now.wall.plus_millis(passed), steady: now.steady.plus_millis(passed) };
                let slots: Vec<_> = (1..).map(|slot| now.wall.plus_millis(slot)).take(free.min(posts)).collect();
                let is_taken = is_taken && free > 0;
                let (publications, next) = LateWebsite { posts, next_at, is_taken }.publications(&slots, now);
                prop_assert_eq!(publications.len(), posts);
                let in_slots: Vec<_> = publications.iter().filter_map(|publication| match publication {
                    InSlot(slot) => Some(*slot),
                    From(_) => None,
                }).collect();
                prop_assert_eq!(&in_slots[..], &slots[..in_slots.len()]);
                let at_once = usize::from(posts > 0 && !is_taken && next_at <= now.steady);
                prop_assert_eq!(in_slots.len(), slots.len().min(posts - at_once));
                times.extend(publications.into_iter().filter_map(|publication| match publication {
                    From(time) => Some(time),
                    InSlot(_) => None,
                }));
                prop_assert!(times.iter().rev().take(posts - in_slots.len()).all(|time| *time >= now.steady));
                next_at = next;
            }
            prop_assert!(times.windows(2).all(|pair| pair[1] >= pair[0].plus(LATE_PUBLICATION_PAUSE)), "{times:?}");
        }
    }
}
