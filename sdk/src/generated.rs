// @generated from openapi.yaml by `cargo xtask codegen`. Do not edit: change the document and run that command.

//! The client's operations and types, generated from the document. `call` composes and sends requests.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    missing_docs,
    missing_debug_implementations,
    unused_qualifications,
    unreachable_pub,
    reason = "generated code"
)]
/// Types used as operation parameters and responses.
pub mod types {
    ///An article with its text and everything that is derived from it.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Article {
        ///Address that search engines should index. It is null until the article is published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub canonical_url: Option<String>,
        ///The text as sanitised HTML.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub content_html: Option<String>,
        ///The text as CommonMark with tables.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub content_markdown: Option<String>,
        ///When the article was written.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub created_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///A few sentences in plain text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub excerpt: Option<String>,
        ///Questions and answers on the topic.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub faq: Vec<FaqEntry>,
        ///Writer of the text: `offline`, or `llm:` with provider and model.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub generator: Option<String>,
        ///Picture above the text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub hero_image: Option<HeroImage>,
        ///Id of the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub id: Option<String>,
        ///Links to other published articles of the website on related topics.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub internal_links: Vec<InternalLink>,
        ///Job that wrote the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub job_id: Option<String>,
        /**Structured data for search engines as JSON-LD with a graph. The first node is a `BlogPosting`. A `FAQPage` follows exactly if the
article has questions. `headline` is `title`, `datePublished` is `published_at`, `inLanguage` is `language`, and `mainEntity` lists the
questions and answers of `faq` in their order.
*/
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub json_ld: Option<JsonLd>,
        ///Words and phrases by which readers should find the article.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub keywords: Vec<String>,
        ///Language of the text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub language: Option<String>,
        ///Description for search engines, in plain text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub meta_description: Option<String>,
        ///Title for search engines, in plain text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub meta_title: Option<String>,
        ///The metadata of the request; empty if it had none.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub metadata: Option<Metadata>,
        ///Headings of the text, in order.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub outline: Vec<OutlineEntry>,
        ///When it was published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub published_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Minutes that reading takes, at 275 words a minute.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub reading_time_minutes: Option<u32>,
        ///Name of the article in addresses, unique per website.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub slug: Option<String>,
        ///State of an article. `draft` is written, `scheduled` has a time, `published` is on the website, `archived` was taken down.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub status: Option<crate::generated::types::ArticleStatus>,
        ///Categories of the article.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub tags: Vec<String>,
        ///Title in plain text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub title: Option<String>,
        ///The topic as sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub topic: Option<String>,
        ///When it last changed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub updated_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Address of the published article, as the place where it was published reports it. Without such a report it is an address of this service if the service shows the article, and otherwise of the website. It is of the website, too, if readers find the pages of the service there (`pages_at_url`). If it is an address of this service, it returns an HTML page with the text of the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub url: Option<String>,
        ///Version of the text. The writer makes version 1. Each edit by a user in the dashboard adds 1 and changes `updated_at`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub version: Option<u32>,
        ///Result of checking the text against the voice profile.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub voice: Option<VoiceReport>,
        ///Website of the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub website_id: Option<String>,
        ///Number of words of the text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub word_count: Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///One page of articles.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticlePage {
        ///The articles, newest first by creation, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: Vec<ArticleSummary>,
        ///Token of the next page. Null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: Option<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///The article that was published or edited. A user can choose in the dashboard that an endpoint gets its text, too.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticlePublishedData {
        ///An article without its text.
        pub article: ArticleSummary,
        ///The text as HTML, if the endpoint asked for it. Absent if the body would exceed 64 KiB.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub content_html: Option<String>,
        ///The text as CommonMark, if the endpoint asked for it. Absent if the body would exceed 64 KiB.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub content_markdown: Option<String>,
        ///Job that wrote the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub job_id: Option<String>,
        ///Number of parts of the article that were left out because the body would exceed 20 KiB even without its text. The excerpt and each keyword, tag and label of the metadata count as one. Texts and lists that were left out are empty. Absent if the article is complete. Read the rest through the API.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: Option<u32>,
        ///The metadata of the request, unless it was left out.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub metadata: Metadata,
        ///Id of its scheduled post, while the service keeps it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scheduled_post_id: Option<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///An article was published.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticlePublishedEvent {
        ///Major version of the API: `v1`. The event follows the schemas of that version.
        pub api_version: String,
        ///The article that was published or edited. A user can choose in the dashboard that an endpoint gets its text, too.
        pub data: ArticlePublishedData,
        ///Id of the event. It is the same on every retry and at every endpoint, and equals the header `webhook-id`.
        pub id: String,
        ///When the event happened. It is the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Type of the event.
        #[serde(rename = "type")]
        pub type_: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///An article without its text.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticleSummary {
        ///When the article was written.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///A few sentences in plain text.
        pub excerpt: String,
        ///Id of the article.
        pub id: String,
        ///Job that wrote the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub job_id: Option<String>,
        ///Words and phrases by which readers should find the article.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub keywords: Vec<String>,
        ///Language of the text.
        pub language: String,
        ///When it was published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Minutes that reading takes, at 275 words a minute.
        pub reading_time_minutes: u32,
        ///Name of the article in addresses, unique per website.
        pub slug: String,
        ///State of an article. `draft` is written, `scheduled` has a time, `published` is on the website, `archived` was taken down.
        pub status: crate::generated::types::ArticleStatus,
        ///Categories of the article.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub tags: Vec<String>,
        ///Title in plain text.
        pub title: String,
        ///When it last changed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Address of the published article, as the place where it was published reports it. Without such a report it is an address of this service if the service shows the article, and otherwise of the website. It is of the website, too, if readers find the pages of the service there (`pages_at_url`). If it is an address of this service, it returns an HTML page with the text of the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub url: Option<String>,
        ///Version of the text. The writer makes version 1. Each edit by a user in the dashboard adds 1 and changes `updated_at`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub version: Option<u32>,
        ///Website of the article.
        pub website_id: String,
        ///Number of words of the text.
        pub word_count: u32,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A user edited a published article in the dashboard. Its data is that of `article.published`, with the new text.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticleUpdatedEvent {
        ///Major version of the API: `v1`. The event follows the schemas of that version.
        pub api_version: String,
        ///The article that was published or edited. A user can choose in the dashboard that an endpoint gets its text, too.
        pub data: ArticlePublishedData,
        ///Id of the event. It is the same on every retry and at every endpoint, and equals the header `webhook-id`.
        pub id: String,
        ///When the event happened. It is the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Type of the event.
        #[serde(rename = "type")]
        pub type_: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Campaign parameters by name, without the prefix `utm_`. Only the size of the form limits them.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    #[derive(Default)]
    pub struct CampaignTags(pub ::std::collections::BTreeMap<String, String>);
    impl ::std::ops::Deref for CampaignTags {
        type Target = ::std::collections::BTreeMap<String, String>;
        fn deref(&self) -> &::std::collections::BTreeMap<String, String> {
            &self.0
        }
    }
    impl ::std::convert::From<CampaignTags>
    for ::std::collections::BTreeMap<String, String> {
        fn from(value: CampaignTags) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::collections::BTreeMap<String, String>>
    for CampaignTags {
        fn from(value: ::std::collections::BTreeMap<String, String>) -> Self {
            Self(value)
        }
    }
    ///A question and its answer.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct FaqEntry {
        ///The answer in plain text.
        pub answer: String,
        ///The question in plain text.
        pub question: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///One error of a request. It has exactly one of `pointer`, `parameter` and `header`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct FieldError {
        /**The rule that is broken, for programs. `required`: the field is absent, or the consent is not given. `too_short`, `too_long`: a
string. `out_of_range`: a number or a time. `too_many`: items or fields. `invalid_format`: any other broken rule, such as a wrong
type, null, a malformed e-mail address or time, or a value outside a vocabulary. `unknown_field`: only with `Prefer:
handling=strict`. `not_found`: no such website.
*/
        pub code: crate::generated::types::FieldErrorCode,
        ///The rule that is broken, for people.
        pub detail: String,
        ///Name of the header.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub header: Option<String>,
        ///Name of the query or path parameter.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub parameter: Option<String>,
        ///JSON Pointer of the field in the body, as a URI fragment.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub pointer: Option<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///What to write, for which website, and optionally how and when.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    pub struct GenerateRequest {
        ///Publish the article without approval. The default is the website's setting.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub auto_publish: Option<bool>,
        /**Words and phrases that the article should use. They are not trimmed. The article may use them in another letter case and in
another Unicode form: composed and decomposed letters are the same.
*/
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub keywords: Vec<String>,
        /**Language of the article: a tag that is well-formed by RFC 5646. The default is the website's language. Irregular tags,
such as `i-klingon`, are written as registered; in all others letter case does not matter.

A service may support only some languages. A job in another one fails with `language_not_supported`. The article's
`language` always begins with the same subtag as the requested one, such as `en` for `en-GB`.
*/
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub language: Option<String>,
        ///Your own labels. The job, the article and the webhooks about them repeat the labels.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub metadata: Option<Metadata>,
        /**When to publish: RFC 3339 with a zone, at most the same date next year. A time before the request means as soon as the
article is ready. With `auto_publish` false the time is kept but has no effect.

Without `publish_at` the article is published in the website's next free slot. If the website has no `publishing_slots`,
it is published once it is ready. If no slot is free, it waits for approval (`slots_ahead` under `x-limits`).
*/
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub publish_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Number of words that the article should have, give or take 15 %. The default is the website's setting, or 1200.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub target_word_count: Option<u32>,
        /**Topic of the article in free text. It has 1 to 1000 code points, not counting Unicode White_Space at both ends, and no
control characters except tab and line feed. The service keeps it as sent.
*/
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub topic: Option<String>,
        ///Website to write for. It must be active, and the key must be allowed to use it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub website_id: Option<String>,
    }
    ///Picture above an article. It has alternative text even if there is no picture yet.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct HeroImage {
        ///Alternative text.
        pub alt: String,
        ///Height in pixels.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub height: Option<u32>,
        ///Address of the picture.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub url: Option<String>,
        ///Width in pixels.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub width: Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A test has no data.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    #[derive(Default)]
    pub struct HookTestData(pub ::serde_json::Map<String, ::serde_json::Value>);
    impl ::std::ops::Deref for HookTestData {
        type Target = ::serde_json::Map<String, ::serde_json::Value>;
        fn deref(&self) -> &::serde_json::Map<String, ::serde_json::Value> {
            &self.0
        }
    }
    impl ::std::convert::From<HookTestData>
    for ::serde_json::Map<String, ::serde_json::Value> {
        fn from(value: HookTestData) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::serde_json::Map<String, ::serde_json::Value>>
    for HookTestData {
        fn from(value: ::serde_json::Map<String, ::serde_json::Value>) -> Self {
            Self(value)
        }
    }
    ///A user pressed "send test" in the dashboard.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct HookTestEvent {
        ///Major version of the API: `v1`. The event follows the schemas of that version.
        pub api_version: String,
        ///A test has no data.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub data: HookTestData,
        ///Id of the event. It is the same on every retry and at every endpoint, and equals the header `webhook-id`.
        pub id: String,
        ///When the event happened. It is the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Type of the event.
        #[serde(rename = "type")]
        pub type_: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A link to another published article of the same website.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct InternalLink {
        ///Text of the link.
        pub anchor_text: String,
        ///`url` of the other article.
        pub url: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A job and its progress.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Job {
        ///Id of the article once the job has completed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: Option<String>,
        ///Number of times that writing began, also if a crash interrupted it.
        pub attempts: u32,
        ///When the job was queued.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Latest time at which the job ends. It may move while the job runs.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub deadline_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///True once the job has ended. Poll until it is true. That stays right if a later document adds states.
        pub done: bool,
        ///Why the job failed. Null in every other state.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub error: Option<JobError>,
        ///When the job ended.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub finished_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Id of the job.
        pub job_id: String,
        ///The metadata of the request; empty if it had none.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub metadata: Metadata,
        ///Share of the work that is done, in percent. A failed or cancelled job keeps its last value.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub progress: Option<u32>,
        ///Id of the job's scheduled post. Null if a retry gave its scheduled post another job.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scheduled_post_id: Option<String>,
        ///When writing first began.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub started_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///State of the job.
        pub status: crate::generated::types::JobStatus,
        ///The topic as sent.
        pub topic: String,
        ///Website of the article.
        pub website_id: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Why a job failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JobError {
        /**Why a job failed, for programs. `generator_unavailable`, `generation_timeout` and `internal` are retryable.
`content_rejected`, `voice_unsatisfiable`, `language_not_supported` and `website_inactive` are not.
*/
        pub code: crate::generated::types::JobErrorCode,
        ///The reason as a text for people.
        pub message: String,
        ///Whether the same request may succeed later.
        pub retryable: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///The job that failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JobFailedData {
        ///A job and its progress.
        pub job: Job,
        ///Number of parts of the job that were left out because the body would exceed 20 KiB. Each label of its metadata counts as one. Absent if the job is complete. Read the rest through the API.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A job failed. Only active endpoints that chose this type and this website receive it.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JobFailedEvent {
        ///Major version of the API: `v1`. The event follows the schemas of that version.
        pub api_version: String,
        ///The job that failed.
        pub data: JobFailedData,
        ///Id of the event. It is the same on every retry and at every endpoint, and equals the header `webhook-id`.
        pub id: String,
        ///When the event happened. It is the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Type of the event.
        #[serde(rename = "type")]
        pub type_: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    /**Structured data for search engines as JSON-LD with a graph. The first node is a `BlogPosting`. A `FAQPage` follows exactly if the
article has questions. `headline` is `title`, `datePublished` is `published_at`, `inLanguage` is `language`, and `mainEntity` lists the
questions and answers of `faq` in their order.
*/
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JsonLd {
        ///Vocabulary of the types.
        #[serde(rename = "@context")]
        pub context: String,
        ///Nodes of the graph.
        #[serde(rename = "@graph")]
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub graph: Vec<JsonLdNode>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///One node of the graph, with the fields of its type.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JsonLdNode {
        ///Type of the node.
        #[serde(rename = "@type")]
        pub type_: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    /**A person who sent a form on a published page. Its texts are as the form sent them, untrimmed; only `phone` may have another form. It
contains neither the network address nor the user agent of the person.
*/
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct Lead {
        ///Article with the form.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: Option<String>,
        ///When the lead was captured.
        pub captured_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Company of the person.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub company: Option<String>,
        ///Whether the person confirmed the lead (double opt-in).
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub confirmation: Option<LeadConfirmation>,
        ///Consent of the person.
        pub consent: LeadConsent,
        ///E-mail address of the person.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email: Option<String>,
        ///Other fields of the form.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub fields: LeadFields,
        ///Id of the lead.
        pub id: String,
        ///Message of the person, as sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub message: Option<String>,
        ///Name of the person.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: Option<String>,
        ///Telephone number in E.164 if the service understood it, otherwise `phone_typed`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub phone: Option<String>,
        ///Telephone number as the form sent it. Null or absent exactly if `phone` is.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub phone_typed: Option<String>,
        ///Page, form and campaign of the lead.
        pub source: LeadSource,
        ///Whether the lead looks like spam. Such leads are marked, never dropped.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub spam: Option<LeadSpam>,
        ///When it last changed: equal to `captured_at` until it is confirmed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Website of the form.
        pub website_id: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///The service took the lead form. The response shows neither the id of the lead nor whether it is new.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct LeadAccepted {
        ///Always true.
        pub accepted: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    /**A lead form as JSON. It needs `email` or `phone`, and the consent if the website has a consent text. The service ignores unknown
fields.
*/
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Default, PartialEq)]
    #[non_exhaustive]
    pub struct LeadCapture {
        ///Article with the form. The lead does not keep the id of anything else.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: Option<String>,
        ///Company of the person.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub company: Option<String>,
        ///Consent of the person.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub consent: Option<LeadCaptureConsent>,
        ///Milliseconds from showing the form to sending it, as the page measured them. A page that was open for more than a day sends 86400000.
        #[serde(
            rename = "_elapsed",
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub elapsed: Option<u32>,
        ///E-mail address: exactly one `@` with text before and after it, no white space and no control characters.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email: Option<String>,
        ///Other fields of the form.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub fields: Option<LeadFields>,
        ///A trap for robots, hidden from people. If it is filled, the response is the same and the lead is kept with `spam.suspected` and the reason `trap_filled`.
        #[serde(rename = "_hp", skip_serializing_if = "::std::option::Option::is_none")]
        pub hp: Option<String>,
        ///The message.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub message: Option<String>,
        ///Name of the person.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: Option<String>,
        ///Telephone number.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub phone: Option<String>,
        ///Page, form and campaign of the lead.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub source: Option<LeadCaptureSource>,
    }
    ///Whether the person agrees, and to which text.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Default, PartialEq)]
    #[non_exhaustive]
    pub struct LeadCaptureConsent {
        ///Whether the person agrees.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub given: Option<bool>,
        ///Consent text that the form shows.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub text: Option<String>,
    }
    ///Page, form and campaign of a lead.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Default, PartialEq)]
    #[non_exhaustive]
    pub struct LeadCaptureSource {
        ///Name that the page gives its form. Forms with the same name and e-mail address may make one lead.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub form_id: Option<String>,
        ///Address of the page with the form.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub page_url: Option<String>,
        ///Address of the page that the person came from.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub referrer: Option<String>,
        ///Campaign parameters in the address of the page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub utm: Option<CampaignTags>,
    }
    ///The lead that was captured.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadCapturedData {
        ///Link by which the person confirms the lead, on a website with double opt-in: the address of `show_confirmation` and `confirm_lead`. Use it unchanged. The service sends no mail: send the link to the `email` of the lead, or to its `phone` if it has no `email`. Anyone who has the link can confirm, so neither show nor log it. The API shows it nowhere else.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub confirmation_url: Option<String>,
        /**A person who sent a form on a published page. Its texts are as the form sent them, untrimmed; only `phone` may have another form. It
contains neither the network address nor the user agent of the person.
*/
        pub lead: Lead,
        ///Number of parts of the lead that were left out because the body would exceed 20 KiB. The message, the consent text, each field and each part of the source count as one. A required part is empty then, any other is null or absent. Absent if the lead is complete. Read the rest through the API.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A lead was captured.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadCapturedEvent {
        ///Major version of the API: `v1`. The event follows the schemas of that version.
        pub api_version: String,
        ///The lead that was captured.
        pub data: LeadCapturedData,
        ///Id of the event. It is the same on every retry and at every endpoint, and equals the header `webhook-id`.
        pub id: String,
        ///When the event happened. It is the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Type of the event.
        #[serde(rename = "type")]
        pub type_: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Whether the person confirmed a lead.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadConfirmation {
        ///When the lead was confirmed. Null or absent if it was not.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub confirmed_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///State of the confirmation.
        pub status: crate::generated::types::LeadConfirmationStatus,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///The lead that was confirmed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadConfirmedData {
        /**A person who sent a form on a published page. Its texts are as the form sent them, untrimmed; only `phone` may have another form. It
contains neither the network address nor the user agent of the person.
*/
        pub lead: Lead,
        ///Number of parts of the lead that were left out. It counts as in `lead.captured`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A person confirmed a lead.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadConfirmedEvent {
        ///Major version of the API: `v1`. The event follows the schemas of that version.
        pub api_version: String,
        ///The lead that was confirmed.
        pub data: LeadConfirmedData,
        ///Id of the event. It is the same on every retry and at every endpoint, and equals the header `webhook-id`.
        pub id: String,
        ///When the event happened. It is the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Type of the event.
        #[serde(rename = "type")]
        pub type_: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Whether the person agreed, to which text, and when.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadConsent {
        ///When the person agreed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Whether the person agreed.
        pub given: bool,
        ///Text that the form showed. Later changes of the website do not change it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub text: Option<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Other fields of the form by name.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    #[derive(Default)]
    pub struct LeadFields(pub ::std::collections::BTreeMap<String, String>);
    impl ::std::ops::Deref for LeadFields {
        type Target = ::std::collections::BTreeMap<String, String>;
        fn deref(&self) -> &::std::collections::BTreeMap<String, String> {
            &self.0
        }
    }
    impl ::std::convert::From<LeadFields>
    for ::std::collections::BTreeMap<String, String> {
        fn from(value: LeadFields) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::collections::BTreeMap<String, String>>
    for LeadFields {
        fn from(value: ::std::collections::BTreeMap<String, String>) -> Self {
            Self(value)
        }
    }
    ///One page of leads.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadPage {
        ///The leads, newest first by capture, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: Vec<Lead>,
        ///Token of the next page; null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: Option<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Page, form and campaign of a lead.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadSource {
        ///Name that the page gives its form. Forms with the same name and e-mail address may make one lead.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub form_id: Option<String>,
        ///Address of the page with the form.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub page_url: Option<String>,
        ///Address of the page that the person came from.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub referrer: Option<String>,
        ///Campaign parameters in the address of the page.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub utm: CampaignTags,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Whether a lead looks like spam, and why.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadSpam {
        ///Reasons for the score. Empty if it is 0.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub reasons: Vec<crate::generated::types::LeadSpamReason>,
        ///Likelihood of spam: from 0 (no sign of spam) to 100 (certainly spam).
        pub score: u32,
        ///Whether the score is so high that the lead is probably spam.
        pub suspected: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Labels of the caller. The service neither trims nor searches them.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[serde(transparent)]
    #[derive(Default)]
    pub struct Metadata(pub ::std::collections::BTreeMap<String, String>);
    impl ::std::ops::Deref for Metadata {
        type Target = ::std::collections::BTreeMap<String, String>;
        fn deref(&self) -> &::std::collections::BTreeMap<String, String> {
            &self.0
        }
    }
    impl ::std::convert::From<Metadata>
    for ::std::collections::BTreeMap<String, String> {
        fn from(value: Metadata) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<::std::collections::BTreeMap<String, String>>
    for Metadata {
        fn from(value: ::std::collections::BTreeMap<String, String>) -> Self {
            Self(value)
        }
    }
    ///One heading of an article.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct OutlineEntry {
        ///Id of the heading in the HTML, unique in the article.
        pub anchor: String,
        ///Level of the heading: 2 for h2 to 4 for h4.
        pub level: u32,
        ///Text of the heading in `content_html`.
        pub text: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    /**An error. The service always sends `type`, `title`, `status`, `detail`, `code` and `request_id`. The schema requires no field,
so that clients can read the errors of proxies, too.
*/
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Problem {
        ///The kind of problem, for programs. `x-problem-codes` explains each one. A later document may add codes.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub code: Option<crate::generated::types::ProblemCode>,
        ///What happened and what to do. It never contains the key.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub detail: Option<String>,
        ///Errors of single fields, parameters or headers. Each field has at most one entry with the same code. If there are more than 100, `detail` says so.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub errors: Vec<FieldError>,
        ///Path of the request, without the query.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub instance: Option<String>,
        ///The response's `X-Request-Id`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub request_id: Option<String>,
        ///The HTTP status.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub status: Option<u32>,
        ///The kind of problem in a few words, always the same for a code.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub title: Option<String>,
        ///URI of the kind of problem.
        #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub type_: Option<String>,
        ///Quotas that were exceeded. Only in `rate_limited`.
        #[serde(
            rename = "violated-policies",
            default,
            skip_serializing_if = "::std::vec::Vec::is_empty"
        )]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub violated_policies: Vec<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A time of the week at which one article of a website is published.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct PublishingSlot {
        ///Hours and minutes in the website's time zone.
        pub time: String,
        ///A day of the week.
        pub weekday: Weekday,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A job that was queued. It may have further fields of `Job` with the same meaning.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct QueuedJob {
        ///When the job was queued.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub created_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Id of the job.
        pub job_id: String,
        ///The metadata of the request; empty if it had none.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub metadata: Option<Metadata>,
        ///Id of the job's scheduled post.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub scheduled_post_id: Option<String>,
        ///`queued`. A replayed response may have a later state.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub status: Option<crate::generated::types::JobStatus>,
        ///The topic as sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub topic: Option<String>,
        ///The website of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::lenient::readable_or_default")]
        pub website_id: Option<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///The plan to publish the article of a job. It exists as soon as the job does.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPost {
        ///Id of the article once it is written.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: Option<String>,
        ///Number of attempts to publish.
        pub attempts: u32,
        ///Whether the article is published without approval.
        pub auto_publish: bool,
        ///When the scheduled post was created.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Why it failed. Null in every other state.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub error: Option<ScheduledPostError>,
        ///Id of the scheduled post.
        pub id: String,
        ///Job that writes the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub job_id: Option<String>,
        /**When the article is to be published: the `publish_at` of the request, the slot that it got once it is `scheduled`, or the
time that a user chose. Null while it has no time.

A scheduled post is late if it was not published within `late_after` of this time. If `publish_at` was before the request,
`late_after` counts from the moment when the article is ready. One late post of a website is published at once, unless another
late post was published less than `late_publication_pause` ago or, on a website with slots, a post that is not late is due now.
The others get the website's next free slots. Without a free slot they keep `publish_at` and follow at intervals of
`late_publication_pause`. `x-limits` has both limits.
*/
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub publish_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///When the article was published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published_at: Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///State of the scheduled post.
        pub status: crate::generated::types::ScheduledPostStatus,
        ///The topic as sent.
        pub topic: String,
        ///When it last changed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Website of the article.
        pub website_id: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Why a scheduled post failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPostError {
        ///Why a scheduled post failed, for programs: `publish_failed` (retryable), `publish_rejected`, or the code of the job that failed.
        pub code: crate::generated::types::ScheduledPostErrorCode,
        ///The reason as a text for people.
        pub message: String,
        ///Whether another attempt may succeed.
        pub retryable: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///The scheduled post that failed. Its `error` has the reason.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPostFailedData {
        ///The plan to publish the article of a job. It exists as soon as the job does.
        pub scheduled_post: ScheduledPost,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Publishing the article of a scheduled post failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPostFailedEvent {
        ///Major version of the API: `v1`. The event follows the schemas of that version.
        pub api_version: String,
        ///The scheduled post that failed. Its `error` has the reason.
        pub data: ScheduledPostFailedData,
        ///Id of the event. It is the same on every retry and at every endpoint, and equals the header `webhook-id`.
        pub id: String,
        ///When the event happened. It is the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Type of the event.
        #[serde(rename = "type")]
        pub type_: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///One page of scheduled posts.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPostPage {
        ///The scheduled posts, newest first by creation, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: Vec<ScheduledPost>,
        ///Token of the next page. Null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: Option<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Result of checking a text against one measurable rule.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct VoiceCheck {
        ///Value that the rule asks for.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub expected: Option<String>,
        ///Value that was measured in the text. Null if the rule does not apply.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub observed: Option<String>,
        ///Whether the text follows the rule.
        pub passed: bool,
        ///Name of the rule, such as `banned_terms` or `reading_grade`.
        pub rule: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    /**Result of checking a text against the voice profile (Brand DNA), rule by rule. A job whose text does not pass every check fails with
`voice_unsatisfiable`.
*/
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct VoiceReport {
        ///Id of the profile.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub brand_voice_id: Option<String>,
        ///Version of the profile.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub brand_voice_version: Option<u32>,
        ///The checks, one for each measurable rule.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub checks: Vec<VoiceCheck>,
        ///Whether every check passed.
        pub passed: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A website that articles are written for. Users configure it in the dashboard.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Website {
        ///Whether articles are published without approval.
        pub auto_publish: bool,
        ///Id of its voice profile. Null means the account's default.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub brand_voice_id: Option<String>,
        ///When the website was created.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Whether its feed contains the full text of articles.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub full_text_feed: Option<bool>,
        ///Language of its articles.
        pub language: String,
        ///Settings of the lead forms of a website.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub lead_form: Option<WebsiteLeadForm>,
        ///Name that the dashboard and the pages show.
        pub name: String,
        ///Whether readers find the pages of its articles below `url`, for example because a proxy shows them there. Otherwise `url` and `canonical_url` of an article that the service shows are addresses of the service.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub pages_at_url: Option<bool>,
        /**Times of the week at which articles without a `publish_at` are published, one article in each slot. Without slots an article is
published once it is ready. If clocks skip the time of a slot, the slot is the first moment afterwards. If clocks are put back
and the time of a slot occurs twice, the slot is the first of the two.
*/
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub publishing_slots: Vec<PublishingSlot>,
        ///State of a website. Articles are written and published and leads are taken only for an `active` one. If it is not active, queued jobs fail with `website_inactive`. Posts whose article is written wait until it is active again. `active` is documented, the others are extensions.
        pub status: crate::generated::types::WebsiteStatus,
        ///IANA name of its time zone.
        pub time_zone: String,
        ///When it last changed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Address of the website: https, or http on localhost.
        pub url: String,
        ///Id of the website.
        pub website_id: String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///Settings of the lead forms of a website.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct WebsiteLeadForm {
        ///Sentence beside the consent box, on one line. If it is null or absent, leads need no consent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub consent_text: Option<String>,
        ///Whether a person has to confirm a lead by the signed link in the event `lead.captured`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub double_opt_in: Option<bool>,
        ///Page that explains how personal data is handled: https, or http on localhost.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub privacy_url: Option<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///One page of websites.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct WebsitePage {
        ///The websites, newest first by creation, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: Vec<Website>,
        ///Token of the next page. Null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: Option<String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<String, ::serde_json::Value>,
    }
    ///A day of the week.
    #[derive(
        ::serde::Deserialize,
        ::serde::Serialize,
        Clone,
        Copy,
        Debug,
        Eq,
        Hash,
        Ord,
        PartialEq,
        PartialOrd
    )]
    #[non_exhaustive]
    pub enum Weekday {
        #[serde(rename = "monday")]
        Monday,
        #[serde(rename = "tuesday")]
        Tuesday,
        #[serde(rename = "wednesday")]
        Wednesday,
        #[serde(rename = "thursday")]
        Thursday,
        #[serde(rename = "friday")]
        Friday,
        #[serde(rename = "saturday")]
        Saturday,
        #[serde(rename = "sunday")]
        Sunday,
    }
    impl ::std::fmt::Display for Weekday {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Monday => f.write_str("monday"),
                Self::Tuesday => f.write_str("tuesday"),
                Self::Wednesday => f.write_str("wednesday"),
                Self::Thursday => f.write_str("thursday"),
                Self::Friday => f.write_str("friday"),
                Self::Saturday => f.write_str("saturday"),
                Self::Sunday => f.write_str("sunday"),
            }
        }
    }
    impl ::std::str::FromStr for Weekday {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "monday" => Ok(Self::Monday),
                "tuesday" => Ok(Self::Tuesday),
                "wednesday" => Ok(Self::Wednesday),
                "thursday" => Ok(Self::Thursday),
                "friday" => Ok(Self::Friday),
                "saturday" => Ok(Self::Saturday),
                "sunday" => Ok(Self::Sunday),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for Weekday {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<String> for Weekday {
        type Error = self::error::ConversionError;
        fn try_from(
            value: String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    /// Error types.
    pub mod error {
        /// Error from a `TryFrom` or `FromStr` implementation.
        pub struct ConversionError(::std::borrow::Cow<'static, str>);
        impl ::std::error::Error for ConversionError {}
        impl ::std::fmt::Display for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        impl ::std::fmt::Debug for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Debug::fmt(&self.0, f)
            }
        }
        impl From<&'static str> for ConversionError {
            fn from(value: &'static str) -> Self {
                Self(value.into())
            }
        }
        impl From<String> for ConversionError {
            fn from(value: String) -> Self {
                Self(value.into())
            }
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for CampaignTags {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.debug_struct("CampaignTags").finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for HookTestData {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_tuple("HookTestData")
                .field(&self.0.keys().collect::<Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for HookTestEvent {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("HookTestEvent")
                .field("api_version", &self.api_version)
                .field("data", &self.data)
                .field("id", &self.id)
                .field("timestamp", &self.timestamp)
                .field("type_", &self.type_)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for Lead {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("Lead")
                .field("article_id", &self.article_id)
                .field("captured_at", &self.captured_at)
                .field("confirmation", &self.confirmation)
                .field("consent", &self.consent)
                .field("fields", &self.fields)
                .field("id", &self.id)
                .field("source", &self.source)
                .field("spam", &self.spam)
                .field("updated_at", &self.updated_at)
                .field("website_id", &self.website_id)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadCapture {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadCapture")
                .field("article_id", &self.article_id)
                .field("consent", &self.consent)
                .field("elapsed", &self.elapsed)
                .field("fields", &self.fields)
                .field("source", &self.source)
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadCaptureConsent {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadCaptureConsent")
                .field("given", &self.given)
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadCaptureSource {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadCaptureSource")
                .field("form_id", &self.form_id)
                .field("utm", &self.utm)
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadCapturedData {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadCapturedData")
                .field("lead", &self.lead)
                .field("left_out", &self.left_out)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadCapturedEvent {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadCapturedEvent")
                .field("api_version", &self.api_version)
                .field("data", &self.data)
                .field("id", &self.id)
                .field("timestamp", &self.timestamp)
                .field("type_", &self.type_)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadConfirmation {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadConfirmation")
                .field("confirmed_at", &self.confirmed_at)
                .field("status", &self.status)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadConfirmedData {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadConfirmedData")
                .field("lead", &self.lead)
                .field("left_out", &self.left_out)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadConfirmedEvent {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadConfirmedEvent")
                .field("api_version", &self.api_version)
                .field("data", &self.data)
                .field("id", &self.id)
                .field("timestamp", &self.timestamp)
                .field("type_", &self.type_)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadConsent {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadConsent")
                .field("at", &self.at)
                .field("given", &self.given)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadFields {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter.debug_struct("LeadFields").finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadPage {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadPage")
                .field("items", &self.items)
                .field("next_page", &self.next_page)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadSource {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadSource")
                .field("form_id", &self.form_id)
                .field("utm", &self.utm)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for LeadSpam {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("LeadSpam")
                .field("score", &self.score)
                .field("suspected", &self.suspected)
                .field("extra", &self.extra.keys().collect::<Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "State of an article. `draft` is written, `scheduled` has a time, `published` is on the website, `archived` was taken down."]
        ArticleStatus { Draft = "draft"; Scheduled = "scheduled"; Published =
        "published"; Archived = "archived"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "The rule that is broken, for programs. `required`: the field is absent, or the consent is not given. `too_short`, `too_long`: a\nstring. `out_of_range`: a number or a time. `too_many`: items or fields. `invalid_format`: any other broken rule, such as a wrong\ntype, null, a malformed e-mail address or time, or a value outside a vocabulary. `unknown_field`: only with `Prefer:\nhandling=strict`. `not_found`: no such website.\n"]
        FieldErrorCode { Required = "required"; TooShort = "too_short"; TooLong =
        "too_long"; InvalidFormat = "invalid_format"; OutOfRange = "out_of_range";
        TooMany = "too_many"; UnknownField = "unknown_field"; NotFound = "not_found"; }
    }
    crate::shapes::tagged_union! {
        #[doc = "An event of one of the types known today."] HookEvent by "type" {
        LeadCaptured(LeadCapturedEvent) = "lead.captured";
        LeadConfirmed(LeadConfirmedEvent) = "lead.confirmed";
        ArticlePublished(ArticlePublishedEvent) = "article.published";
        ArticleUpdated(ArticleUpdatedEvent) = "article.updated";
        JobFailed(JobFailedEvent) = "job.failed";
        ScheduledPostFailed(ScheduledPostFailedEvent) = "scheduled_post.failed";
        HookTest(HookTestEvent) = "hook.test"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "Why a job failed, for programs. `generator_unavailable`, `generation_timeout` and `internal` are retryable.\n`content_rejected`, `voice_unsatisfiable`, `language_not_supported` and `website_inactive` are not.\n"]
        JobErrorCode { GeneratorUnavailable = "generator_unavailable"; GenerationTimeout
        = "generation_timeout"; Internal = "internal"; ContentRejected =
        "content_rejected"; VoiceUnsatisfiable = "voice_unsatisfiable";
        LanguageNotSupported = "language_not_supported"; WebsiteInactive =
        "website_inactive"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "State of a job. `queued` waits, `in_progress` is being written, `completed` has an article, `failed` has an `error`,\n`cancelled` was stopped. `queued` and `completed` are documented, the others are extensions.\n"]
        JobStatus { Queued = "queued"; InProgress = "in_progress"; Completed =
        "completed"; Failed = "failed"; Cancelled = "cancelled"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "State of a confirmation. `not_required`: the website did not ask for it when the lead was captured. `pending`: the person has not used a link yet. Such a lead is erased 30 days after its capture (`unconfirmed_leads` under `x-limits`). `confirmed`: the person used the link."]
        LeadConfirmationStatus { NotRequired = "not_required"; Pending = "pending";
        Confirmed = "confirmed"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "Reason for a spam score. `trap_filled`: a field that people do not see was filled. `sent_too_fast`: the form was sent faster than a person fills it. `many_links`: links in the message. `link_as_name`: a link in the name or the company."]
        LeadSpamReason { TrapFilled = "trap_filled"; SentTooFast = "sent_too_fast";
        ManyLinks = "many_links"; LinkAsName = "link_as_name"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "The kind of problem, for programs. `x-problem-codes` explains each one. A later document may add codes."]
        ProblemCode { InvalidJson = "invalid_json"; InvalidHeader = "invalid_header";
        InvalidPageToken = "invalid_page_token"; MissingCredentials =
        "missing_credentials"; InvalidCredentials = "invalid_credentials";
        InsufficientScope = "insufficient_scope"; WebsiteInactive = "website_inactive";
        RouteNotFound = "route_not_found"; ArticleNotFound = "article_not_found";
        JobNotFound = "job_not_found"; LeadNotFound = "lead_not_found";
        ScheduledPostNotFound = "scheduled_post_not_found"; ArticleNotReady =
        "article_not_ready"; GenerationFailed = "generation_failed"; GenerationCancelled
        = "generation_cancelled"; MethodNotAllowed = "method_not_allowed"; RequestTimeout
        = "request_timeout"; IdempotencyInFlight = "idempotency_in_flight";
        JobNotCancellable = "job_not_cancellable"; ConfirmationExpired =
        "confirmation_expired"; PayloadTooLarge = "payload_too_large";
        UnsupportedMediaType = "unsupported_media_type"; ValidationFailed =
        "validation_failed"; WebsiteNotFound = "website_not_found"; IdempotencyMismatch =
        "idempotency_mismatch"; RateLimited = "rate_limited"; QueueFull = "queue_full";
        HeadersTooLarge = "headers_too_large"; InternalError = "internal_error";
        Unavailable = "unavailable"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "Why a scheduled post failed, for programs: `publish_failed` (retryable), `publish_rejected`, or the code of the job that failed."]
        ScheduledPostErrorCode { PublishFailed = "publish_failed"; PublishRejected =
        "publish_rejected"; GeneratorUnavailable = "generator_unavailable";
        GenerationTimeout = "generation_timeout"; Internal = "internal"; ContentRejected
        = "content_rejected"; VoiceUnsatisfiable = "voice_unsatisfiable";
        LanguageNotSupported = "language_not_supported"; WebsiteInactive =
        "website_inactive"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "State of a scheduled post. `queued` and `generating` follow the job, `ready` waits for approval, `scheduled` waits for its time,\n`publishing` is being published. `published` and `cancelled` are final. A user may retry a `failed` one: without an article it\ngets a new `job_id`, and `attempts` starts again. `queued` is documented, the others are extensions.\n"]
        ScheduledPostStatus { Queued = "queued"; Generating = "generating"; Ready =
        "ready"; Scheduled = "scheduled"; Publishing = "publishing"; Published =
        "published"; Failed = "failed"; Cancelled = "cancelled"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "State of a website. Articles are written and published and leads are taken only for an `active` one. If it is not active, queued jobs fail with `website_inactive`. Posts whose article is written wait until it is active again. `active` is documented, the others are extensions."]
        WebsiteStatus { Active = "active"; Paused = "paused"; Archived = "archived"; }
    }
    crate::shapes::map_of_texts! {
        CampaignTags
    }
    crate::shapes::map_of_texts! {
        LeadFields
    }
    crate::shapes::map_of_texts! {
        Metadata
    }
    crate::optional::into_option! {
        exactly GenerateRequest, LeadCapture, LeadCaptureConsent, LeadCaptureSource;
    }
    impl GenerateRequest {
        /// Returns a value with nothing set.
        pub fn new() -> Self {
            Self::default()
        }
        /// Checks the bounds of the document, as sending does.
        pub fn check(&self) -> ::std::result::Result<(), crate::InvalidRequest> {
            crate::bounds::check(self)
        }
        ///Publish the article without approval. The default is the website's setting.
        pub fn auto_publish(mut self, value: impl crate::IntoOption<bool>) -> Self {
            self.auto_publish = value.into_option();
            self
        }
        /**Words and phrases that the article should use. They are not trimmed. The article may use them in another letter case and in
another Unicode form: composed and decomposed letters are the same.
*/
        pub fn keywords(mut self, value: impl IntoIterator<Item: Into<String>>) -> Self {
            self.keywords = value.into_iter().map(::std::convert::Into::into).collect();
            self
        }
        /**Language of the article: a tag that is well-formed by RFC 5646. The default is the website's language. Irregular tags,
such as `i-klingon`, are written as registered; in all others letter case does not matter.

A service may support only some languages. A job in another one fails with `language_not_supported`. The article's
`language` always begins with the same subtag as the requested one, such as `en` for `en-GB`.
*/
        pub fn language(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.language = value.into_option();
            self
        }
        ///Your own labels. The job, the article and the webhooks about them repeat the labels.
        pub fn metadata(mut self, value: impl crate::IntoOption<Metadata>) -> Self {
            self.metadata = value.into_option();
            self
        }
        /**When to publish: RFC 3339 with a zone, at most the same date next year. A time before the request means as soon as the
article is ready. With `auto_publish` false the time is kept but has no effect.

Without `publish_at` the article is published in the website's next free slot. If the website has no `publishing_slots`,
it is published once it is ready. If no slot is free, it waits for approval (`slots_ahead` under `x-limits`).
*/
        pub fn publish_at(
            mut self,
            value: impl crate::IntoOption<::chrono::DateTime<::chrono::offset::Utc>>,
        ) -> Self {
            self.publish_at = value.into_option();
            self
        }
        ///Number of words that the article should have, give or take 15 %. The default is the website's setting, or 1200.
        pub fn target_word_count(mut self, value: impl crate::IntoOption<u32>) -> Self {
            self.target_word_count = value.into_option();
            self
        }
        /**Topic of the article in free text. It has 1 to 1000 code points, not counting Unicode White_Space at both ends, and no
control characters except tab and line feed. The service keeps it as sent.
*/
        pub fn topic(mut self, value: impl Into<String>) -> Self {
            self.topic = Some(value.into());
            self
        }
        ///Website to write for. It must be active, and the key must be allowed to use it.
        pub fn website_id(mut self, value: impl Into<String>) -> Self {
            self.website_id = Some(value.into());
            self
        }
    }
    impl crate::bounds::Bounded for GenerateRequest {
        fn find_faults(&self, check: &mut crate::bounds::Check<'_>) {
            check.texts("keywords", &self.keywords, 10usize, (1usize, 80usize));
            check
                .map(
                    "metadata",
                    self.metadata.as_deref(),
                    16usize,
                    (1usize, 40usize),
                    500usize,
                );
            check.integer("target_word_count", self.target_word_count, 200u32, 5000u32);
            check.required("topic", self.topic.as_ref());
            check.text("topic", self.topic.as_deref().map(str::trim), 1usize, 1000usize);
            check.required("website_id", self.website_id.as_ref());
            check.text("website_id", self.website_id.as_deref(), 1usize, 128usize);
        }
    }
    impl LeadCapture {
        /// Returns a value with nothing set.
        pub fn new() -> Self {
            Self::default()
        }
        /// Checks the bounds of the document, as sending does.
        pub fn check(&self) -> ::std::result::Result<(), crate::InvalidRequest> {
            crate::bounds::check(self)
        }
        ///Article with the form. The lead does not keep the id of anything else.
        pub fn article_id(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.article_id = value.into_option();
            self
        }
        ///Company of the person.
        pub fn company(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.company = value.into_option();
            self
        }
        ///Consent of the person.
        pub fn consent(
            mut self,
            value: impl crate::IntoOption<LeadCaptureConsent>,
        ) -> Self {
            self.consent = value.into_option();
            self
        }
        ///Milliseconds from showing the form to sending it, as the page measured them. A page that was open for more than a day sends 86400000.
        pub fn elapsed(mut self, value: impl crate::IntoOption<u32>) -> Self {
            self.elapsed = value.into_option();
            self
        }
        ///E-mail address: exactly one `@` with text before and after it, no white space and no control characters.
        pub fn email(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.email = value.into_option();
            self
        }
        ///Other fields of the form.
        pub fn fields(mut self, value: impl crate::IntoOption<LeadFields>) -> Self {
            self.fields = value.into_option();
            self
        }
        ///A trap for robots, hidden from people. If it is filled, the response is the same and the lead is kept with `spam.suspected` and the reason `trap_filled`.
        pub fn hp(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.hp = value.into_option();
            self
        }
        ///The message.
        pub fn message(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.message = value.into_option();
            self
        }
        ///Name of the person.
        pub fn name(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.name = value.into_option();
            self
        }
        ///Telephone number.
        pub fn phone(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.phone = value.into_option();
            self
        }
        ///Page, form and campaign of the lead.
        pub fn source(
            mut self,
            value: impl crate::IntoOption<LeadCaptureSource>,
        ) -> Self {
            self.source = value.into_option();
            self
        }
    }
    impl crate::bounds::Bounded for LeadCapture {
        fn find_faults(&self, check: &mut crate::bounds::Check<'_>) {
            check.integer("_elapsed", self.elapsed, 0u32, 86400000u32);
            check.text("article_id", self.article_id.as_deref(), 1usize, 128usize);
            check.text("company", self.company.as_deref(), 0usize, 200usize);
            check.object("consent", self.consent.as_ref());
            check.text("email", self.email.as_deref(), 3usize, 254usize);
            check
                .map(
                    "fields",
                    self.fields.as_deref(),
                    32usize,
                    (0usize, 4294967295usize),
                    1000usize,
                );
            check.text("message", self.message.as_deref(), 0usize, 5000usize);
            check.text("name", self.name.as_deref(), 0usize, 200usize);
            check.text("phone", self.phone.as_deref(), 3usize, 32usize);
            check.object("source", self.source.as_ref());
        }
    }
    impl LeadCaptureConsent {
        /// Returns a value with nothing set.
        pub fn new() -> Self {
            Self::default()
        }
        /// Checks the bounds of the document, as sending does.
        pub fn check(&self) -> ::std::result::Result<(), crate::InvalidRequest> {
            crate::bounds::check(self)
        }
        ///Whether the person agrees.
        pub fn given(mut self, value: impl Into<bool>) -> Self {
            self.given = Some(value.into());
            self
        }
        ///Consent text that the form shows.
        pub fn text(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.text = value.into_option();
            self
        }
    }
    impl crate::bounds::Bounded for LeadCaptureConsent {
        fn find_faults(&self, check: &mut crate::bounds::Check<'_>) {
            check.required("given", self.given.as_ref());
            check.text("text", self.text.as_deref(), 0usize, 1000usize);
        }
    }
    impl LeadCaptureSource {
        /// Returns a value with nothing set.
        pub fn new() -> Self {
            Self::default()
        }
        /// Checks the bounds of the document, as sending does.
        pub fn check(&self) -> ::std::result::Result<(), crate::InvalidRequest> {
            crate::bounds::check(self)
        }
        ///Name that the page gives its form. Forms with the same name and e-mail address may make one lead.
        pub fn form_id(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.form_id = value.into_option();
            self
        }
        ///Address of the page with the form.
        pub fn page_url(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.page_url = value.into_option();
            self
        }
        ///Address of the page that the person came from.
        pub fn referrer(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.referrer = value.into_option();
            self
        }
        ///Campaign parameters in the address of the page.
        pub fn utm(mut self, value: impl crate::IntoOption<CampaignTags>) -> Self {
            self.utm = value.into_option();
            self
        }
    }
    impl crate::bounds::Bounded for LeadCaptureSource {
        fn find_faults(&self, check: &mut crate::bounds::Check<'_>) {
            check.text("form_id", self.form_id.as_deref(), 0usize, 128usize);
            check.text("page_url", self.page_url.as_deref(), 0usize, 2048usize);
            check.text("referrer", self.referrer.as_deref(), 0usize, 2048usize);
        }
    }
}
impl crate::Client {
    /**List articles

Lists the articles of the websites that the key may use, newest first by `created_at`, then by `id`. A change does not move an
article. Use `updated_since` to keep a copy: see "Keeping a copy in sync".

Requires the scope `articles:read`.


Sends a `GET` request to `/api/v1/articles`

Arguments:
- `limit`: Maximum number of items on the page.
- `page_token`: The `next_page` of the page before: an opaque text. It is valid for at least 24 hours, for this list and account. It keeps the filters
of its list. Other filters, or a token of another list, are refused with 400 `invalid_page_token`.

- `status`: Only articles in this state.
- `updated_since`: Only articles changed at this time or later (RFC 3339 with a zone).
- `website_id`: Only items of this website. An unknown or foreign id gives an empty page.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let mut items = client.list_articles().website_id("web_01KB0A4T6N8Q2R5V7X9ZC3E1GH").items();
while let Some(article_summary) = items.next().await {
    println!("{:?}", article_summary?);
}
# Ok(())
# }
```*/
    pub fn list_articles(&self) -> builder::ListArticles {
        builder::ListArticles::new(self.clone(), &[])
    }
    /**Read an article

Returns the article once its job has completed. `id` may be the article's id or the id of its job. `id` in the body is always
the article's, and `Content-Location` has its canonical address. The `ETag` is the same under both ids.

Until the job has ended, the response is 404 `article_not_ready` with `Retry-After`. If the job failed or was cancelled, it is
404 `generation_failed` or `generation_cancelled`. These two have no `Retry-After`.

The service may forget a job some time after it has ended (`ended_jobs` under `x-limits`). Then the job's id still returns its
article. Without an article the response is 404 `article_not_found`.

Requires the scope `articles:read`.


Sends a `GET` request to `/api/v1/articles/{id}`

Arguments:
- `id`: Id of the article or of the job that wrote it.
- `if_none_match`: The `ETag` of your copy. If the copy is still current, the response is 304 without a body.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let article = client.get_article("art_01KB0A5JH3K5M7P9Q1S3T5V7X9").send().await?;
println!("{article:?}");
# Ok(())
# }
```*/
    pub fn get_article(&self, id: impl Into<String>) -> builder::GetArticle {
        builder::GetArticle::new(self.clone(), &[("id", id.into())])
    }
    /**Queue an article

Queues a job that writes an article on `topic` for the website, and answers at once. The job's scheduled post exists when the
response arrives. Poll the job at `Location`, or wait for the webhook `article.published`.

Requires the scope `generate:write`.


Sends a `POST` request to `/api/v1/generate`

Arguments:
- `idempotency_key`: Key of this logical call. Repeating the call with the same key does not queue a second job. The key has 1 to 255 visible ASCII
characters on one header line, bare or as a quoted string (`k` and `"k"` are one key), without parameters. Letter case counts. A key with `"`, `,`, `;`
or `\` must be quoted.

- `prefer`: With `handling=strict` unknown fields of the body are refused with 422 `validation_failed`. A malformed or unknown preference is
ignored.

- `body`: The topic, the website and optional settings.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let queued_job = client
    .generate()
    .topic("Keeping a rye starter alive through winter")
    .website_id("web_01KB0A4T6N8Q2R5V7X9ZC3E1GH")
    .send()
    .await?;
println!("{queued_job:?}");
# Ok(())
# }
```*/
    pub fn generate(&self) -> builder::Generate {
        builder::Generate::new(self.clone(), &[])
    }
    /**Follow a job

Returns the job. With `Prefer: wait=N` the server responds when the job has ended, or after N seconds at the latest. With
`If-None-Match` it responds 304 if nothing has changed by then. The response has `Retry-After` while the job has not ended, and none
afterwards. A job that the service has forgotten (`ended_jobs` under `x-limits`) is answered with 404 `job_not_found`.

Requires the scope `jobs:read`.


Sends a `GET` request to `/api/v1/jobs/{job_id}`

Arguments:
- `job_id`: Id of the job.
- `if_none_match`: The `ETag` of your copy. If the copy is still current, the response is 304 without a body.
- `prefer`: With `wait=N` the server waits up to N seconds for the job to end (1 to 60; more counts as 60). It responds within 5 seconds after the
job has ended. It may respond earlier, so check `done`. If more requests of a key wait than `long_polls` under `x-limits`, the others
are answered at once, without `Preference-Applied`. A malformed or unknown preference is ignored.

*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let job = client.get_job("job_01KB0A5B2M4P6R8T0V2X4Z6A8C").send().await?;
println!("{job:?}");
# Ok(())
# }
```*/
    pub fn get_job(&self, job_id: impl Into<String>) -> builder::GetJob {
        builder::GetJob::new(self.clone(), &[("job_id", job_id.into())])
    }
    /**Cancel a job

Cancels a job that has not ended, and its scheduled post. For a job that is already cancelled the response is the same again. If the
job completed or failed, it is 409 `job_not_cancellable`. A cancelled job never gets an article. The service ignores a request body
of up to 64 KiB.

Requires the scope `generate:write`.


Sends a `POST` request to `/api/v1/jobs/{job_id}/cancel`

Arguments:
- `job_id`: Id of the job.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let job = client.cancel_job("job_01KB0A5B2M4P6R8T0V2X4Z6A8C").send().await?;
println!("{job:?}");
# Ok(())
# }
```*/
    pub fn cancel_job(&self, job_id: impl Into<String>) -> builder::CancelJob {
        builder::CancelJob::new(self.clone(), &[("job_id", job_id.into())])
    }
    /**List leads

Lists the captured leads, newest first by `captured_at`, then by `id`. A change does not move a lead. The range is half-open:
`captured_since` ≤ t < `captured_until`. Use `updated_since` to keep a copy: see "Keeping a copy in sync". Each lead is complete, as `get_lead` returns it.

Requires the scope `leads:read`.


Sends a `GET` request to `/api/v1/leads`

Arguments:
- `article_id`: Only leads captured on this article. An unknown or foreign id gives an empty page.
- `captured_since`: Only leads captured at this time or later (RFC 3339 with a zone).
- `captured_until`: Only leads captured before this time (RFC 3339 with a zone). A time before `captured_since` gives an empty page.
- `limit`: Maximum number of items on the page.
- `page_token`: The `next_page` of the page before: an opaque text. It is valid for at least 24 hours, for this list and account. It keeps the filters
of its list. Other filters, or a token of another list, are refused with 400 `invalid_page_token`.

- `updated_since`: Only leads changed at this time or later (RFC 3339 with a zone).
- `website_id`: Only items of this website. An unknown or foreign id gives an empty page.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let mut items = client
    .list_leads()
    .website_id("web_01KB0A4T6N8Q2R5V7X9ZC3E1GH")
    .article_id("art_01KB0A5JH3K5M7P9Q1S3T5V7X9")
    .items();
while let Some(lead) = items.next().await {
    println!("{:?}", lead?);
}
# Ok(())
# }
```*/
    pub fn list_leads(&self) -> builder::ListLeads {
        builder::ListLeads::new(self.clone(), &[])
    }
    /**Read a lead

Returns one lead in its current state.

Requires the scope `leads:read`.


Sends a `GET` request to `/api/v1/leads/{lead_id}`

Arguments:
- `lead_id`: Id of the lead.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let lead = client.get_lead("lead_01KB1C7W4E6R8T0Y2P4A6S8D0F").send().await?;
println!("{lead:?}");
# Ok(())
# }
```*/
    pub fn get_lead(&self, lead_id: impl Into<String>) -> builder::GetLead {
        builder::GetLead::new(self.clone(), &[("lead_id", lead_id.into())])
    }
    /**List scheduled posts

Lists the scheduled posts, newest first by creation. A scheduled post appears together with its job and stays in the list when
it is published.

Requires the scope `jobs:read`.


Sends a `GET` request to `/api/v1/scheduled_posts`

Arguments:
- `limit`: Maximum number of items on the page.
- `page_token`: The `next_page` of the page before: an opaque text. It is valid for at least 24 hours, for this list and account. It keeps the filters
of its list. Other filters, or a token of another list, are refused with 400 `invalid_page_token`.

- `status`: Only scheduled posts in this state.
- `website_id`: Only items of this website. An unknown or foreign id gives an empty page.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let mut items = client.list_scheduled_posts().website_id("web_01KB0A4T6N8Q2R5V7X9ZC3E1GH").items();
while let Some(scheduled_post) = items.next().await {
    println!("{:?}", scheduled_post?);
}
# Ok(())
# }
```*/
    pub fn list_scheduled_posts(&self) -> builder::ListScheduledPosts {
        builder::ListScheduledPosts::new(self.clone(), &[])
    }
    /**Read a scheduled post

Returns one scheduled post with the same fields as in the list. A job has the id of its post in `scheduled_post_id`.

Requires the scope `jobs:read`.


Sends a `GET` request to `/api/v1/scheduled_posts/{scheduled_post_id}`

Arguments:
- `scheduled_post_id`: Id of the scheduled post.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let scheduled_post = client.get_scheduled_post("post_01KB0A5B2M9C8D7E6F5G4H3J2K").send().await?;
println!("{scheduled_post:?}");
# Ok(())
# }
```*/
    pub fn get_scheduled_post(
        &self,
        scheduled_post_id: impl Into<String>,
    ) -> builder::GetScheduledPost {
        builder::GetScheduledPost::new(
            self.clone(),
            &[("scheduled_post_id", scheduled_post_id.into())],
        )
    }
    /**List websites

Lists the websites that the key may use, newest first by creation. Users configure them in the dashboard.

Requires the scope `websites:read`.


Sends a `GET` request to `/api/v1/websites`

Arguments:
- `limit`: Maximum number of items on the page.
- `page_token`: The `next_page` of the page before: an opaque text. It is valid for at least 24 hours, for this list and account. It keeps the filters
of its list. Other filters, or a token of another list, are refused with 400 `invalid_page_token`.

*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let mut items = client.list_websites().items();
while let Some(website) = items.next().await {
    println!("{:?}", website?);
}
# Ok(())
# }
```*/
    pub fn list_websites(&self) -> builder::ListWebsites {
        builder::ListWebsites::new(self.clone(), &[])
    }
    /**Send a lead form

Takes the form of a published page and stores a lead. It needs no key. `Prefer: handling=strict` and `Idempotency-Key` do not
apply. The response is the same for a new lead, a repeated one and one that looks like spam.

**Pages.** With `text/html` in `Accept` every response is a page, even an error. Browsers need pages for forms without a script.
Otherwise it is JSON. A refusal before routing may have any body.

**Order of checks.** Route, method, rate, website, media type, size, JSON, validation. An unknown website is 404, an
inactive one 403. The quota counts calls from one network address and, for IPv6, from its larger networks (`capture_rate` under
`x-limits`).

**Other origins.** A script may send the form from an origin of the website or of the service. An origin of the
website is that of its `url`, and the same with `www.` before the domain added or removed, if both domains have two or more labels:
`https://example.com` and `https://www.example.com` are one website. `OPTIONS` answers 204. For such an origin it has
`Access-Control-Allow-Origin` with the origin, `Access-Control-Allow-Methods: POST` and `Access-Control-Allow-Headers:
content-type`. No response allows any other origin. A response to `POST` from such an origin has `Access-Control-Allow-Origin`, too, unless the check of route, method or
rate fails.


Sends a `POST` request to `/capture/{website_id}`

Arguments:
- `website_id`: The website whose page the form is on.
- `body`: The filled-in form.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let lead_accepted = client
    .capture_lead("web_01KB0A4T6N8Q2R5V7X9ZC3E1GH")
    .article_id("art_01KB0A5JH3K5M7P9Q1S3T5V7X9")
    .email("reader@example.com")
    .message("Do you teach a course on rye in January?")
    .name("Robin Reader")
    .send()
    .await?;
println!("{lead_accepted:?}");
# Ok(())
# }
```*/
    pub fn capture_lead(&self, website_id: impl Into<String>) -> builder::CaptureLead {
        builder::CaptureLead::new(self.clone(), &[("website_id", website_id.into())])
    }
}
#[cfg(feature = "blocking")]
impl crate::blocking::Client {
    ///List articles: see [`Client::list_articles`](crate::Client::list_articles).
    pub fn list_articles(&self) -> builder::ListArticles<Self> {
        builder::ListArticles::new(self.clone(), &[])
    }
    ///Read an article: see [`Client::get_article`](crate::Client::get_article).
    pub fn get_article(&self, id: impl Into<String>) -> builder::GetArticle<Self> {
        builder::GetArticle::new(self.clone(), &[("id", id.into())])
    }
    ///Queue an article: see [`Client::generate`](crate::Client::generate).
    pub fn generate(&self) -> builder::Generate<Self> {
        builder::Generate::new(self.clone(), &[])
    }
    ///Follow a job: see [`Client::get_job`](crate::Client::get_job).
    pub fn get_job(&self, job_id: impl Into<String>) -> builder::GetJob<Self> {
        builder::GetJob::new(self.clone(), &[("job_id", job_id.into())])
    }
    ///Cancel a job: see [`Client::cancel_job`](crate::Client::cancel_job).
    pub fn cancel_job(&self, job_id: impl Into<String>) -> builder::CancelJob<Self> {
        builder::CancelJob::new(self.clone(), &[("job_id", job_id.into())])
    }
    ///List leads: see [`Client::list_leads`](crate::Client::list_leads).
    pub fn list_leads(&self) -> builder::ListLeads<Self> {
        builder::ListLeads::new(self.clone(), &[])
    }
    ///Read a lead: see [`Client::get_lead`](crate::Client::get_lead).
    pub fn get_lead(&self, lead_id: impl Into<String>) -> builder::GetLead<Self> {
        builder::GetLead::new(self.clone(), &[("lead_id", lead_id.into())])
    }
    ///List scheduled posts: see [`Client::list_scheduled_posts`](crate::Client::list_scheduled_posts).
    pub fn list_scheduled_posts(&self) -> builder::ListScheduledPosts<Self> {
        builder::ListScheduledPosts::new(self.clone(), &[])
    }
    ///Read a scheduled post: see [`Client::get_scheduled_post`](crate::Client::get_scheduled_post).
    pub fn get_scheduled_post(
        &self,
        scheduled_post_id: impl Into<String>,
    ) -> builder::GetScheduledPost<Self> {
        builder::GetScheduledPost::new(
            self.clone(),
            &[("scheduled_post_id", scheduled_post_id.into())],
        )
    }
    ///List websites: see [`Client::list_websites`](crate::Client::list_websites).
    pub fn list_websites(&self) -> builder::ListWebsites<Self> {
        builder::ListWebsites::new(self.clone(), &[])
    }
    ///Send a lead form: see [`Client::capture_lead`](crate::Client::capture_lead).
    pub fn capture_lead(
        &self,
        website_id: impl Into<String>,
    ) -> builder::CaptureLead<Self> {
        builder::CaptureLead::new(self.clone(), &[("website_id", website_id.into())])
    }
}
/// Builders of requests, one for each operation.
pub mod builder {
    use super::types::{self, *};
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::list_articles`](crate::Client::list_articles): `GET /api/v1/articles`."]
        ListArticles = LIST_ARTICLES -> types::ArticlePage, items : types::ArticleSummary
    }
    impl<C> ListArticles<C> {
        ///Maximum number of items on the page.
        pub fn limit(mut self, value: impl crate::IntoOption<u32>) -> Self {
            self.call.set_query("limit", value.into_option());
            self
        }
        /**The `next_page` of the page before: an opaque text. It is valid for at least 24 hours, for this list and account. It keeps the filters
of its list. Other filters, or a token of another list, are refused with 400 `invalid_page_token`.
*/
        pub fn page_token(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_query("page_token", value.into_option());
            self
        }
        ///Only articles in this state.
        pub fn status(
            mut self,
            value: impl crate::IntoOption<crate::generated::types::ArticleStatus>,
        ) -> Self {
            self.call.set_query("status", value.into_option());
            self
        }
        ///Only articles changed at this time or later (RFC 3339 with a zone).
        pub fn updated_since(
            mut self,
            value: impl crate::IntoOption<::chrono::DateTime<::chrono::offset::Utc>>,
        ) -> Self {
            self.call.set_query("updated_since", value.into_option());
            self
        }
        ///Only items of this website. An unknown or foreign id gives an empty page.
        pub fn website_id(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_query("website_id", value.into_option());
            self
        }
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::get_article`](crate::Client::get_article): `GET /api/v1/articles/{id}`."]
        GetArticle = GET_ARTICLE -> types::Article
    }
    impl<C> GetArticle<C> {
        ///The `ETag` of your copy. If the copy is still current, the response is 304 without a body.
        pub fn if_none_match(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_header("If-None-Match", value.into_option());
            self
        }
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::generate`](crate::Client::generate): `POST /api/v1/generate`."]
        Generate = GENERATE -> types::QueuedJob, body : types::GenerateRequest
    }
    impl<C> Generate<C> {
        /**Key of this logical call. Repeating the call with the same key does not queue a second job. The key has 1 to 255 visible ASCII
characters on one header line, bare or as a quoted string (`k` and `"k"` are one key), without parameters. Letter case counts. A key with `"`, `,`, `;`
or `\` must be quoted.
*/
        pub fn idempotency_key(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_header("Idempotency-Key", value.into_option());
            self
        }
        /**With `handling=strict` unknown fields of the body are refused with 422 `validation_failed`. A malformed or unknown preference is
ignored.
*/
        pub fn prefer(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_header("Prefer", value.into_option());
            self
        }
        /// The whole body. Replaces the fields that were set before.
        pub fn body(mut self, body: types::GenerateRequest) -> Self {
            self.body = body;
            self
        }
        ///Publish the article without approval. The default is the website's setting.
        pub fn auto_publish(mut self, value: impl crate::IntoOption<bool>) -> Self {
            self.body = self.body.auto_publish(value);
            self
        }
        /**Words and phrases that the article should use. They are not trimmed. The article may use them in another letter case and in
another Unicode form: composed and decomposed letters are the same.
*/
        pub fn keywords(mut self, value: impl IntoIterator<Item: Into<String>>) -> Self {
            self.body = self.body.keywords(value);
            self
        }
        /**Language of the article: a tag that is well-formed by RFC 5646. The default is the website's language. Irregular tags,
such as `i-klingon`, are written as registered; in all others letter case does not matter.

A service may support only some languages. A job in another one fails with `language_not_supported`. The article's
`language` always begins with the same subtag as the requested one, such as `en` for `en-GB`.
*/
        pub fn language(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.body = self.body.language(value);
            self
        }
        ///Your own labels. The job, the article and the webhooks about them repeat the labels.
        pub fn metadata(mut self, value: impl crate::IntoOption<Metadata>) -> Self {
            self.body = self.body.metadata(value);
            self
        }
        /**When to publish: RFC 3339 with a zone, at most the same date next year. A time before the request means as soon as the
article is ready. With `auto_publish` false the time is kept but has no effect.

Without `publish_at` the article is published in the website's next free slot. If the website has no `publishing_slots`,
it is published once it is ready. If no slot is free, it waits for approval (`slots_ahead` under `x-limits`).
*/
        pub fn publish_at(
            mut self,
            value: impl crate::IntoOption<::chrono::DateTime<::chrono::offset::Utc>>,
        ) -> Self {
            self.body = self.body.publish_at(value);
            self
        }
        ///Number of words that the article should have, give or take 15 %. The default is the website's setting, or 1200.
        pub fn target_word_count(mut self, value: impl crate::IntoOption<u32>) -> Self {
            self.body = self.body.target_word_count(value);
            self
        }
        /**Topic of the article in free text. It has 1 to 1000 code points, not counting Unicode White_Space at both ends, and no
control characters except tab and line feed. The service keeps it as sent.
*/
        pub fn topic(mut self, value: impl Into<String>) -> Self {
            self.body = self.body.topic(value);
            self
        }
        ///Website to write for. It must be active, and the key must be allowed to use it.
        pub fn website_id(mut self, value: impl Into<String>) -> Self {
            self.body = self.body.website_id(value);
            self
        }
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::get_job`](crate::Client::get_job): `GET /api/v1/jobs/{job_id}`."]
        GetJob = GET_JOB -> types::Job
    }
    impl<C> GetJob<C> {
        ///The `ETag` of your copy. If the copy is still current, the response is 304 without a body.
        pub fn if_none_match(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_header("If-None-Match", value.into_option());
            self
        }
        /**With `wait=N` the server waits up to N seconds for the job to end (1 to 60; more counts as 60). It responds within 5 seconds after the
job has ended. It may respond earlier, so check `done`. If more requests of a key wait than `long_polls` under `x-limits`, the others
are answered at once, without `Preference-Applied`. A malformed or unknown preference is ignored.
*/
        pub fn prefer(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_header("Prefer", value.into_option());
            self
        }
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::cancel_job`](crate::Client::cancel_job): `POST /api/v1/jobs/{job_id}/cancel`."]
        CancelJob = CANCEL_JOB -> types::Job
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::list_leads`](crate::Client::list_leads): `GET /api/v1/leads`."]
        ListLeads = LIST_LEADS -> types::LeadPage, items : types::Lead
    }
    impl<C> ListLeads<C> {
        ///Only leads captured on this article. An unknown or foreign id gives an empty page.
        pub fn article_id(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_query("article_id", value.into_option());
            self
        }
        ///Only leads captured at this time or later (RFC 3339 with a zone).
        pub fn captured_since(
            mut self,
            value: impl crate::IntoOption<::chrono::DateTime<::chrono::offset::Utc>>,
        ) -> Self {
            self.call.set_query("captured_since", value.into_option());
            self
        }
        ///Only leads captured before this time (RFC 3339 with a zone). A time before `captured_since` gives an empty page.
        pub fn captured_until(
            mut self,
            value: impl crate::IntoOption<::chrono::DateTime<::chrono::offset::Utc>>,
        ) -> Self {
            self.call.set_query("captured_until", value.into_option());
            self
        }
        ///Maximum number of items on the page.
        pub fn limit(mut self, value: impl crate::IntoOption<u32>) -> Self {
            self.call.set_query("limit", value.into_option());
            self
        }
        /**The `next_page` of the page before: an opaque text. It is valid for at least 24 hours, for this list and account. It keeps the filters
of its list. Other filters, or a token of another list, are refused with 400 `invalid_page_token`.
*/
        pub fn page_token(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_query("page_token", value.into_option());
            self
        }
        ///Only leads changed at this time or later (RFC 3339 with a zone).
        pub fn updated_since(
            mut self,
            value: impl crate::IntoOption<::chrono::DateTime<::chrono::offset::Utc>>,
        ) -> Self {
            self.call.set_query("updated_since", value.into_option());
            self
        }
        ///Only items of this website. An unknown or foreign id gives an empty page.
        pub fn website_id(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_query("website_id", value.into_option());
            self
        }
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::get_lead`](crate::Client::get_lead): `GET /api/v1/leads/{lead_id}`."]
        GetLead = GET_LEAD -> types::Lead
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::list_scheduled_posts`](crate::Client::list_scheduled_posts): `GET /api/v1/scheduled_posts`."]
        ListScheduledPosts = LIST_SCHEDULED_POSTS -> types::ScheduledPostPage, items :
        types::ScheduledPost
    }
    impl<C> ListScheduledPosts<C> {
        ///Maximum number of items on the page.
        pub fn limit(mut self, value: impl crate::IntoOption<u32>) -> Self {
            self.call.set_query("limit", value.into_option());
            self
        }
        /**The `next_page` of the page before: an opaque text. It is valid for at least 24 hours, for this list and account. It keeps the filters
of its list. Other filters, or a token of another list, are refused with 400 `invalid_page_token`.
*/
        pub fn page_token(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_query("page_token", value.into_option());
            self
        }
        ///Only scheduled posts in this state.
        pub fn status(
            mut self,
            value: impl crate::IntoOption<crate::generated::types::ScheduledPostStatus>,
        ) -> Self {
            self.call.set_query("status", value.into_option());
            self
        }
        ///Only items of this website. An unknown or foreign id gives an empty page.
        pub fn website_id(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_query("website_id", value.into_option());
            self
        }
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::get_scheduled_post`](crate::Client::get_scheduled_post): `GET /api/v1/scheduled_posts/{scheduled_post_id}`."]
        GetScheduledPost = GET_SCHEDULED_POST -> types::ScheduledPost
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::list_websites`](crate::Client::list_websites): `GET /api/v1/websites`."]
        ListWebsites = LIST_WEBSITES -> types::WebsitePage, items : types::Website
    }
    impl<C> ListWebsites<C> {
        ///Maximum number of items on the page.
        pub fn limit(mut self, value: impl crate::IntoOption<u32>) -> Self {
            self.call.set_query("limit", value.into_option());
            self
        }
        /**The `next_page` of the page before: an opaque text. It is valid for at least 24 hours, for this list and account. It keeps the filters
of its list. Other filters, or a token of another list, are refused with 400 `invalid_page_token`.
*/
        pub fn page_token(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.call.set_query("page_token", value.into_option());
            self
        }
    }
    crate::shapes::operation! {
        #[doc =
        "Builder for [`Client::capture_lead`](crate::Client::capture_lead): `POST /capture/{website_id}`."]
        CaptureLead = CAPTURE_LEAD -> types::LeadAccepted, body : types::LeadCapture
    }
    impl<C> CaptureLead<C> {
        /// The whole body. Replaces the fields that were set before.
        pub fn body(mut self, body: types::LeadCapture) -> Self {
            self.body = body;
            self
        }
        ///Article with the form. The lead does not keep the id of anything else.
        pub fn article_id(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.body = self.body.article_id(value);
            self
        }
        ///Company of the person.
        pub fn company(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.body = self.body.company(value);
            self
        }
        ///Consent of the person.
        pub fn consent(
            mut self,
            value: impl crate::IntoOption<LeadCaptureConsent>,
        ) -> Self {
            self.body = self.body.consent(value);
            self
        }
        ///Milliseconds from showing the form to sending it, as the page measured them. A page that was open for more than a day sends 86400000.
        pub fn elapsed(mut self, value: impl crate::IntoOption<u32>) -> Self {
            self.body = self.body.elapsed(value);
            self
        }
        ///E-mail address: exactly one `@` with text before and after it, no white space and no control characters.
        pub fn email(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.body = self.body.email(value);
            self
        }
        ///Other fields of the form.
        pub fn fields(mut self, value: impl crate::IntoOption<LeadFields>) -> Self {
            self.body = self.body.fields(value);
            self
        }
        ///A trap for robots, hidden from people. If it is filled, the response is the same and the lead is kept with `spam.suspected` and the reason `trap_filled`.
        pub fn hp(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.body = self.body.hp(value);
            self
        }
        ///The message.
        pub fn message(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.body = self.body.message(value);
            self
        }
        ///Name of the person.
        pub fn name(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.body = self.body.name(value);
            self
        }
        ///Telephone number.
        pub fn phone(mut self, value: impl crate::IntoOption<String>) -> Self {
            self.body = self.body.phone(value);
            self
        }
        ///Page, form and campaign of the lead.
        pub fn source(
            mut self,
            value: impl crate::IntoOption<LeadCaptureSource>,
        ) -> Self {
            self.body = self.body.source(value);
            self
        }
    }
}
/// The facts about each operation that calls need.
pub(crate) mod facts {
    use ::http::Method;
    use crate::operation::{KeyUse, Operation};
    pub(crate) static LIST_ARTICLES: Operation = Operation {
        id: "list_articles",
        method: Method::GET,
        path: "/api/v1/articles",
        key: KeyUse::Required,
        is_repeatable: true,
        keeps_idempotency_keys: false,
        successes: 200u16..=200u16,
    };
    pub(crate) static GET_ARTICLE: Operation = Operation {
        id: "get_article",
        method: Method::GET,
        path: "/api/v1/articles/{id}",
        key: KeyUse::Required,
        is_repeatable: true,
        keeps_idempotency_keys: false,
        successes: 200u16..=200u16,
    };
    pub(crate) static GENERATE: Operation = Operation {
        id: "generate",
        method: Method::POST,
        path: "/api/v1/generate",
        key: KeyUse::Required,
        is_repeatable: false,
        keeps_idempotency_keys: true,
        successes: 200u16..=299u16,
    };
    pub(crate) static GET_JOB: Operation = Operation {
        id: "get_job",
        method: Method::GET,
        path: "/api/v1/jobs/{job_id}",
        key: KeyUse::Required,
        is_repeatable: true,
        keeps_idempotency_keys: false,
        successes: 200u16..=200u16,
    };
    pub(crate) static CANCEL_JOB: Operation = Operation {
        id: "cancel_job",
        method: Method::POST,
        path: "/api/v1/jobs/{job_id}/cancel",
        key: KeyUse::Required,
        is_repeatable: true,
        keeps_idempotency_keys: false,
        successes: 200u16..=200u16,
    };
    pub(crate) static LIST_LEADS: Operation = Operation {
        id: "list_leads",
        method: Method::GET,
        path: "/api/v1/leads",
        key: KeyUse::Required,
        is_repeatable: true,
        keeps_idempotency_keys: false,
        successes: 200u16..=200u16,
    };
    pub(crate) static GET_LEAD: Operation = Operation {
        id: "get_lead",
        method: Method::GET,
        path: "/api/v1/leads/{lead_id}",
        key: KeyUse::Required,
        is_repeatable: true,
        keeps_idempotency_keys: false,
        successes: 200u16..=200u16,
    };
    pub(crate) static LIST_SCHEDULED_POSTS: Operation = Operation {
        id: "list_scheduled_posts",
        method: Method::GET,
        path: "/api/v1/scheduled_posts",
        key: KeyUse::Required,
        is_repeatable: true,
        keeps_idempotency_keys: false,
        successes: 200u16..=200u16,
    };
    pub(crate) static GET_SCHEDULED_POST: Operation = Operation {
        id: "get_scheduled_post",
        method: Method::GET,
        path: "/api/v1/scheduled_posts/{scheduled_post_id}",
        key: KeyUse::Required,
        is_repeatable: true,
        keeps_idempotency_keys: false,
        successes: 200u16..=200u16,
    };
    pub(crate) static LIST_WEBSITES: Operation = Operation {
        id: "list_websites",
        method: Method::GET,
        path: "/api/v1/websites",
        key: KeyUse::Required,
        is_repeatable: true,
        keeps_idempotency_keys: false,
        successes: 200u16..=200u16,
    };
    pub(crate) static CAPTURE_LEAD: Operation = Operation {
        id: "capture_lead",
        method: Method::POST,
        path: "/capture/{website_id}",
        key: KeyUse::Never,
        is_repeatable: false,
        keeps_idempotency_keys: false,
        successes: 202u16..=202u16,
    };
    /// All operations.
    #[cfg(feature = "test-util")]
    pub(crate) static ALL: [&Operation; 11usize] = [
        &LIST_ARTICLES,
        &GET_ARTICLE,
        &GENERATE,
        &GET_JOB,
        &CANCEL_JOB,
        &LIST_LEADS,
        &GET_LEAD,
        &LIST_SCHEDULED_POSTS,
        &GET_SCHEDULED_POST,
        &LIST_WEBSITES,
        &CAPTURE_LEAD,
    ];
}
