//! Decides when an article is published. `publishing_slots` computes the times of slots, and `late_post` plans posts that
//! missed their time.

use super::article::ArticleStatus;
use super::clock::{Moment, Timestamp};
use super::job::Job;
use super::post::PostStatus;

/// Time from which a post may be claimed. A retry waits for this time and for the post's `publish_at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueAt {
    /// By the wall clock: the post's `publish_at`.
    Wall(Timestamp),
    /// By the steady time.
    Steady(Timestamp),
}

impl DueAt {
    /// Returns the due time of a post that a user has approved: `publish_at` if it is in the future, otherwise now.
    pub fn approved(publish_at: Option<Timestamp>, now: Moment) -> Self {
        publish_at.filter(|publish_at| *publish_at > now.wall).map_or(Self::Steady(now.steady), Self::Wall)
    }

    /// Returns the time by its clock.
    pub const fn time(self) -> Timestamp {
        match self {
            Self::Wall(time) | Self::Steady(time) => time,
        }
    }

    /// Returns true if the wall clock decides.
    pub const fn is_wall_time(self) -> bool {
        matches!(self, Self::Wall(_))
    }
}

/// Publication of a written article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publication {
    /// After it is approved.
    AfterApproval,
    /// As soon as possible.
    AtOnce,
    /// At the requested time, which was in the future when requested.
    At(Timestamp),
    /// In this slot of its website.
    InSlot(Timestamp),
}

/// Returns true if the article needs a free slot, provided that its website has slots.
pub fn needs_slot(job: &Job, article: ArticleStatus) -> bool {
    article == ArticleStatus::Scheduled && job.request.publish_at.is_none()
}

impl Publication {
    /// Decides when the article of `job` is published. An article that needs approval is a draft. An article without a
    /// requested time takes the next of `free_slots`, which are `None` if its website has no slots. If none is free, it waits
    /// for approval.
    pub fn decide(job: &Job, article: ArticleStatus, free_slots: Option<&mut impl Iterator<Item = Timestamp>>) -> Self {
        match (job.request.publish_at, article) {
            // Also if the time has passed by now: the claim decides whether the post is late.
            (Some(at), ArticleStatus::Scheduled) if at > job.created_at => Self::At(at),
            (Some(_), ArticleStatus::Scheduled) => Self::AtOnce,
            (None, ArticleStatus::Scheduled) => {
                free_slots.map_or(Self::AtOnce, |slots| slots.next().map_or(Self::AfterApproval, Self::InSlot))
            }
            _ => Self::AfterApproval,
        }
    }

    /// Returns the state of the post.
    pub const fn post_status(self) -> PostStatus {
        match self {
            Self::AfterApproval => PostStatus::Ready,
            Self::AtOnce | Self::At(_) | Self::InSlot(_) => PostStatus::Scheduled,
        }
    }

    /// Returns the due time of the post; `None` while it waits for approval.
    pub const fn due_at(self, now: Moment) -> Option<DueAt> {
        match self {
            Self::AfterApproval => None,
            Self::AtOnce => Some(DueAt::Steady(now.steady)),
            Self::At(at) | Self::InSlot(at) => Some(DueAt::Wall(at)),
        }
    }

    /// Returns the new `publish_at` of the post; `None` if it keeps its own.
    pub const fn publish_at(self) -> Option<Timestamp> {
        match self {
            Self::AfterApproval | Self::AtOnce => None,
            Self::At(at) | Self::InSlot(at) => Some(at),
        }
    }
}

/// Returns true if a response with this unsuccessful status refuses the article for good. Some 4xx codes mean "retry later" (RFC
/// 9110, RFC 6585). 409 means that the system still processes the request with this id. 401 and 403 pass when the system knows
/// the new secret, or its operator opens the access again.
pub const fn refuses_for_good(status: u16) -> bool {
    !matches!(status, 401 | 403 | 408 | 409 | 425 | 429 | 500..)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::job::tests::{QUEUED_AT, job};

    #[test]
    fn a_status_that_may_pass_is_no_refusal() {
        for status in [401, 403, 408, 409, 425, 429, 500, 502, 503, 504, 599] {
            assert!(!refuses_for_good(status), "{status}");
        }
        for status in [301, 307, 400, 402, 404, 405, 410, 413, 422] {
            assert!(refuses_for_good(status), "{status}");
        }
    }

    proptest! {
        #[test]
        fn an_article_is_published_at_its_time_or_in_the_next_slot_or_waits(
            ahead in prop::option::of(-2..3_i64),
            is_approved in any::<bool>(),
            slots in prop::option::of(prop::collection::vec(0..2000_i64, 0..3)),
            (wall, steady) in (0..2000_i64, 0..2000_i64),
        ) {
            let publish_at = ahead.map(|ahead| QUEUED_AT.wall.plus_millis(ahead));
            let job = job(publish_at);
            let article = if is_approved { ArticleStatus::Scheduled } else { ArticleStatus::Draft };
            let mut free = slots.clone().map(|slots| slots.into_iter().map(Timestamp::from_millis));
            let publication = Publication::decide(&job, article, free.as_mut());
            let left = free.map_or(0, Iterator::count);
            let now = Moment { wall: Timestamp::from_millis(wall), steady: Timestamp::from_millis(steady) };
            let due_at = publication.due_at(now);
            prop_assert_eq!(publication.post_status() == PostStatus::Scheduled, due_at.is_some());
            prop_assert_eq!(needs_slot(&job, article), is_approved && publish_at.is_none());
            // The slots are taken in order, and only by an article that needs one.
            let slot = slots.as_ref().and_then(|slots| slots.first().copied());
            let took = slots.as_ref().map_or(0, Vec::len) - left;
            prop_assert_eq!(took, usize::from(needs_slot(&job, article) && slot.is_some()));
            let expected = match publish_at {
                _ if !is_approved => None,
                Some(publish_at) if publish_at > QUEUED_AT.wall => Some(DueAt::Wall(publish_at)),
                None if slots.is_some() => slot.map(|slot| DueAt::Wall(Timestamp::from_millis(slot))),
                _ => Some(DueAt::Steady(now.steady)),
            };
            prop_assert_eq!(due_at, expected);
            // A post that waits for the wall clock has its due time as `publish_at`.
            prop_assert_eq!(publication.publish_at(), expected.filter(|due| due.is_wall_time()).map(DueAt::time));
        }

        #[test]
        fn an_approved_post_is_never_due_before_its_time_and_at_once_without_one(
            publish_at in prop::option::of(0..2000_i64),
            (wall, steady) in (0..2000_i64, 0..2000_i64),
        ) {
            let publish_at = publish_at.map(Timestamp::from_millis);
            let now = Moment { wall: Timestamp::from_millis(wall), steady: Timestamp::from_millis(steady) };
            match DueAt::approved(publish_at, now) {
                DueAt::Wall(time) => prop_assert!(Some(time) == publish_at && time > now.wall),
                DueAt::Steady(time) => {
                    prop_assert_eq!(time, now.steady);
                    prop_assert!(publish_at.is_none_or(|publish_at| publish_at <= now.wall));
                }
            }
        }
    }
}
