//! Rendered pages, feeds and sitemaps in memory. A page is used again only while its website is unchanged: each request reads the
//! time of the last change from the database.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use hashlink::LruCache;
use http::HeaderValue;

use crate::app::Site;
use crate::domain::clock::{Moment, Timestamp};
use crate::domain::validators::{entity_tag, is_settled};

/// Maximum number of bytes of the cache. The least recently used pages are dropped.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// Bytes that each page counts in addition to its text: its key, and the settings of its website, of which the texts of the lead form
/// and the publishing slots are the longest.
const ENTRY_BYTES: usize = 16 * 1024;
/// Time after which a page is rendered again, even if no change is known: a change that commits late has an earlier time than the last
/// known one.
const MAX_AGE: Duration = Duration::from_mins(1);

/// A rendered page, feed or sitemap. Clones share the text.
#[derive(Debug, Clone)]
pub(super) struct Rendered {
    pub(super) media_type: HeaderValue,
    pub(super) body: Bytes,
    pub(super) tag: String,
    /// Time of the last change; `None` if the text also changes with time.
    pub(super) changed_at: Option<Timestamp>,
}

impl Rendered {
    pub(super) fn new(media_type: HeaderValue, text: String, changed_at: Timestamp) -> Self {
        let tag = entity_tag(text.as_bytes());
        Self { media_type, body: text.into(), tag, changed_at: Some(changed_at) }
    }

    /// Returns the number of bytes that it counts in the cache.
    fn bytes(&self) -> usize {
        self.body.len() + ENTRY_BYTES
    }
}

/// The pages of one process.
pub(super) struct Cache(Mutex<Pages>);

struct Pages {
    by_key: LruCache<String, Cached>,
    bytes: usize,
}

struct Cached {
    site: Site,
    rendered: Rendered,
    /// Steady time after which it is not used.
    until: Timestamp,
}

