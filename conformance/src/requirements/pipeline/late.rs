//! Scheduled posts that are published late. The checks move the target's clock past `publish_at`.

use std::time::Duration;

use chrono::{DateTime, SubsecRound as _, Utc};
use serde_json::{Value, json};

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Halt, Look, Requirement, Verdict, demand, ensure};
use crate::steps::clock::{advance, now};
use crate::steps::times::{moment, written_at};
use crate::steps::{self, pausing};

const NEEDED: &[Capability] = &[Capability::PIPELINE, Capability::JOBS, Capability::PAUSING, Capability::CLOCK];

/// Time from now to `publish_at`, by the target's clock.
const AHEAD: Duration = Duration::from_hours(1);
/// Time before or after the moment from which a post is late.
const MARGIN: Duration = Duration::from_mins(5);
/// Maximum number of pauses until both posts are published. Posts of earlier checks may be late, too.
const PAUSES: u32 = 12;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "pipeline.late.one-by-one",
            "Two scheduled posts of a website that are due for more than an hour are published at least ten minutes apart.",
            &[
                Sentence("A scheduled post is late if it was not published within `late_after` of this time."),
                Sentence(
                    "One late post of a website is published at once, unless another late post was published less than \
                     `late_publication_pause` ago or, on a website with slots, a post that is not late is due now.",
                ),
                Sentence("Without a free slot they keep `publish_at` and follow at intervals of `late_publication_pause`."),
                Part("/x-limits/late_after/maximum"),
                Part("/x-limits/late_publication_pause/minimum"),
            ],
            one_by_one,
        )
        .drawn("the minutes after which a post is late, and those between two posts", Cases::Exactly(1), |space, _| {
            let limit = |name, bound| space.document().limit_number(name, bound);
            json!([limit("late_after", "maximum"), limit("late_publication_pause", "minimum")])
        })
        .needs(NEEDED)
        .moving_clock(1),
        Requirement::new(
            "pipeline.late.not-yet",
            "Two scheduled posts of a website that are due for ten minutes are not late: both are published without a pause.",
            &[
                Sentence("A scheduled post is late if it was not published within `late_after` of this time."),
                Part("/x-limits/late_after/minimum"),
            ],
            not_yet,
        )
        .drawn("the minutes after which a post may be late", Cases::Exactly(1), |space, _| {
            json!(space.document().limit_number("late_after", "minimum"))
        })
        .needs(NEEDED)
        .moving_clock(1),
    ]
}

/// Two scheduled posts.
struct Two {
    ids: Vec<String>,
    /// Their `publish_at`, by the target's clock.
    due: DateTime<Utc>,
}

/// Schedules two articles of the website that nothing else uses for the same time, and waits until both are written.
async fn two_scheduled(context: &Context) -> Result<Two, Halt> {
    // Times in requests have whole seconds.
    let due = (now(context).await? + AHEAD).trunc_subsecs(0);
    let mut ids = Vec::new();
    for topic in ["An article that comes late", "Another article that comes late"] {
        let mut body = steps::published_request(context, topic);
        body["website_id"] = json!(pausing::website_id(context));
        body["publish_at"] = json!(written_at(due));
        let (job, _) = steps::written(context, &body).await?;
        let post_id = demand::text(&job, "scheduled_post_id")?.to_owned();
        let look = || async {
            let post = post(context, &post_id).await?;
            let seen = demand::brief(&post["status"]);
            Ok(Look::at(post["status"] == "scheduled", || Halt::fail("a post that waits for its time", seen)))
        };
        context.eventually(context.grace(), look).await?;
        ids.push(post_id);
    }
    Ok(Two { ids, due })
}

/// Moves the target's clock to this time after `publish_at` of the posts.
async fn advance_beyond(context: &Context, posts: &Two, by: Duration) -> Verdict {
    let left = posts.due + by - now(context).await?;
    let left = left.to_std().map_err(|_| Halt::inconclusive("the articles took longer than an hour"))?;
    advance(context, left).await
}

async fn post(context: &Context, post_id: &str) -> Result<Value, Halt> {
    let exchange = context.send(steps::get_scheduled_post(post_id)).await?;
    demand::status(&exchange, 200)?;
    Ok(demand::json(&exchange)?.clone())
}

/// Returns the times at which those of the posts were published that are published now.
async fn published(context: &Context, posts: &Two) -> Result<Vec<DateTime<Utc>>, Halt> {
    let mut times = Vec::new();
    for post_id in &posts.ids {
        let post = post(context, post_id).await?;
        ensure(post["status"] != "failed", "a post that is published", || demand::brief(&post["status"]))?;
        if moment(&post, "publish_at")? != posts.due {
            return Err(Halt::inconclusive(
                "the target moved publish_at of a post: give [pausing] a website without slots that nothing else uses",
            ));
        }
        if post["status"] == "published" {
            times.push(moment(&post, "published_at")?);
        }
    }
    Ok(times)
}

/// Waits until as many posts as `wanted` are published.
async fn until_published(
    context: &Context,
    posts: &Two,
    wanted: usize,
    limit: Duration,
) -> Result<Vec<DateTime<Utc>>, Halt> {
    let look = || async move {
        let times = published(context, posts).await?;
        let count = times.len();
        Ok(if count >= wanted {
            Look::Found(times)
        } else {
            Look::NotYet(Halt::fail(format!("{wanted} of two posts published"), format!("{count} are")))
        })
    };
    context.eventually(limit, look).await
}

fn minutes(case: &Value) -> Duration {
    Duration::from_mins(case.as_u64().unwrap_or_default())
}

async fn one_by_one(context: Context, case: Value) -> Verdict {
    let posts = two_scheduled(&context).await?;
    let (late, pause) = (minutes(&case[0]), minutes(&case[1]));
    advance_beyond(&context, &posts, late + MARGIN).await?;
    for _ in 0..PAUSES {
        let times = match until_published(&context, &posts, 2, context.grace()).await {
            Err(Halt::Fail(_)) => published(&context, &posts).await?,
            times => times?,
        };
        if let [first, second] = times.as_slice() {
            if *first.min(second) < posts.due + late {
                return Err(Halt::inconclusive(
                    "a post was published before it was late: does the command move the clock in steps?",
                ));
            }
            let apart = (*second - *first).abs();
            let pause = chrono::Duration::from_std(pause).unwrap_or_default() - chrono::Duration::seconds(1);
            return ensure(apart >= pause, format!("at least {} s between the two", pause.num_seconds()), || {
                format!("{} s", apart.num_seconds())
            });
        }
        advance(&context, pause).await?;
    }
    Err(Halt::inconclusive("other late posts of the website were published first"))
}

async fn not_yet(context: Context, case: Value) -> Verdict {
    let posts = two_scheduled(&context).await?;
    advance_beyond(&context, &posts, minutes(&case).saturating_sub(MARGIN)).await?;
    until_published(&context, &posts, 2, context.facts().ready_within).await.map(drop)
}
