//! The options of the commands about websites and where their articles are published.

use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use super::arguments::within;
use super::{HookAddresses, List, Owner};
use crate::domain::publishing_slots::{PublishingSlots, TextError};
use crate::domain::publishing_target::FrontMatter;
use crate::domain::retention::{MAX_RETENTION, MIN_LEAD_RETENTION};

#[derive(Debug, Subcommand)]
pub(crate) enum Website {
    /// Make an active website.
    Create(CreateWebsite),
    /// Show the account's newest websites, at most 100.
    List(List),
    /// Change the settings of a website.
    Set(SetWebsite),
    /// Pause a website: it accepts no requests for articles and no leads until it is resumed.
    Pause(NameWebsite),
    /// Make a paused or archived website active again.
    Resume(NameWebsite),
    /// Delete a website with its articles, leads and all other records. It is invisible at once; the running server removes the
    /// records. Published files stay.
    Delete(DeleteWebsite),
}

#[derive(Debug, Args)]
pub(crate) struct DeleteWebsite {
    #[command(flatten)]
    pub(crate) website: NameWebsite,
    /// Domain of the website, such as example.com, to confirm that.
    #[arg(long, value_name = "DOMAIN")]
    pub(crate) confirm: String,
}

#[derive(Debug, Args)]
pub(crate) struct CreateWebsite {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// 1 to 120 characters.
    #[arg(long)]
    pub(crate) name: String,
    /// Address of the website: https://…
    #[arg(long)]
    pub(crate) url: String,
    /// Language of its articles.
    #[arg(long, default_value = "en")]
    pub(crate) language: String,
    /// Time zone of the website, an IANA name such as Europe/Berlin.
    #[arg(long, default_value = "UTC")]
    pub(crate) time_zone: String,
    /// Keep finished articles until they are approved.
    #[arg(long)]
    pub(crate) manual_publish: bool,
    /// Readers find the hosted pages below the address of the website, because a proxy shows them there.
    #[arg(long)]
    pub(crate) pages_at_url: bool,
    /// Put the full text of articles into the feed.
    #[arg(long)]
    pub(crate) full_text_feed: bool,
    /// Publishing times for articles without a separate one, in the website's time zone: "Tue,Thu 09:00; Sat 10:00,16:30".
    #[arg(long, value_name = "SLOTS", default_value = "none", value_parser = slots)]
    pub(crate) publishing_slots: PublishingSlots,
}

#[derive(Debug, Args)]
pub(crate) struct SetWebsite {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Id of the website: web_…
    #[arg(long)]
    pub(crate) id: String,
    /// Retention of leads, such as 90d, or `forever`; older leads are erased with their events and deliveries.
    #[arg(long, value_name = "DURATION", value_parser = lead_retention,
        required_unless_present_any = ["publish_to", "publishing_slots", "consent_text", "privacy_url", "double_opt_in",
            "pages_at_url", "full_text_feed"])]
    pub(crate) lead_retention: Option<LeadRetention>,
    /// Sentence beside the consent box of the lead forms, at most 1000 characters on one line; an empty one removes it.
    #[arg(long, value_name = "TEXT")]
    pub(crate) consent_text: Option<String>,
    /// Address of the privacy page, which the hosted form links to; an empty one removes the link.
    #[arg(long, value_name = "URL")]
    pub(crate) privacy_url: Option<String>,
    /// Require that leads are confirmed by a link. The hook `lead.captured` contains the link.
    #[arg(long, value_name = "ON_OR_OFF", value_parser = on_or_off)]
    pub(crate) double_opt_in: Option<bool>,
    /// Whether readers find the hosted pages below the address of the website, because a proxy shows them there. Canonical
    /// addresses then begin with it.
    #[arg(long, value_name = "ON_OR_OFF", value_parser = on_or_off)]
    pub(crate) pages_at_url: Option<bool>,
    /// Whether the feed contains the full text of articles.
    #[arg(long, value_name = "ON_OR_OFF", value_parser = on_or_off)]
    pub(crate) full_text_feed: Option<bool>,
    /// Publishing times for articles without a separate one, in the website's time zone: "Tue,Thu 09:00; Sat 10:00,16:30",
    /// or `none`.
    #[arg(long, value_name = "SLOTS", value_parser = slots)]
    pub(crate) publishing_slots: Option<PublishingSlots>,
    #[command(flatten)]
    pub(crate) publishing: PublishingOptions,
    #[command(flatten)]
    pub(crate) addresses: HookAddresses,
}

fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("write on or off".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(crate) struct NameWebsite {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Id of the website: web_…
    #[arg(long)]
    pub(crate) id: String,
}

/// Parses publishing slots; `none` means no slots.
fn slots(text: &str) -> Result<PublishingSlots, TextError> {
    if text == "none" { Ok(PublishingSlots::default()) } else { text.parse() }
}

/// Retention of leads; `None` means for ever.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeadRetention(pub(crate) Option<Duration>);

fn lead_retention(text: &str) -> Result<LeadRetention, String> {
    if text == "forever" {
        return Ok(LeadRetention(None));
    }
    let retention = within(text, MIN_LEAD_RETENTION, MAX_RETENTION);
    retention.map(|retention| LeadRetention(Some(retention))).map_err(|error| format!("{error}, or forever"))
}

/// Target of a website's articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// To the hosted site.
    Hosted,
    /// To files below `--publish-root`.
    Directory,
    /// To the customer's own system.
    Push,
}

/// Options of `website set` about the publishing target.
#[derive(Debug, Clone, Args)]
pub(crate) struct PublishingOptions {
    /// Target of the articles that are published from now on.
    #[arg(long, value_enum, value_name = "TARGET")]
    pub(crate) publish_to: Option<Target>,
    /// Folder of the website below `--publish-root`: at most 64 lower-case letters, digits, - and _.
    #[arg(long, value_name = "NAME", required_if_eq("publish_to", "directory"))]
    pub(crate) folder: Option<String>,
    /// Format of the front matter: `yaml` for Hugo, Jekyll and Eleventy, `toml` for Zola.
    #[arg(long, value_name = "FORM", default_value = "yaml", value_parser = front_matter)]
    pub(crate) front_matter: FrontMatter,
    /// Address of the customer's system that receives articles: https://…
    #[arg(long, value_name = "URL", required_if_eq("publish_to", "push"))]
    pub(crate) push_url: Option<String>,
    /// Make a new secret that signs the requests; the former one is invalid at once.
    #[arg(long)]
    pub(crate) new_secret: bool,
}

fn front_matter(text: &str) -> Result<FrontMatter, String> {
    FrontMatter::parse(text).ok_or_else(|| "write yaml or toml".to_owned())
}
