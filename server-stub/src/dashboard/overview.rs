//! Overview page: first steps, reminders about problems, and recent numbers.

use askama::Template;

use super::chart::{Chart, grouped};
use super::{DisplayTime, Form, Layout, Result, Section, Visit};
use crate::app::{Attention, DailyStatistics, STATISTICS_DAYS, Subject};
use crate::domain::store::{DayCounts, FirstSteps};

#[derive(Template)]
#[template(path = "dashboard/overview.html")]
struct OverviewPage {
    layout: Layout,
    steps: Vec<Step>,
    steps_done: usize,
    shows_steps: bool,
    reminders: Vec<Reminder>,
    tiles: Vec<Tile>,
    charts: Vec<Chart>,
    days: i64,
    /// Time zone of the days.
    zone: &'static str,
    /// Time when the numbers were counted.
    as_of: String,
}

/// First step for new users.
struct Step {
    is_done: bool,
    title: &'static str,
    about: &'static str,
    path: &'static str,
    action: &'static str,
    /// True if this is the next step to take.
    is_next: bool,
}

/// Sum over all days.
struct Tile {
    label: &'static str,
    value: String,
    note: String,
    note_class: &'static str,
    path: &'static str,
}

/// Shows the page.
pub(super) async fn show(visit: Visit, query: Form) -> Result {
    let (app, account) = (visit.app(), visit.account());
    let (taken, attention) = futures::try_join!(app.first_steps(account), app.attention(account))?;
    let statistics = app.daily_statistics(account).await?;
    let steps = steps(taken);
    let steps_done = steps.iter().filter(|step| step.is_done).count();
    Ok(visit.page(&OverviewPage {
        layout: visit.layout("Overview", Section::Overview),
        shows_steps: steps_done < steps.len() || query.text("steps") == "show",
        steps,
        steps_done,
        reminders: attention.into_iter().map(Reminder::from).collect(),
        tiles: tiles(&statistics),
        charts: charts(&statistics.days),
        days: STATISTICS_DAYS,
        zone: statistics.zone.name(),
        as_of: statistics.zone.show(statistics.as_of),
    }))
}

fn steps(taken: FirstSteps) -> Vec<Step> {
    let mut is_next_open = true;
    let mut step = |is_done: bool, title, about, path, action| {
        let is_next = !is_done && std::mem::take(&mut is_next_open);
        Step { is_done, title, about, path, action, is_next }
    };
    vec![
        step(
            taken.has_website,
            "Add a website",
            "Articles are written for it, and leads are captured on it.",
            "/dashboard/websites/new",
            "Add a website",
        ),
        step(
            taken.has_key,
            "Make a platform key",
            "Your programs call the API with it.",
            "/dashboard/keys",
            "Make a key",
        ),
        step(
            taken.has_article,
            "Get the first article",
            "Queue a topic and watch it being written.",
            "/dashboard/pipeline",
            "Queue an article",
        ),
        step(
            taken.has_hook,
            "Register a hook",
            "Your systems are told of new leads and published articles.",
            "/dashboard/hooks",
            "Register a hook",
        ),
    ]
}

fn tiles(statistics: &DailyStatistics) -> Vec<Tile> {
    let sum = |number: fn(&DayCounts) -> u64| statistics.days.iter().map(number).sum::<u64>();
    let today = |number: fn(&DayCounts) -> u64| statistics.days.last().map_or(0, number);
    let tile = |label, number: fn(&DayCounts) -> u64, class, path| Tile {
        label,
        value: grouped(sum(number)),
        note: format!("{} today", grouped(today(number))),
        note_class: if today(number) > 0 { class } else { "" },
        path,
    };
    vec![
        tile("Articles written", |day| day.articles, "good", "/dashboard/articles"),
        tile("Leads", |day| day.leads, "good", "/dashboard/leads"),
        tile("Hooks delivered", delivered, "good", "/dashboard/hooks"),
        tile("Hooks failed", |day| day.failures, "bad", "/dashboard/hooks"),
    ]
}

fn charts(days: &[DayCounts]) -> Vec<Chart> {
    vec![
        Chart::new(("articles", "Articles a day"), &[("", "written")], days, |day| vec![day.articles]),
        Chart::new(("leads", "Leads a day"), &[("", "captured")], days, |day| vec![day.leads]),
        Chart::new(("hooks", "Hook deliveries a day"), &[("good", "delivered"), ("bad", "failed")], days, |day| {
            vec![delivered(day), day.failures]
        }),
    ]
}

const fn delivered(day: &DayCounts) -> u64 {
    day.deliveries.saturating_sub(day.failures)
}

/// Reminder of a problem, with a link to the page that fixes it.
struct Reminder {
    icon: &'static str,
    title: String,
    detail: String,
    since: DisplayTime,
    /// Path without the link prefix.
    path: String,
    /// Label of the link.
    action: &'static str,
}

impl From<Attention> for Reminder {
    fn from(attention: Attention) -> Self {
        let (icon, title, detail, path, action) = told(attention.subject);
        Self { icon, title, detail, since: attention.since.into(), path, action }
    }
}

fn told(subject: Subject) -> (&'static str, String, String, String, &'static str) {
    match subject {
        Subject::FailedPost { post_id, topic, reason } => {
            ("circle-x", format!("“{topic}” failed"), reason, format!("/dashboard/pipeline/{post_id}"), "See why")
        }
        Subject::PostToApprove { post_id, topic } => (
            "circle-check",
            format!("“{topic}” waits for your approval"),
            "The article is written and not published yet.".to_owned(),
            format!("/dashboard/pipeline/{post_id}"),
            "Review",
        ),
        Subject::DisabledEndpoint { endpoint_id, url, is_gone } => {
            let why =
                if is_gone { "Its receiver responded with 410 Gone." } else { "All deliveries failed for five days." };
            let detail = format!("{why} Nothing is sent to it until you resume it.");
            ("webhook", format!("The webhook endpoint {url} is disabled"), detail, hook_path(&endpoint_id), "Fix it")
        }
        Subject::FailingEndpoint { endpoint_id, url } => (
            "webhook",
            format!("The webhook endpoint {url} is failing"),
            "The endpoint gets one delivery at a time until one succeeds.".to_owned(),
            hook_path(&endpoint_id),
            "See its deliveries",
        ),
        Subject::ExpiringKey { name, expires_at } => (
            "key-round",
            format!("The key “{name}” expires soon"),
            format!("It is valid until {}.", DisplayTime::from(expires_at).shown),
            "/dashboard/keys".to_owned(),
            "Keys",
        ),
        Subject::StalledWebsite { website_id, name, unfinished } => {
            let waiting = if unfinished == 1 { "One job waits".to_owned() } else { format!("{unfinished} jobs wait") };
            let detail = format!("{waiting} and will fail unless you activate the website.");
            ("globe", format!("{name} is paused"), detail, format!("/dashboard/websites/{website_id}"), "Website")
        }
        Subject::UserWithoutPassword { email } => (
            "user-round",
            format!("{} has no password", email.as_str()),
            "Every sign-in needs a new one-time link.".to_owned(),
            "/dashboard/account/users".to_owned(),
            "Account",
        ),
    }
}

fn hook_path(endpoint_id: &str) -> String {
    format!("/dashboard/hooks/{endpoint_id}")
}