impl Cache {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Pages { by_key: LruCache::new_unbounded(), bytes: 0 }))
    }

    /// Returns the page with this key that was rendered from this state of the website, unless the state may still change unnoticed.
    pub(super) fn get(&self, key: &str, site: &Site, now: Moment) -> Option<Rendered> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = pages.by_key.get(key)?;
        let is_usable = cached.site == *site && now.steady < cached.until && is_settled(site.changed_at(), now.wall);
        is_usable.then(|| cached.rendered.clone())
    }

    /// Stores a page that was rendered after `site` was read, at `now`.
    pub(super) fn put(&self, key: String, site: Site, rendered: &Rendered, now: Moment) {
        if !is_settled(site.changed_at(), now.wall) {
            return;
        }
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = Cached { site, rendered: rendered.clone(), until: now.steady.plus(MAX_AGE) };
        pages.bytes += rendered.bytes();
        if let Some(former) = pages.by_key.insert(key, cached) {
            pages.bytes -= former.rendered.bytes();
        }
        while pages.bytes > MAX_BYTES
            && let Some((_, oldest)) = pages.by_key.remove_lru()
        {
            pages.bytes -= oldest.rendered.bytes();
        }
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cache").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::account::{Website, WebsiteStatus};

    fn site(updated_at: i64, articles_changed_at: Option<i64>) -> Site {
        let website = Website {
            account_id: String::new(),
            website_id: "web_1".to_owned(),
            status: WebsiteStatus::Active,
            name: "Bakery".to_owned(),
            url: "https://bakery.example".to_owned(),
            pages_at_url: false,
            full_text_feed: false,
            language: "en".to_owned(),
            time_zone: "UTC".to_owned(),
            auto_publish: true,
            publishing_slots: crate::domain::publishing_slots::PublishingSlots::default(),
            brand_voice_id: None,
            lead_retention: None,
            target_word_count: None,
            lead_form: crate::domain::lead_form::LeadForm::default(),
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(updated_at),
        };
        Site { website, articles_changed_at: articles_changed_at.map(Timestamp::from_millis) }
    }

    fn at(millis: i64) -> Moment {
        Moment { wall: Timestamp::from_millis(millis), steady: Timestamp::from_millis(millis) }
    }

    fn page(text: &str) -> Rendered {
        Rendered::new(HeaderValue::from_static("text/html"), text.to_owned(), Timestamp::from_millis(0))
    }

    fn found(cache: &Cache, path: &str, site: &Site, now: Moment) -> Option<String> {
        cache.get(path, site, now).map(|page| String::from_utf8(page.body.to_vec()).unwrap())
    }

    #[test]
    fn the_cache_keeps_within_its_bytes_and_drops_what_was_used_least() {
        let (cache, state, now) = (Cache::new(), site(0, None), at(10_000));
        let large = "x".repeat(MAX_BYTES / 4 - ENTRY_BYTES);
        for path in ["a", "b", "c", "d"] {
            cache.put(path.to_owned(), state.clone(), &page(&large), now);
        }
        assert!(found(&cache, "a", &state, now).is_some());
        cache.put("e".to_owned(), state.clone(), &page(&large), now);
        let kept: Vec<_> = ["a", "b", "c", "d", "e"].map(|path| found(&cache, path, &state, now).is_some()).into();
        assert_eq!(kept, [true, false, true, true, true]);
        cache.put("a".to_owned(), state.clone(), &page("small"), now);
        cache.put("f".to_owned(), state.clone(), &page(&"y".repeat(MAX_BYTES + 1)), now);
        let pages = cache.0.lock().unwrap();
        let held: usize = pages.by_key.iter().map(|(_, cached)| cached.rendered.bytes()).sum();
        assert!(pages.bytes == held && held <= MAX_BYTES, "{held} of {}", pages.bytes);
        drop(pages);
        // Small pages count with their key and the settings of their website.
        for number in 0..2 * MAX_BYTES / ENTRY_BYTES {
            cache.put(number.to_string(), state.clone(), &page(""), now);
        }
        assert!(cache.0.lock().unwrap().by_key.len() <= MAX_BYTES / ENTRY_BYTES);
    }

    proptest! {
        /// A change is stored with the time when it was made. Its page must never be that of an earlier state.
        #[test]
        fn a_cached_page_is_of_the_current_state(
            steps in prop::collection::vec((prop::sample::select(vec![0, 1, 400, 6000, 50_000]), any::<bool>(), -2_i64..=2), 1..30),
        ) {
            let cache = Cache::new();
            let (mut now, mut state, mut version) = (100_000_i64, site(0, None), 0);
            for (passed, is_changed, skew) in steps {
                now += passed;
                if is_changed {
                    version += 1;
                    let changed_at = state.articles_changed_at.map_or(0, Timestamp::millis).max(now + skew);
                    state.articles_changed_at = Some(Timestamp::from_millis(changed_at));
                }
                let current = format!("version {version}");
                if let Some(cached) = found(&cache, "/", &state, at(now)) {
                    prop_assert_eq!(&cached, &current);
                }
                cache.put("/".to_owned(), state.clone(), &page(&current), at(now));
            }
        }

        #[test]
        fn a_page_is_used_while_nothing_changes_and_for_a_minute_at_most(age in 0_i64..120_000) {
            let (cache, state) = (Cache::new(), site(1000, Some(2000)));
            cache.put("/".to_owned(), state.clone(), &page("x"), at(7000));
            prop_assert_eq!(found(&cache, "/", &state, at(7000 + age)).is_some(), age < 60_000);
            prop_assert_eq!(found(&cache, "/", &site(1001, Some(2000)), at(7000 + age)), None);
            prop_assert_eq!(found(&cache, "/", &site(1000, Some(2001)), at(7001 + age)), None);
            // The wall clock was set back, so a change may get any time.
            let set_back = Moment { wall: Timestamp::from_millis(6999), ..at(7000 + age) };
            prop_assert_eq!(found(&cache, "/", &state, set_back), None);
        }
    }
}
