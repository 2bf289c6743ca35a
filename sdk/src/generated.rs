// @generated from openapi.yaml by `cargo xtask codegen`. Do not edit: change the document and run that command.

//! The client's operations and types, generated from the document. Requests are put together here, and sent in `call`.

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
        ///The address that search engines should index.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub canonical_url: ::std::option::Option<::std::string::String>,
        ///The text as sanitised HTML.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub content_html: ::std::option::Option<::std::string::String>,
        ///The text as CommonMark with tables.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub content_markdown: ::std::option::Option<::std::string::String>,
        ///When it was written.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub created_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///A few sentences in plain text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub excerpt: ::std::option::Option<::std::string::String>,
        ///Questions and answers on the topic.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub faq: ::std::vec::Vec<FaqEntry>,
        ///Who wrote it: `offline`, or `llm:` with provider and model.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub generator: ::std::option::Option<::std::string::String>,
        ///The picture above the text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub hero_image: ::std::option::Option<HeroImage>,
        ///Names the article.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub id: ::std::option::Option<::std::string::String>,
        ///Other published articles of the website that belong to the topic.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub internal_links: ::std::vec::Vec<InternalLink>,
        ///The job that wrote it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub job_id: ::std::option::Option<::std::string::String>,
        ///Structured data for search engines.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub json_ld: ::std::option::Option<JsonLd>,
        ///The words that the article is meant to be found by.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub keywords: ::std::vec::Vec<::std::string::String>,
        ///Language in which the text is written.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub language: ::std::option::Option<::std::string::String>,
        ///Description for search engines.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub meta_description: ::std::option::Option<::std::string::String>,
        ///Title for search engines.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub meta_title: ::std::option::Option<::std::string::String>,
        ///The metadata of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub metadata: ::std::option::Option<Metadata>,
        ///The headings of the text, in order.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub outline: ::std::vec::Vec<OutlineEntry>,
        ///When it was published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub published_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///How long it takes to read. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub reading_time_minutes: ::std::option::Option<u32>,
        ///Last part of the address, unique per website.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub slug: ::std::option::Option<::std::string::String>,
        ///Where the article stands.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub status: ::std::option::Option<crate::generated::types::ArticleStatus>,
        ///What it is filed under.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///Title in plain text.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub title: ::std::option::Option<::std::string::String>,
        ///The topic, as it was sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub topic: ::std::option::Option<::std::string::String>,
        ///When it last changed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub updated_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Where it is published. Answers 200.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub url: ::std::option::Option<::std::string::String>,
        ///How well the text keeps the voice profile.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub voice: ::std::option::Option<VoiceReport>,
        ///The website that it belongs to.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub website_id: ::std::option::Option<::std::string::String>,
        ///Number of words of the text. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub word_count: ::std::option::Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One page of articles.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticlePage {
        ///The articles, newest first by creation, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: ::std::vec::Vec<ArticleSummary>,
        ///Token of the next page; null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The article that was published. An endpoint may ask in the dashboard for the text too.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticlePublishedData {
        ///The article without its text.
        pub article: ArticleSummary,
        ///The text as HTML, where the endpoint asked for it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub content_html: ::std::option::Option<::std::string::String>,
        ///The text as CommonMark, where the endpoint asked for it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub content_markdown: ::std::option::Option<::std::string::String>,
        ///The job that wrote it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub job_id: ::std::option::Option<::std::string::String>,
        ///How many parts of the article were left out because the body would have been over 20 KiB: the excerpt, each keyword and each tag count as one. Absent when it is whole; read the rest through the API. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: ::std::option::Option<u32>,
        ///Its entry in the pipeline.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scheduled_post_id: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///An article finished publishing.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticlePublishedEvent {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///The article.
        pub data: ArticlePublishedData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The states that articles can be filtered by.
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
    pub enum ArticleStatusFilter {
        #[serde(rename = "draft")]
        Draft,
        #[serde(rename = "scheduled")]
        Scheduled,
        #[serde(rename = "published")]
        Published,
        #[serde(rename = "archived")]
        Archived,
    }
    impl ::std::fmt::Display for ArticleStatusFilter {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Draft => f.write_str("draft"),
                Self::Scheduled => f.write_str("scheduled"),
                Self::Published => f.write_str("published"),
                Self::Archived => f.write_str("archived"),
            }
        }
    }
    impl ::std::str::FromStr for ArticleStatusFilter {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "draft" => Ok(Self::Draft),
                "scheduled" => Ok(Self::Scheduled),
                "published" => Ok(Self::Published),
                "archived" => Ok(Self::Archived),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ArticleStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ArticleStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///An article without its text.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ArticleSummary {
        ///When it was written.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///A few sentences in plain text.
        pub excerpt: ::std::string::String,
        ///Names the article.
        pub id: ::std::string::String,
        ///The job that wrote it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub job_id: ::std::option::Option<::std::string::String>,
        ///Language in which the text is written.
        pub language: ::std::string::String,
        ///When it was published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///How long it takes to read. Written without fraction and exponent.
        pub reading_time_minutes: u32,
        ///Last part of the address, unique per website.
        pub slug: ::std::string::String,
        ///Where the article stands.
        pub status: crate::generated::types::ArticleStatus,
        ///What it is filed under.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///Title in plain text.
        pub title: ::std::string::String,
        ///When it last changed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Where it is published. Answers 200.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub url: ::std::option::Option<::std::string::String>,
        ///The website that it belongs to.
        pub website_id: ::std::string::String,
        ///Number of words of the text. Written without fraction and exponent.
        pub word_count: u32,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Campaign parameters by name, without the prefix `utm_`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    #[derive(Default)]
    pub struct CampaignTags(
        pub ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    );
    impl ::std::ops::Deref for CampaignTags {
        type Target = ::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        >;
        fn deref(
            &self,
        ) -> &::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        > {
            &self.0
        }
    }
    impl ::std::convert::From<CampaignTags>
    for ::std::collections::BTreeMap<::std::string::String, ::std::string::String> {
        fn from(value: CampaignTags) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    > for CampaignTags {
        fn from(
            value: ::std::collections::BTreeMap<
                ::std::string::String,
                ::std::string::String,
            >,
        ) -> Self {
            Self(value)
        }
    }
    ///A question and its answer.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct FaqEntry {
        ///The answer in plain text.
        pub answer: ::std::string::String,
        ///The question.
        pub question: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One violation of the schema by the request, with exactly one of `pointer`, `parameter` and `header`.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct FieldError {
        ///The stable machine key.
        pub code: crate::generated::types::FieldErrorCode,
        ///What is wrong, for people.
        pub detail: ::std::string::String,
        ///The header.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub header: ::std::option::Option<::std::string::String>,
        ///The query or path parameter.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub parameter: ::std::option::Option<::std::string::String>,
        ///The member of the body: a JSON pointer as URI fragment.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub pointer: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///What to write, for which website, and optionally how and when.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct GenerateRequest {
        ///Publish without waiting for approval. Default is the website's setting.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub auto_publish: ::std::option::Option<bool>,
        ///Words that the article should use, each 1 to 80 code points. They are not trimmed.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub keywords: ::std::vec::Vec<::std::string::String>,
        /**Language of the article, a tag well-formed by RFC 5646. Default is the website's language. A service need not write every
language: a job in one that it does not write fails with `language_not_supported`. It never writes another language instead.
*/
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub language: ::std::option::Option<::std::string::String>,
        ///Your own labels; echoed in the job, the article and hooks.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub metadata: ::std::option::Option<Metadata>,
        /**When to publish: RFC 3339 with a zone, at most the same date next year. A moment in the past means as soon as it is ready.
With `auto_publish` false it is kept and does nothing. Without it an article is published as soon as it is ready, or, where the
website has `publishing_slots`, in the first of them that is free then.
*/
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub publish_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///How many words the article should have. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub target_word_count: ::std::option::Option<u32>,
        /**What the article is about, in free text: 1 to 1000 code points after trimming Unicode White_Space, without control characters
except tab and newline. It is kept as sent; trimming serves counting only.
*/
        pub topic: ::std::string::String,
        ///The website to write for. It must be active and belong to the key's account.
        pub website_id: ::std::string::String,
    }
    ///The picture above an article. The alternative text is given even when there is no picture yet.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct HeroImage {
        ///Alternative text.
        pub alt: ::std::string::String,
        ///Height in pixels. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub height: ::std::option::Option<u32>,
        ///Address of the picture.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub url: ::std::option::Option<::std::string::String>,
        ///Width in pixels. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub width: ::std::option::Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The data of an event of any type.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    #[derive(Default)]
    pub struct HookData(
        pub ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    );
    impl ::std::ops::Deref for HookData {
        type Target = ::serde_json::Map<::std::string::String, ::serde_json::Value>;
        fn deref(
            &self,
        ) -> &::serde_json::Map<::std::string::String, ::serde_json::Value> {
            &self.0
        }
    }
    impl ::std::convert::From<HookData>
    for ::serde_json::Map<::std::string::String, ::serde_json::Value> {
        fn from(value: HookData) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    > for HookData {
        fn from(
            value: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ) -> Self {
            Self(value)
        }
    }
    ///The envelope of every hook, also of types that a receiver does not know yet.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct HookEnvelope {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///What it happened to; depends on `type`.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub data: HookData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A test carries no data.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    #[derive(Default)]
    pub struct HookTestData(
        pub ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    );
    impl ::std::ops::Deref for HookTestData {
        type Target = ::serde_json::Map<::std::string::String, ::serde_json::Value>;
        fn deref(
            &self,
        ) -> &::serde_json::Map<::std::string::String, ::serde_json::Value> {
            &self.0
        }
    }
    impl ::std::convert::From<HookTestData>
    for ::serde_json::Map<::std::string::String, ::serde_json::Value> {
        fn from(value: HookTestData) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    > for HookTestData {
        fn from(
            value: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ) -> Self {
            Self(value)
        }
    }
    ///Somebody pressed "send test" in the dashboard.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct HookTestEvent {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///Nothing.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub data: HookTestData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A link to another published article of the same website.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct InternalLink {
        ///Text of the link.
        pub anchor_text: ::std::string::String,
        ///Address of the other article.
        pub url: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One piece of generation work and how far it has come.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Job {
        ///The article, once the job has completed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: ::std::option::Option<::std::string::String>,
        ///How many times the writing was begun. Written without fraction and exponent.
        pub attempts: u32,
        ///When the job was queued.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///When the job will have ended at the latest. May move while the job runs.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub deadline_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///True once the job has ended. The one way out of a loop that survives new states.
        pub done: bool,
        ///Why the job failed; given if and only if it did.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub error: ::std::option::Option<JobError>,
        ///When the job ended.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub finished_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///Names the job.
        pub job_id: ::std::string::String,
        ///The metadata, as it was sent; empty if none was.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub metadata: Metadata,
        ///Share of the work that is done, in percent; kept at failed and cancelled. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub progress: ::std::option::Option<u32>,
        ///The job's entry in the pipeline.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scheduled_post_id: ::std::option::Option<::std::string::String>,
        ///When the writing first began.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub started_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Where the job stands.
        pub status: crate::generated::types::JobStatus,
        ///The topic, as it was sent.
        pub topic: ::std::string::String,
        ///The website that the article is for.
        pub website_id: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Why a job failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JobError {
        ///The stable machine key.
        pub code: crate::generated::types::JobErrorCode,
        ///A sentence for people.
        pub message: ::std::string::String,
        ///Whether the same request may succeed later.
        pub retryable: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The job that failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JobFailedData {
        ///The job.
        pub job: Job,
        ///How many parts of the job were left out because the body would have been over 20 KiB: each member of its metadata counts as one. Absent when it is whole; read the rest through the API. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: ::std::option::Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A job failed for good. Sent only to endpoints that chose it.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JobFailedEvent {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///The job.
        pub data: JobFailedData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A JSON-LD document with a graph. The first node is a `BlogPosting`; a `FAQPage` follows where the article has questions.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JsonLd {
        ///The vocabulary.
        #[serde(rename = "@context")]
        pub context: ::std::string::String,
        ///The nodes.
        #[serde(rename = "@graph")]
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub graph: ::std::vec::Vec<JsonLdNode>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One node of the graph, with whatever members its type has.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct JsonLdNode {
        ///The node's type.
        #[serde(rename = "@type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Somebody who left their particulars in a form on a published page.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct Lead {
        ///The article that it was captured on.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: ::std::option::Option<::std::string::String>,
        ///When it was captured.
        pub captured_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Company.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub company: ::std::option::Option<::std::string::String>,
        ///Whether the person has confirmed it, where the website asks for that (double opt-in).
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub confirmation: ::std::option::Option<LeadConfirmation>,
        ///What they agreed to.
        pub consent: LeadConsent,
        ///E-mail address.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email: ::std::option::Option<::std::string::String>,
        ///Whatever else the form asked for.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub fields: LeadFields,
        ///Names the lead.
        pub id: ::std::string::String,
        ///What they wrote.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub message: ::std::option::Option<::std::string::String>,
        ///Name.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Telephone number, in E.164 where it could be parsed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub phone: ::std::option::Option<::std::string::String>,
        ///Where it came from.
        pub source: LeadSource,
        ///Whether it looks like spam. Such leads are marked, never dropped.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub spam: ::std::option::Option<LeadSpam>,
        ///The website that captured it.
        pub website_id: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The lead that was captured.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadCapturedData {
        ///Where the person confirms the lead, on a website with double opt-in. The service sends no mail: send it to the address of the lead. Whoever has it can confirm, so show and log it nowhere; nothing else tells it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub confirmation_url: ::std::option::Option<::std::string::String>,
        ///The lead.
        pub lead: Lead,
        ///How many parts of the lead were left out because the body would have been over 20 KiB: the message, each field, each part of the source and the words of consent count as one. Absent when it is whole; read the rest through the API. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: ::std::option::Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A lead was captured.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadCapturedEvent {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///The lead.
        pub data: LeadCapturedData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Whether the person behind a lead has confirmed it.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadConfirmation {
        ///When it was confirmed; null or absent where it was not.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub confirmed_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///Whether it is confirmed, or has to be.
        pub status: crate::generated::types::LeadConfirmationStatus,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The lead that was confirmed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadConfirmedData {
        ///The lead.
        pub lead: Lead,
        ///How many parts of the lead were left out because the body would have been over 20 KiB: the message, each field, each part of the source and the words of consent count as one. Absent when it is whole; read the rest through the API. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub left_out: ::std::option::Option<u32>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A person confirmed a lead.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadConfirmedEvent {
        ///Version of the payload.
        pub api_version: ::std::string::String,
        ///The lead.
        pub data: LeadConfirmedData,
        ///Names the event; the same on every retry and equal to the header `webhook-id`.
        pub id: ::std::string::String,
        ///When it happened, the same on every retry.
        pub timestamp: ::chrono::DateTime<::chrono::offset::Utc>,
        ///What happened.
        #[serde(rename = "type")]
        pub type_: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///What a lead agreed to.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadConsent {
        ///When consent was given.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Whether consent was given.
        pub given: bool,
        ///The words that were agreed to, as they were shown. What the website changes later changes nothing here.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub text: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Further fields of the form, by name. At most 32, values of at most 1000 code points.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[serde(transparent)]
    #[derive(Default)]
    pub struct LeadFields(
        pub ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    );
    impl ::std::ops::Deref for LeadFields {
        type Target = ::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        >;
        fn deref(
            &self,
        ) -> &::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        > {
            &self.0
        }
    }
    impl ::std::convert::From<LeadFields>
    for ::std::collections::BTreeMap<::std::string::String, ::std::string::String> {
        fn from(value: LeadFields) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    > for LeadFields {
        fn from(
            value: ::std::collections::BTreeMap<
                ::std::string::String,
                ::std::string::String,
            >,
        ) -> Self {
            Self(value)
        }
    }
    ///One page of leads.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadPage {
        ///The leads, newest first by capture, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: ::std::vec::Vec<Lead>,
        ///Token of the next page; null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Where a lead came from.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadSource {
        ///Which form it was.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub form_id: ::std::option::Option<::std::string::String>,
        ///Address of the page with the form.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub page_url: ::std::option::Option<::std::string::String>,
        ///Address that led to the page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub referrer: ::std::option::Option<::std::string::String>,
        ///Campaign parameters of the page's address.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub utm: CampaignTags,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Whether a lead looks like spam, and why.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct LeadSpam {
        ///What the score consists of; empty where it is 0.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub reasons: ::std::vec::Vec<crate::generated::types::LeadSpamReason>,
        ///How much it looks like spam: 0 not at all, 100 beyond doubt.
        pub score: u32,
        ///Whether the score is so high that a person should not be assumed.
        pub suspected: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    /**Labels of the caller's own: at most 16 members, names of 1 to 40 code points, values of at most 500. Neither trimmed nor searched.
*/
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[serde(transparent)]
    #[derive(Default)]
    pub struct Metadata(
        pub ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    );
    impl ::std::ops::Deref for Metadata {
        type Target = ::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        >;
        fn deref(
            &self,
        ) -> &::std::collections::BTreeMap<
            ::std::string::String,
            ::std::string::String,
        > {
            &self.0
        }
    }
    impl ::std::convert::From<Metadata>
    for ::std::collections::BTreeMap<::std::string::String, ::std::string::String> {
        fn from(value: Metadata) -> Self {
            value.0
        }
    }
    impl ::std::convert::From<
        ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    > for Metadata {
        fn from(
            value: ::std::collections::BTreeMap<
                ::std::string::String,
                ::std::string::String,
            >,
        ) -> Self {
            Self(value)
        }
    }
    ///One heading of an article.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct OutlineEntry {
        ///The heading's id in the HTML, unique in the article.
        pub anchor: ::std::string::String,
        ///Level of the heading. Written without fraction and exponent.
        pub level: u32,
        ///Text of the heading.
        pub text: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    /**Every error of the service. All members are optional in the schema, so that a sparse body of another server still parses; this
service always sends `type`, `title`, `status`, `detail`, `code` and `request_id`.
*/
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Problem {
        ///The stable machine key.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub code: ::std::option::Option<crate::generated::types::ProblemCode>,
        ///What happened this time, for people. Never holds the key.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub detail: ::std::option::Option<::std::string::String>,
        ///What is wrong with which part of the request, 100 entries at most. `detail` says when there is more.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub errors: ::std::vec::Vec<FieldError>,
        ///Path of the request, without the query.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub instance: ::std::option::Option<::std::string::String>,
        ///The request's `X-Request-Id`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub request_id: ::std::option::Option<::std::string::String>,
        ///The HTTP status. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub status: ::std::option::Option<u32>,
        ///The kind of problem in a few words, always the same for a code.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub title: ::std::option::Option<::std::string::String>,
        ///Names the kind of problem.
        #[serde(rename = "type", skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub type_: ::std::option::Option<::std::string::String>,
        ///The quotas that were exceeded; with `rate_limited` only.
        #[serde(
            rename = "violated-policies",
            default,
            skip_serializing_if = "::std::vec::Vec::is_empty"
        )]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub violated_policies: ::std::vec::Vec<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A time of the week at which one article of a website is published.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct PublishingSlot {
        ///Hours and minutes in the time zone of the website.
        pub time: ::std::string::String,
        ///On which day of the week.
        pub weekday: Weekday,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The job that was queued. May carry further members of `Job`, with the same meaning.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct QueuedJob {
        ///When the job was queued.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub created_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///Names the job.
        pub job_id: ::std::string::String,
        ///The metadata, as it was sent; empty if none was.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub metadata: ::std::option::Option<Metadata>,
        ///The job's entry in the pipeline.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub scheduled_post_id: ::std::option::Option<::std::string::String>,
        ///`queued`, or already further if the answer is a replay.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub status: ::std::option::Option<crate::generated::types::JobStatus>,
        ///The topic, as it was sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub topic: ::std::option::Option<::std::string::String>,
        ///The website that was asked for.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default)]
        #[serde(deserialize_with = "crate::lenient::readable_or_default")]
        pub website_id: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///An entry of the pipeline `scheduled_posts`. It exists as soon as its job does.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPost {
        ///The article, once it is written.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub article_id: ::std::option::Option<::std::string::String>,
        ///How many times publishing was tried. Written without fraction and exponent.
        pub attempts: u32,
        ///Whether it is published without approval.
        pub auto_publish: bool,
        ///When the entry was made.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Why it failed, or why the last try to publish did.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub error: ::std::option::Option<ScheduledPostError>,
        ///Names the entry.
        pub id: ::std::string::String,
        ///The job that writes it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub job_id: ::std::option::Option<::std::string::String>,
        /**When it is to be published: the `publish_at` that was asked for, or the slot of the website that it has once it is `scheduled`.
An entry that nobody published within `late_after` of its time is late. Of a website's late entries one is published at
once. Where the website has slots the others get the next free ones; elsewhere they keep `publish_at` and follow at
intervals of `late_publication_pause`. Both times stand under `x-limits`.
*/
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub publish_at: ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
        ///When it was published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published_at: ::std::option::Option<
            ::chrono::DateTime<::chrono::offset::Utc>,
        >,
        ///Where the entry stands.
        pub status: crate::generated::types::ScheduledPostStatus,
        ///The topic, as it was sent.
        pub topic: ::std::string::String,
        ///When the entry last changed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///The website that it is for.
        pub website_id: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///Why an entry failed.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPostError {
        ///The stable machine key.
        pub code: crate::generated::types::ScheduledPostErrorCode,
        ///A sentence for people.
        pub message: ::std::string::String,
        ///Whether another try may succeed.
        pub retryable: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One page of the pipeline.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct ScheduledPostPage {
        ///The entries, newest first by creation, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: ::std::vec::Vec<ScheduledPost>,
        ///Token of the next page; null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///The states that the pipeline can be filtered by.
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
    pub enum ScheduledPostStatusFilter {
        #[serde(rename = "queued")]
        Queued,
        #[serde(rename = "generating")]
        Generating,
        #[serde(rename = "ready")]
        Ready,
        #[serde(rename = "scheduled")]
        Scheduled,
        #[serde(rename = "publishing")]
        Publishing,
        #[serde(rename = "published")]
        Published,
        #[serde(rename = "failed")]
        Failed,
        #[serde(rename = "cancelled")]
        Cancelled,
    }
    impl ::std::fmt::Display for ScheduledPostStatusFilter {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match *self {
                Self::Queued => f.write_str("queued"),
                Self::Generating => f.write_str("generating"),
                Self::Ready => f.write_str("ready"),
                Self::Scheduled => f.write_str("scheduled"),
                Self::Publishing => f.write_str("publishing"),
                Self::Published => f.write_str("published"),
                Self::Failed => f.write_str("failed"),
                Self::Cancelled => f.write_str("cancelled"),
            }
        }
    }
    impl ::std::str::FromStr for ScheduledPostStatusFilter {
        type Err = self::error::ConversionError;
        fn from_str(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            match value {
                "queued" => Ok(Self::Queued),
                "generating" => Ok(Self::Generating),
                "ready" => Ok(Self::Ready),
                "scheduled" => Ok(Self::Scheduled),
                "publishing" => Ok(Self::Publishing),
                "published" => Ok(Self::Published),
                "failed" => Ok(Self::Failed),
                "cancelled" => Ok(Self::Cancelled),
                _ => Err("invalid value".into()),
            }
        }
    }
    impl ::std::convert::TryFrom<&str> for ScheduledPostStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: &str,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    impl ::std::convert::TryFrom<::std::string::String> for ScheduledPostStatusFilter {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
        ) -> ::std::result::Result<Self, self::error::ConversionError> {
            value.parse()
        }
    }
    ///One measurable rule of the voice profile and how the text fared.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct VoiceCheck {
        ///What the rule asks for.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub expected: ::std::option::Option<::std::string::String>,
        ///What the text has; null where the rule does not apply.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub observed: ::std::option::Option<::std::string::String>,
        ///Whether the text keeps the rule.
        pub passed: bool,
        ///Name of the rule, such as `banned_terms` or `reading_grade`.
        pub rule: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///How well the text keeps the voice profile (Brand DNA), rule by rule.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct VoiceReport {
        ///The profile that was applied.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub brand_voice_id: ::std::option::Option<::std::string::String>,
        ///Version of the profile. Written without fraction and exponent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub brand_voice_version: ::std::option::Option<u32>,
        ///The checks, one for each measurable rule.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub checks: ::std::vec::Vec<VoiceCheck>,
        ///Whether every check passed.
        pub passed: bool,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///A website that articles are written for. Configured in the dashboard.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Website {
        ///Whether articles are published without approval.
        pub auto_publish: bool,
        ///Its voice profile; null means the account's default.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub brand_voice_id: ::std::option::Option<::std::string::String>,
        ///When it was made.
        pub created_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Language of its articles.
        pub language: ::std::string::String,
        ///What its lead forms show and ask for.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub lead_form: ::std::option::Option<WebsiteLeadForm>,
        ///Name.
        pub name: ::std::string::String,
        /**When its articles are published that nobody set a time for: one in each slot, week by week. None means as soon as an article is
ready. A time that clocks are turned forward over is the first moment afterwards; one that comes twice is the first of both.
*/
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub publishing_slots: ::std::vec::Vec<PublishingSlot>,
        ///Whether it can be written for.
        pub status: crate::generated::types::WebsiteStatus,
        ///IANA name of its time zone.
        pub time_zone: ::std::string::String,
        ///When it last changed.
        pub updated_at: ::chrono::DateTime<::chrono::offset::Utc>,
        ///Where it is: the base of its articles' addresses. https, or http on localhost.
        pub url: ::std::string::String,
        ///Names the website.
        pub website_id: ::std::string::String,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///What the lead forms of a website show and ask for.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct WebsiteLeadForm {
        ///The sentence beside the box for consent, on one line. Null or absent where the website has none: then nothing is asked of the consent of a lead.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub consent_text: ::std::option::Option<::std::string::String>,
        ///Whether a lead waits for the person to confirm it by a signed link, which the hook `lead.captured` carries.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub double_opt_in: ::std::option::Option<bool>,
        ///The page that says how particulars are handled; https, or http on localhost.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub privacy_url: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    ///One page of websites.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct WebsitePage {
        ///The websites, newest first by creation, then by id.
        #[serde(deserialize_with = "crate::lenient::null_as_empty")]
        pub items: ::std::vec::Vec<Website>,
        ///Token of the next page; null or absent on the last one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_page: ::std::option::Option<::std::string::String>,
        #[serde(flatten)]
        pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
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
    impl ::std::convert::TryFrom<::std::string::String> for Weekday {
        type Error = self::error::ConversionError;
        fn try_from(
            value: ::std::string::String,
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
    impl ::std::fmt::Debug for HookData {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_tuple("HookData")
                .field(&self.0.keys().collect::<::std::vec::Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for HookEnvelope {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_struct("HookEnvelope")
                .field("api_version", &self.api_version)
                .field("data", &self.data)
                .field("id", &self.id)
                .field("timestamp", &self.timestamp)
                .field("type_", &self.type_)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish()
        }
    }
    /// Without what a person has told.
    impl ::std::fmt::Debug for HookTestData {
        fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            formatter
                .debug_tuple("HookTestData")
                .field(&self.0.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("website_id", &self.website_id)
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
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
                .field("extra", &self.extra.keys().collect::<::std::vec::Vec<_>>())
                .finish_non_exhaustive()
        }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "State of an article. `draft` is written, `scheduled` has a time, `published` is on the website, `archived` was taken down."]
        ArticleStatus { Draft = "draft"; Scheduled = "scheduled"; Published =
        "published"; Archived = "archived"; }
    }
    crate::shapes::filter! {
        ArticleStatus as ArticleStatusFilter
    }
    crate::shapes::vocabulary! {
        #[doc =
        "What is wrong. `required`: absent. `too_short`, `too_long`: strings. `out_of_range`: numbers and times. `too_many`: items and\nmembers. `invalid_format`: wrong type, null, a value outside a vocabulary, or a control character. `unknown_field`: with\n`Prefer: handling=strict`. `not_found`: a website.\n"]
        FieldErrorCode { Required = "required"; TooShort = "too_short"; TooLong =
        "too_long"; InvalidFormat = "invalid_format"; OutOfRange = "out_of_range";
        TooMany = "too_many"; UnknownField = "unknown_field"; NotFound = "not_found"; }
    }
    crate::shapes::tagged_union! {
        #[doc = "A hook of one of the types known today. `type` tells which."] HookEvent
        by "type" { LeadCaptured(LeadCapturedEvent) = "lead.captured";
        LeadConfirmed(LeadConfirmedEvent) = "lead.confirmed";
        ArticlePublished(ArticlePublishedEvent) = "article.published";
        JobFailed(JobFailedEvent) = "job.failed"; HookTest(HookTestEvent) = "hook.test";
        }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "Why a job failed. `generator_unavailable`, `generation_timeout` and `internal` are retryable; `content_rejected`,\n`voice_unsatisfiable`, `language_not_supported` and `website_inactive` are not.\n"]
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
        "`not_required`: the website did not ask for it when the lead was captured. `pending`: nobody has followed the link yet. `confirmed`: whoever got the link has confirmed the lead."]
        LeadConfirmationStatus { NotRequired = "not_required"; Pending = "pending";
        Confirmed = "confirmed"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "`trap_filled`: a field that people do not see was filled. `sent_too_fast`: sooner than a person fills a form. `many_links`: links in the message. `link_as_name`: a link in the name or the company."]
        LeadSpamReason { TrapFilled = "trap_filled"; SentTooFast = "sent_too_fast";
        ManyLinks = "many_links"; LinkAsName = "link_as_name"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "The stable machine key of a problem. `x-problem-codes` tells what each one means."]
        ProblemCode { InvalidJson = "invalid_json"; InvalidHeader = "invalid_header";
        InvalidPageToken = "invalid_page_token"; MissingCredentials =
        "missing_credentials"; InvalidCredentials = "invalid_credentials";
        InsufficientScope = "insufficient_scope"; WebsiteInactive = "website_inactive";
        RouteNotFound = "route_not_found"; ArticleNotFound = "article_not_found";
        JobNotFound = "job_not_found"; LeadNotFound = "lead_not_found"; ArticleNotReady =
        "article_not_ready"; GenerationFailed = "generation_failed"; GenerationCancelled
        = "generation_cancelled"; MethodNotAllowed = "method_not_allowed"; RequestTimeout
        = "request_timeout"; IdempotencyInFlight = "idempotency_in_flight";
        JobNotCancellable = "job_not_cancellable"; PayloadTooLarge = "payload_too_large";
        UnsupportedMediaType = "unsupported_media_type"; ValidationFailed =
        "validation_failed"; WebsiteNotFound = "website_not_found"; IdempotencyMismatch =
        "idempotency_mismatch"; RateLimited = "rate_limited"; QueueFull = "queue_full";
        HeadersTooLarge = "headers_too_large"; InternalError = "internal_error";
        Unavailable = "unavailable"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "`publish_failed` (retryable), `publish_rejected`, or the code of the job that failed."]
        ScheduledPostErrorCode { PublishFailed = "publish_failed"; PublishRejected =
        "publish_rejected"; GeneratorUnavailable = "generator_unavailable";
        GenerationTimeout = "generation_timeout"; Internal = "internal"; ContentRejected
        = "content_rejected"; VoiceUnsatisfiable = "voice_unsatisfiable";
        LanguageNotSupported = "language_not_supported"; WebsiteInactive =
        "website_inactive"; }
    }
    crate::shapes::vocabulary! {
        #[doc =
        "State of an entry. `queued` and `generating` follow the job; `ready` waits for approval, `scheduled` for its time; `publishing`,\n`published`, `failed`, `cancelled`. `queued` is documented, the others are extensions.\n"]
        ScheduledPostStatus { Queued = "queued"; Generating = "generating"; Ready =
        "ready"; Scheduled = "scheduled"; Publishing = "publishing"; Published =
        "published"; Failed = "failed"; Cancelled = "cancelled"; }
    }
    crate::shapes::filter! {
        ScheduledPostStatus as ScheduledPostStatusFilter
    }
    crate::shapes::vocabulary! {
        #[doc =
        "State of a website. Only an `active` one can be written for; the word is documented, the others are extensions."]
        WebsiteStatus { Active = "active"; Paused = "paused"; Archived = "archived"; }
    }
    crate::shapes::map_of_texts! {
        Metadata
    }
    impl GenerateRequest {
        /// A builder with nothing set.
        pub fn builder() -> builder::GenerateRequest {
            Default::default()
        }
    }
    /// Types for composing complex structures.
    pub mod builder {
        use super::*;
        #[derive(Clone, Debug)]
        ///Builds a [`GenerateRequest`](super::GenerateRequest).
        #[must_use = "a builder does nothing until it is sent or converted"]
        pub struct GenerateRequest {
            auto_publish: crate::bounds::Given<::std::option::Option<bool>>,
            keywords: crate::bounds::Given<::std::vec::Vec<::std::string::String>>,
            language: crate::bounds::Given<::std::option::Option<::std::string::String>>,
            metadata: crate::bounds::Given<::std::option::Option<Metadata>>,
            publish_at: crate::bounds::Given<
                ::std::option::Option<::chrono::DateTime<::chrono::offset::Utc>>,
            >,
            target_word_count: crate::bounds::Given<::std::option::Option<u32>>,
            topic: crate::bounds::Given<::std::string::String>,
            website_id: crate::bounds::Given<::std::string::String>,
        }
        impl ::std::default::Default for GenerateRequest {
            fn default() -> Self {
                Self {
                    auto_publish: Ok(Default::default()),
                    keywords: Ok(Default::default()),
                    language: Ok(Default::default()),
                    metadata: Ok(Default::default()),
                    publish_at: Ok(Default::default()),
                    target_word_count: Ok(Default::default()),
                    topic: Err(crate::invalid_request::Place::Member("topic").missing()),
                    website_id: Err(
                        crate::invalid_request::Place::Member("website_id").missing(),
                    ),
                }
            }
        }
        impl GenerateRequest {
            ///Publish without waiting for approval. Default is the website's setting.
            pub fn auto_publish<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<bool>,
                T::Error: ::std::fmt::Display,
            {
                self.auto_publish = crate::bounds::converted(
                        crate::invalid_request::Place::Member("auto_publish"),
                        value,
                    )
                    .map(Some);
                self
            }
            ///Words that the article should use, each 1 to 80 code points. They are not trimmed.
            pub fn keywords<T>(mut self, value: T) -> Self
            where
                T: ::std::iter::IntoIterator,
                T::Item: ::std::convert::Into<::std::string::String>,
            {
                self.keywords = Ok(
                    value.into_iter().map(::std::convert::Into::into).collect(),
                );
                self
            }
            /**Language of the article, a tag well-formed by RFC 5646. Default is the website's language. A service need not write every
language: a job in one that it does not write fails with `language_not_supported`. It never writes another language instead.
*/
            pub fn language<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<::std::string::String>,
                T::Error: ::std::fmt::Display,
            {
                self.language = crate::bounds::converted(
                        crate::invalid_request::Place::Member("language"),
                        value,
                    )
                    .map(Some);
                self
            }
            ///Your own labels; echoed in the job, the article and hooks.
            pub fn metadata<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<Metadata>,
                T::Error: ::std::fmt::Display,
            {
                self.metadata = crate::bounds::converted(
                        crate::invalid_request::Place::Member("metadata"),
                        value,
                    )
                    .map(Some);
                self
            }
            /**When to publish: RFC 3339 with a zone, at most the same date next year. A moment in the past means as soon as it is ready.
With `auto_publish` false it is kept and does nothing. Without it an article is published as soon as it is ready, or, where the
website has `publishing_slots`, in the first of them that is free then.
*/
            pub fn publish_at<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
                T::Error: ::std::fmt::Display,
            {
                self.publish_at = crate::bounds::converted(
                        crate::invalid_request::Place::Member("publish_at"),
                        value,
                    )
                    .map(Some);
                self
            }
            ///How many words the article should have. Written without fraction and exponent.
            pub fn target_word_count<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<u32>,
                T::Error: ::std::fmt::Display,
            {
                self.target_word_count = crate::bounds::converted(
                        crate::invalid_request::Place::Member("target_word_count"),
                        value,
                    )
                    .map(Some);
                self
            }
            /**What the article is about, in free text: 1 to 1000 code points after trimming Unicode White_Space, without control characters
except tab and newline. It is kept as sent; trimming serves counting only.
*/
            pub fn topic<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<::std::string::String>,
                T::Error: ::std::fmt::Display,
            {
                self.topic = crate::bounds::converted(
                    crate::invalid_request::Place::Member("topic"),
                    value,
                );
                self
            }
            ///The website to write for. It must be active and belong to the key's account.
            pub fn website_id<T>(mut self, value: T) -> Self
            where
                T: ::std::convert::TryInto<::std::string::String>,
                T::Error: ::std::fmt::Display,
            {
                self.website_id = crate::bounds::converted(
                    crate::invalid_request::Place::Member("website_id"),
                    value,
                );
                self
            }
        }
        impl ::std::convert::TryFrom<GenerateRequest> for super::GenerateRequest {
            type Error = crate::InvalidRequest;
            fn try_from(
                value: GenerateRequest,
            ) -> ::std::result::Result<Self, crate::InvalidRequest> {
                let mut faults = crate::invalid_request::Faults::default();
                let auto_publish = faults.take(value.auto_publish);
                let keywords = faults.take(value.keywords);
                let language = faults.take(value.language);
                let metadata = faults.take(value.metadata);
                let publish_at = faults.take(value.publish_at);
                let target_word_count = faults.take(value.target_word_count);
                let topic = faults.take(value.topic);
                let website_id = faults.take(value.website_id);
                if let Some(value) = &keywords {
                    crate::bounds::texts(
                        "keywords",
                        value,
                        10u64,
                        1u64,
                        80u64,
                        &mut faults,
                    )
                }
                if let Some(Some(value)) = &metadata {
                    crate::bounds::map(
                        "metadata",
                        value,
                        16u64,
                        (1u64, 40u64),
                        500u64,
                        &mut faults,
                    );
                }
                if let Some(Some(value)) = &target_word_count {
                    crate::bounds::integer(
                        "target_word_count",
                        u64::from(*value),
                        200u64,
                        5000u64,
                        &mut faults,
                    );
                }
                if let Some(value) = &topic {
                    crate::bounds::text(
                        "topic",
                        value,
                        1u64,
                        1000u64,
                        true,
                        &mut faults,
                    );
                }
                if let Some(value) = &website_id {
                    crate::bounds::text(
                        "website_id",
                        value,
                        1u64,
                        128u64,
                        false,
                        &mut faults,
                    );
                }
                let request = match (
                    auto_publish,
                    keywords,
                    language,
                    metadata,
                    publish_at,
                    target_word_count,
                    topic,
                    website_id,
                ) {
                    (
                        Some(auto_publish),
                        Some(keywords),
                        Some(language),
                        Some(metadata),
                        Some(publish_at),
                        Some(target_word_count),
                        Some(topic),
                        Some(website_id),
                    ) => {
                        Some(Self {
                            auto_publish,
                            keywords,
                            language,
                            metadata,
                            publish_at,
                            target_word_count,
                            topic,
                            website_id,
                        })
                    }
                    _ => None,
                };
                faults.or(request)
            }
        }
        impl ::std::convert::From<super::GenerateRequest> for GenerateRequest {
            fn from(value: super::GenerateRequest) -> Self {
                Self {
                    auto_publish: Ok(value.auto_publish),
                    keywords: Ok(value.keywords),
                    language: Ok(value.language),
                    metadata: Ok(value.metadata),
                    publish_at: Ok(value.publish_at),
                    target_word_count: Ok(value.target_word_count),
                    topic: Ok(value.topic),
                    website_id: Ok(value.website_id),
                }
            }
        }
    }
}
#[derive(Clone, Debug)]
#[doc = include_str!("client.md")]
pub struct Client {
    pub(crate) baseurl: String,
    pub(crate) client: reqwest::Client,
    pub(crate) inner: crate::settings::Settings,
}
impl Client {
    /**List articles

Lists the account's articles, newest first by creation. Use `updated_since` to catch up after a hook was missed.


Sends a `GET` request to `/api/v1/articles`

Arguments:
- `limit`: Largest number of items on the page. Written without fraction and exponent.
- `page_token`: The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.

- `status`: Only articles in this state.
- `updated_since`: Only articles changed at this time or later (RFC 3339 with a zone).
- `website_id`: Only what belongs to this website. An unknown or foreign id gives an empty page.
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
    pub fn list_articles(&self) -> builder::ListArticles<'_> {
        builder::ListArticles::new(self)
    }
    /**Read an article

Answers with the article once its generation has completed. `id` may be the article's id or the id of the job that wrote it;
`id` in the body is always the article's, and `Content-Location` holds its canonical address. While the job is not
finished the answer is 404 `article_not_ready` with `Retry-After`; a job that ended otherwise answers
`generation_failed` or `generation_cancelled`.


Sends a `GET` request to `/api/v1/articles/{id}`

Arguments:
- `id`: The article's id, or the id of the job that wrote it.
- `if_none_match`: The `ETag` of the copy you hold. If it is still current the answer is 304 without a body.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let article = client.get_article("art_01KB0A5JH3K5M7P9Q1S3T5V7X9").send().await?;
println!("{article:?}");
# Ok(())
# }
```*/
    pub fn get_article(
        &self,
        id: impl ::std::convert::Into<String>,
    ) -> builder::GetArticle<'_> {
        builder::GetArticle::new(self, id.into())
    }
    /**Queue an article

Queues a job that writes an article on `topic` for the website, and answers at once. An entry for the job stands in
`scheduled_posts` when the answer arrives. Poll the job at `Location`, or wait for the hook `article.published`.


Sends a `POST` request to `/api/v1/generate`

Arguments:
- `idempotency_key`: Names this logical call, so that it can be repeated without queueing twice. 1 to 255 visible ASCII characters, bare or as a quoted
string (`k` and `"k"` are one key), without parameters; one header line.

- `prefer`: `handling=strict` refuses unknown members of the body with 422 `validation_failed`. A malformed or unknown preference is ignored.

- `body`: What to write, and for which website.
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
    pub fn generate(&self) -> builder::Generate<'_> {
        builder::Generate::new(self)
    }
    /**Follow a job

Answers with the job as it stands. With `Prefer: wait=N` the server answers when the job has ended or N seconds have passed;
N above 60 counts as 60. With `If-None-Match` it answers 304 if nothing has changed by then.


Sends a `GET` request to `/api/v1/jobs/{job_id}`

Arguments:
- `job_id`: The job's id.
- `if_none_match`: The `ETag` of the copy you hold. If it is still current the answer is 304 without a body.
- `prefer`: `wait=N` waits up to N seconds for the job to end (1 to 60; more counts as 60). A malformed or unknown preference is ignored.

*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let job = client.get_job("job_01KB0A5B2M4P6R8T0V2X4Z6A8C").send().await?;
println!("{job:?}");
# Ok(())
# }
```*/
    pub fn get_job(
        &self,
        job_id: impl ::std::convert::Into<String>,
    ) -> builder::GetJob<'_> {
        builder::GetJob::new(self, job_id.into())
    }
    /**Cancel a job

Stops a job that has not ended. Cancelling a cancelled job answers the same again; a job that completed or failed answers
409 `job_not_cancellable`. No article appears after `cancelled`. A request body is ignored.


Sends a `POST` request to `/api/v1/jobs/{job_id}/cancel`

Arguments:
- `job_id`: The job's id.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let job = client.cancel_job("job_01KB0A5B2M4P6R8T0V2X4Z6A8C").send().await?;
println!("{job:?}");
# Ok(())
# }
```*/
    pub fn cancel_job(
        &self,
        job_id: impl ::std::convert::Into<String>,
    ) -> builder::CancelJob<'_> {
        builder::CancelJob::new(self, job_id.into())
    }
    /**List leads

Lists the captured leads, newest first by capture. The range is half-open: `captured_since` ≤ t < `captured_until`.


Sends a `GET` request to `/api/v1/leads`

Arguments:
- `article_id`: Only leads captured on this article. An unknown or foreign id gives an empty page.
- `captured_since`: Only leads captured at this time or later (RFC 3339 with a zone).
- `captured_until`: Only leads captured before this time (RFC 3339 with a zone). Before `captured_since` it gives an empty page.
- `limit`: Largest number of items on the page. Written without fraction and exponent.
- `page_token`: The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.

- `website_id`: Only what belongs to this website. An unknown or foreign id gives an empty page.
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
    pub fn list_leads(&self) -> builder::ListLeads<'_> {
        builder::ListLeads::new(self)
    }
    /**Read a lead

Answers with one lead, as it was captured.

Sends a `GET` request to `/api/v1/leads/{lead_id}`

Arguments:
- `lead_id`: The lead's id.
*/
    /**
```no_run
# async fn example(client: contentgen_sdk::Client) -> Result<(), contentgen_sdk::Error> {
let lead = client.get_lead("lead_01KB1C7W4E6R8T0Y2P4A6S8D0F").send().await?;
println!("{lead:?}");
# Ok(())
# }
```*/
    pub fn get_lead(
        &self,
        lead_id: impl ::std::convert::Into<String>,
    ) -> builder::GetLead<'_> {
        builder::GetLead::new(self, lead_id.into())
    }
    /**List the pipeline

Lists the entries of the `scheduled_posts` pipeline, newest first by creation. An entry appears together with its job and
stays when it is published.


Sends a `GET` request to `/api/v1/scheduled_posts`

Arguments:
- `limit`: Largest number of items on the page. Written without fraction and exponent.
- `page_token`: The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.

- `status`: Only entries in this state.
- `website_id`: Only what belongs to this website. An unknown or foreign id gives an empty page.
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
    pub fn list_scheduled_posts(&self) -> builder::ListScheduledPosts<'_> {
        builder::ListScheduledPosts::new(self)
    }
    /**List websites

Lists the websites that the key may see, newest first by creation. They are configured in the dashboard.

Sends a `GET` request to `/api/v1/websites`

Arguments:
- `limit`: Largest number of items on the page. Written without fraction and exponent.
- `page_token`: The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.

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
    pub fn list_websites(&self) -> builder::ListWebsites<'_> {
        builder::ListWebsites::new(self)
    }
}
/// Types for composing operation parameters.
pub mod builder {
    use super::types::{self, *};
    /**Builder for [`Client::list_articles`]

[`Client::list_articles`]: super::Client::list_articles*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct ListArticles<'a> {
        pub(crate) client: &'a super::Client,
        pub(crate) limit: crate::bounds::Given<Option<u32>>,
        pub(crate) page_token: crate::bounds::Given<Option<::std::string::String>>,
        pub(crate) status: crate::bounds::Given<Option<types::ArticleStatusFilter>>,
        pub(crate) updated_since: crate::bounds::Given<
            Option<::chrono::DateTime<::chrono::offset::Utc>>,
        >,
        pub(crate) website_id: crate::bounds::Given<Option<::std::string::String>>,
    }
    impl<'a> ListArticles<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client,
                limit: Ok(None),
                page_token: Ok(None),
                status: Ok(None),
                updated_since: Ok(None),
                website_id: Ok(None),
            }
        }
        ///Largest number of items on the page. Written without fraction and exponent.
        pub fn limit<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<u32>,
            V::Error: ::std::fmt::Display,
        {
            self.limit = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("limit"),
                    value,
                )
                .map(Some);
            self
        }
        /**The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.
*/
        pub fn page_token<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.page_token = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("page_token"),
                    value,
                )
                .map(Some);
            self
        }
        ///Only articles in this state.
        pub fn status<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<types::ArticleStatusFilter>,
            V::Error: ::std::fmt::Display,
        {
            self.status = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("status"),
                    value,
                )
                .map(Some);
            self
        }
        ///Only articles changed at this time or later (RFC 3339 with a zone).
        pub fn updated_since<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
            V::Error: ::std::fmt::Display,
        {
            self.updated_since = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("updated_since"),
                    value,
                )
                .map(Some);
            self
        }
        ///Only what belongs to this website. An unknown or foreign id gives an empty page.
        pub fn website_id<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.website_id = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("website_id"),
                    value,
                )
                .map(Some);
            self
        }
        /**Sends a `GET` request to `/api/v1/articles`

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::ArticlePage>, crate::Error> {
            let Self { client, limit, page_token, status, updated_since, website_id } = self;
            let mut faults = crate::invalid_request::Faults::default();
            let limit = faults.take(limit);
            let page_token = faults.take(page_token);
            let status = faults.take(status);
            let updated_since = faults.take(updated_since);
            let website_id = faults.take(website_id);
            let given = match (limit, page_token, status, updated_since, website_id) {
                (
                    Some(limit),
                    Some(page_token),
                    Some(status),
                    Some(updated_since),
                    Some(website_id),
                ) => Some((limit, page_token, status, updated_since, website_id)),
                _ => None,
            };
            let (limit, page_token, status, updated_since, website_id) = faults
                .or(given)
                .map_err(|refused| crate::call::refused(refused, "list_articles"))?;
            let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                let mut request = client
                    .client
                    .get(format!("{}/api/v1/articles", client.baseurl,));
                if let Some(value) = &limit {
                    request = request.query(&[("limit", value)]);
                }
                if let Some(value) = &page_token {
                    request = request.query(&[("page_token", value)]);
                }
                if let Some(value) = &status {
                    request = request.query(&[("status", value)]);
                }
                if let Some(value) = &updated_since {
                    request = request.query(&[("updated_since", value)]);
                }
                if let Some(value) = &website_id {
                    request = request.query(&[("website_id", value)]);
                }
                crate::request_template::request(request)
            };
            let response = crate::call::send(client, "list_articles", &build).await?;
            crate::Response::decode(response.expecting(200u16..=200u16)?)
        }
    }
    crate::shapes::paged! {
        ListArticles : types::ArticlePage, types::ArticleSummary
    }
    /**Builder for [`Client::get_article`]

[`Client::get_article`]: super::Client::get_article*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct GetArticle<'a> {
        pub(crate) client: &'a super::Client,
        id: String,
        pub(crate) if_none_match: crate::bounds::Given<Option<::std::string::String>>,
    }
    impl<'a> GetArticle<'a> {
        pub(crate) fn new(client: &'a super::Client, id: String) -> Self {
            Self {
                client,
                id,
                if_none_match: Ok(None),
            }
        }
        ///The `ETag` of the copy you hold. If it is still current the answer is 304 without a body.
        pub fn if_none_match<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.if_none_match = crate::bounds::converted(
                    crate::invalid_request::Place::Header("If-None-Match"),
                    value,
                )
                .map(Some);
            self
        }
        /**Sends a `GET` request to `/api/v1/articles/{id}`

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::Article>, crate::Error> {
            let Self { client, id, if_none_match } = self;
            let mut faults = crate::invalid_request::Faults::default();
            let id = faults.take(crate::segment::encode_segment("id", &id));
            let if_none_match = faults
                .take(
                    if_none_match
                        .and_then(|value| {
                            value
                                .map(|value| crate::bounds::header("If-None-Match", &value))
                                .transpose()
                        }),
                );
            let given = match (id, if_none_match) {
                (Some(id), Some(if_none_match)) => Some((id, if_none_match)),
                _ => None,
            };
            let (id, if_none_match) = faults
                .or(given)
                .map_err(|refused| crate::call::refused(refused, "get_article"))?;
            let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                let mut request = client
                    .client
                    .get(format!("{}/api/v1/articles/{}", client.baseurl, id));
                if let Some(value) = &if_none_match {
                    request = request.header("If-None-Match", value.clone());
                }
                crate::request_template::request(request)
            };
            let response = crate::call::send(client, "get_article", &build).await?;
            crate::Response::decode(response.expecting(200u16..=200u16)?)
        }
    }
    /**Builder for [`Client::generate`]

[`Client::generate`]: super::Client::generate*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct Generate<'a> {
        pub(crate) client: &'a super::Client,
        pub(crate) idempotency_key: crate::bounds::Given<Option<::std::string::String>>,
        pub(crate) prefer: crate::bounds::Given<Option<::std::string::String>>,
        pub(crate) body: types::builder::GenerateRequest,
    }
    impl<'a> Generate<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client,
                idempotency_key: Ok(None),
                prefer: Ok(None),
                body: ::std::default::Default::default(),
            }
        }
        /**Names this logical call, so that it can be repeated without queueing twice. 1 to 255 visible ASCII characters, bare or as a quoted
string (`k` and `"k"` are one key), without parameters; one header line.
*/
        pub fn idempotency_key<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.idempotency_key = crate::bounds::converted(
                    crate::invalid_request::Place::Header("Idempotency-Key"),
                    value,
                )
                .map(Some);
            self
        }
        /**`handling=strict` refuses unknown members of the body with 422 `validation_failed`. A malformed or unknown preference is ignored.
*/
        pub fn prefer<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.prefer = crate::bounds::converted(
                    crate::invalid_request::Place::Header("Prefer"),
                    value,
                )
                .map(Some);
            self
        }
        /// The whole body, or a builder of it.
        pub fn body(
            mut self,
            value: impl ::std::convert::Into<types::builder::GenerateRequest>,
        ) -> Self {
            self.body = value.into();
            self
        }
        /// Changes the body.
        pub fn body_map<F>(mut self, f: F) -> Self
        where
            F: std::ops::FnOnce(
                types::builder::GenerateRequest,
            ) -> types::builder::GenerateRequest,
        {
            self.body = f(self.body);
            self
        }
        ///Publish without waiting for approval. Default is the website's setting.
        pub fn auto_publish<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<bool>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.auto_publish(value))
        }
        ///Words that the article should use, each 1 to 80 code points. They are not trimmed.
        pub fn keywords<T>(self, value: T) -> Self
        where
            T: ::std::iter::IntoIterator,
            T::Item: ::std::convert::Into<::std::string::String>,
        {
            self.body_map(|body| body.keywords(value))
        }
        /**Language of the article, a tag well-formed by RFC 5646. Default is the website's language. A service need not write every
language: a job in one that it does not write fails with `language_not_supported`. It never writes another language instead.
*/
        pub fn language<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<::std::string::String>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.language(value))
        }
        ///Your own labels; echoed in the job, the article and hooks.
        pub fn metadata<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<Metadata>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.metadata(value))
        }
        /**When to publish: RFC 3339 with a zone, at most the same date next year. A moment in the past means as soon as it is ready.
With `auto_publish` false it is kept and does nothing. Without it an article is published as soon as it is ready, or, where the
website has `publishing_slots`, in the first of them that is free then.
*/
        pub fn publish_at<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.publish_at(value))
        }
        ///How many words the article should have. Written without fraction and exponent.
        pub fn target_word_count<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<u32>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.target_word_count(value))
        }
        /**What the article is about, in free text: 1 to 1000 code points after trimming Unicode White_Space, without control characters
except tab and newline. It is kept as sent; trimming serves counting only.
*/
        pub fn topic<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<::std::string::String>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.topic(value))
        }
        ///The website to write for. It must be active and belong to the key's account.
        pub fn website_id<T>(self, value: T) -> Self
        where
            T: ::std::convert::TryInto<::std::string::String>,
            T::Error: ::std::fmt::Display,
        {
            self.body_map(|body| body.website_id(value))
        }
        /**Sends a `POST` request to `/api/v1/generate`

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::QueuedJob>, crate::Error> {
            let Self { client, idempotency_key, prefer, body } = self;
            let mut faults = crate::invalid_request::Faults::default();
            let idempotency_key = faults
                .take(
                    idempotency_key
                        .and_then(|value| {
                            value
                                .map(|value| crate::bounds::header(
                                    "Idempotency-Key",
                                    &value,
                                ))
                                .transpose()
                        }),
                );
            let prefer = faults
                .take(
                    prefer
                        .and_then(|value| {
                            value
                                .map(|value| crate::bounds::header("Prefer", &value))
                                .transpose()
                        }),
                );
            let body = faults.take(types::GenerateRequest::try_from(body));
            let given = match (idempotency_key, prefer, body) {
                (Some(idempotency_key), Some(prefer), Some(body)) => {
                    Some((idempotency_key, prefer, body))
                }
                _ => None,
            };
            let (idempotency_key, prefer, body) = faults
                .or(given)
                .map_err(|refused| crate::call::refused(refused, "generate"))?;
            let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                let mut request = client
                    .client
                    .post(format!("{}/api/v1/generate", client.baseurl,));
                if let Some(value) = &idempotency_key {
                    request = request.header("Idempotency-Key", value.clone());
                }
                if let Some(value) = &prefer {
                    request = request.header("Prefer", value.clone());
                }
                request = request.json(&body);
                crate::request_template::request(request)
            };
            let response = crate::call::send(client, "generate", &build).await?;
            crate::Response::decode(response.expecting(200u16..=299u16)?)
        }
    }
    /**Builder for [`Client::get_job`]

[`Client::get_job`]: super::Client::get_job*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct GetJob<'a> {
        pub(crate) client: &'a super::Client,
        job_id: String,
        pub(crate) if_none_match: crate::bounds::Given<Option<::std::string::String>>,
        pub(crate) prefer: crate::bounds::Given<Option<::std::string::String>>,
    }
    impl<'a> GetJob<'a> {
        pub(crate) fn new(client: &'a super::Client, job_id: String) -> Self {
            Self {
                client,
                job_id,
                if_none_match: Ok(None),
                prefer: Ok(None),
            }
        }
        ///The `ETag` of the copy you hold. If it is still current the answer is 304 without a body.
        pub fn if_none_match<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.if_none_match = crate::bounds::converted(
                    crate::invalid_request::Place::Header("If-None-Match"),
                    value,
                )
                .map(Some);
            self
        }
        /**`wait=N` waits up to N seconds for the job to end (1 to 60; more counts as 60). A malformed or unknown preference is ignored.
*/
        pub fn prefer<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.prefer = crate::bounds::converted(
                    crate::invalid_request::Place::Header("Prefer"),
                    value,
                )
                .map(Some);
            self
        }
        /**Sends a `GET` request to `/api/v1/jobs/{job_id}`

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::Job>, crate::Error> {
            let Self { client, job_id, if_none_match, prefer } = self;
            let mut faults = crate::invalid_request::Faults::default();
            let job_id = faults.take(crate::segment::encode_segment("job_id", &job_id));
            let if_none_match = faults
                .take(
                    if_none_match
                        .and_then(|value| {
                            value
                                .map(|value| crate::bounds::header("If-None-Match", &value))
                                .transpose()
                        }),
                );
            let prefer = faults
                .take(
                    prefer
                        .and_then(|value| {
                            value
                                .map(|value| crate::bounds::header("Prefer", &value))
                                .transpose()
                        }),
                );
            let given = match (job_id, if_none_match, prefer) {
                (Some(job_id), Some(if_none_match), Some(prefer)) => {
                    Some((job_id, if_none_match, prefer))
                }
                _ => None,
            };
            let (job_id, if_none_match, prefer) = faults
                .or(given)
                .map_err(|refused| crate::call::refused(refused, "get_job"))?;
            let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                let mut request = client
                    .client
                    .get(format!("{}/api/v1/jobs/{}", client.baseurl, job_id));
                if let Some(value) = &if_none_match {
                    request = request.header("If-None-Match", value.clone());
                }
                if let Some(value) = &prefer {
                    request = request.header("Prefer", value.clone());
                }
                crate::request_template::request(request)
            };
            let response = crate::call::send(client, "get_job", &build).await?;
            crate::Response::decode(response.expecting(200u16..=200u16)?)
        }
    }
    /**Builder for [`Client::cancel_job`]

[`Client::cancel_job`]: super::Client::cancel_job*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct CancelJob<'a> {
        pub(crate) client: &'a super::Client,
        job_id: String,
    }
    impl<'a> CancelJob<'a> {
        pub(crate) fn new(client: &'a super::Client, job_id: String) -> Self {
            Self { client, job_id }
        }
        /**Sends a `POST` request to `/api/v1/jobs/{job_id}/cancel`

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::Job>, crate::Error> {
            let Self { client, job_id } = self;
            let mut faults = crate::invalid_request::Faults::default();
            let job_id = faults.take(crate::segment::encode_segment("job_id", &job_id));
            let given = match (job_id,) {
                (Some(job_id),) => Some((job_id,)),
                _ => None,
            };
            let (job_id,) = faults
                .or(given)
                .map_err(|refused| crate::call::refused(refused, "cancel_job"))?;
            let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                let request = client
                    .client
                    .post(format!("{}/api/v1/jobs/{}/cancel", client.baseurl, job_id));
                crate::request_template::request(request)
            };
            let response = crate::call::send(client, "cancel_job", &build).await?;
            crate::Response::decode(response.expecting(200u16..=200u16)?)
        }
    }
    /**Builder for [`Client::list_leads`]

[`Client::list_leads`]: super::Client::list_leads*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct ListLeads<'a> {
        pub(crate) client: &'a super::Client,
        pub(crate) article_id: crate::bounds::Given<Option<::std::string::String>>,
        pub(crate) captured_since: crate::bounds::Given<
            Option<::chrono::DateTime<::chrono::offset::Utc>>,
        >,
        pub(crate) captured_until: crate::bounds::Given<
            Option<::chrono::DateTime<::chrono::offset::Utc>>,
        >,
        pub(crate) limit: crate::bounds::Given<Option<u32>>,
        pub(crate) page_token: crate::bounds::Given<Option<::std::string::String>>,
        pub(crate) website_id: crate::bounds::Given<Option<::std::string::String>>,
    }
    impl<'a> ListLeads<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client,
                article_id: Ok(None),
                captured_since: Ok(None),
                captured_until: Ok(None),
                limit: Ok(None),
                page_token: Ok(None),
                website_id: Ok(None),
            }
        }
        ///Only leads captured on this article. An unknown or foreign id gives an empty page.
        pub fn article_id<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.article_id = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("article_id"),
                    value,
                )
                .map(Some);
            self
        }
        ///Only leads captured at this time or later (RFC 3339 with a zone).
        pub fn captured_since<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
            V::Error: ::std::fmt::Display,
        {
            self.captured_since = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("captured_since"),
                    value,
                )
                .map(Some);
            self
        }
        ///Only leads captured before this time (RFC 3339 with a zone). Before `captured_since` it gives an empty page.
        pub fn captured_until<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::chrono::DateTime<::chrono::offset::Utc>>,
            V::Error: ::std::fmt::Display,
        {
            self.captured_until = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("captured_until"),
                    value,
                )
                .map(Some);
            self
        }
        ///Largest number of items on the page. Written without fraction and exponent.
        pub fn limit<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<u32>,
            V::Error: ::std::fmt::Display,
        {
            self.limit = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("limit"),
                    value,
                )
                .map(Some);
            self
        }
        /**The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.
*/
        pub fn page_token<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.page_token = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("page_token"),
                    value,
                )
                .map(Some);
            self
        }
        ///Only what belongs to this website. An unknown or foreign id gives an empty page.
        pub fn website_id<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.website_id = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("website_id"),
                    value,
                )
                .map(Some);
            self
        }
        /**Sends a `GET` request to `/api/v1/leads`

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::LeadPage>, crate::Error> {
            let Self {
                client,
                article_id,
                captured_since,
                captured_until,
                limit,
                page_token,
                website_id,
            } = self;
            let mut faults = crate::invalid_request::Faults::default();
            let article_id = faults.take(article_id);
            let captured_since = faults.take(captured_since);
            let captured_until = faults.take(captured_until);
            let limit = faults.take(limit);
            let page_token = faults.take(page_token);
            let website_id = faults.take(website_id);
            let given = match (
                article_id,
                captured_since,
                captured_until,
                limit,
                page_token,
                website_id,
            ) {
                (
                    Some(article_id),
                    Some(captured_since),
                    Some(captured_until),
                    Some(limit),
                    Some(page_token),
                    Some(website_id),
                ) => {
                    Some((
                        article_id,
                        captured_since,
                        captured_until,
                        limit,
                        page_token,
                        website_id,
                    ))
                }
                _ => None,
            };
            let (
                article_id,
                captured_since,
                captured_until,
                limit,
                page_token,
                website_id,
            ) = faults
                .or(given)
                .map_err(|refused| crate::call::refused(refused, "list_leads"))?;
            let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                let mut request = client
                    .client
                    .get(format!("{}/api/v1/leads", client.baseurl,));
                if let Some(value) = &article_id {
                    request = request.query(&[("article_id", value)]);
                }
                if let Some(value) = &captured_since {
                    request = request.query(&[("captured_since", value)]);
                }
                if let Some(value) = &captured_until {
                    request = request.query(&[("captured_until", value)]);
                }
                if let Some(value) = &limit {
                    request = request.query(&[("limit", value)]);
                }
                if let Some(value) = &page_token {
                    request = request.query(&[("page_token", value)]);
                }
                if let Some(value) = &website_id {
                    request = request.query(&[("website_id", value)]);
                }
                crate::request_template::request(request)
            };
            let response = crate::call::send(client, "list_leads", &build).await?;
            crate::Response::decode(response.expecting(200u16..=200u16)?)
        }
    }
    crate::shapes::paged! {
        ListLeads : types::LeadPage, types::Lead
    }
    /**Builder for [`Client::get_lead`]

[`Client::get_lead`]: super::Client::get_lead*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct GetLead<'a> {
        pub(crate) client: &'a super::Client,
        lead_id: String,
    }
    impl<'a> GetLead<'a> {
        pub(crate) fn new(client: &'a super::Client, lead_id: String) -> Self {
            Self { client, lead_id }
        }
        /**Sends a `GET` request to `/api/v1/leads/{lead_id}`

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::Lead>, crate::Error> {
            let Self { client, lead_id } = self;
            let mut faults = crate::invalid_request::Faults::default();
            let lead_id = faults
                .take(crate::segment::encode_segment("lead_id", &lead_id));
            let given = match (lead_id,) {
                (Some(lead_id),) => Some((lead_id,)),
                _ => None,
            };
            let (lead_id,) = faults
                .or(given)
                .map_err(|refused| crate::call::refused(refused, "get_lead"))?;
            let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                let request = client
                    .client
                    .get(format!("{}/api/v1/leads/{}", client.baseurl, lead_id));
                crate::request_template::request(request)
            };
            let response = crate::call::send(client, "get_lead", &build).await?;
            crate::Response::decode(response.expecting(200u16..=200u16)?)
        }
    }
    /**Builder for [`Client::list_scheduled_posts`]

[`Client::list_scheduled_posts`]: super::Client::list_scheduled_posts*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct ListScheduledPosts<'a> {
        pub(crate) client: &'a super::Client,
        pub(crate) limit: crate::bounds::Given<Option<u32>>,
        pub(crate) page_token: crate::bounds::Given<Option<::std::string::String>>,
        pub(crate) status: crate::bounds::Given<
            Option<types::ScheduledPostStatusFilter>,
        >,
        pub(crate) website_id: crate::bounds::Given<Option<::std::string::String>>,
    }
    impl<'a> ListScheduledPosts<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client,
                limit: Ok(None),
                page_token: Ok(None),
                status: Ok(None),
                website_id: Ok(None),
            }
        }
        ///Largest number of items on the page. Written without fraction and exponent.
        pub fn limit<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<u32>,
            V::Error: ::std::fmt::Display,
        {
            self.limit = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("limit"),
                    value,
                )
                .map(Some);
            self
        }
        /**The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.
*/
        pub fn page_token<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.page_token = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("page_token"),
                    value,
                )
                .map(Some);
            self
        }
        ///Only entries in this state.
        pub fn status<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<types::ScheduledPostStatusFilter>,
            V::Error: ::std::fmt::Display,
        {
            self.status = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("status"),
                    value,
                )
                .map(Some);
            self
        }
        ///Only what belongs to this website. An unknown or foreign id gives an empty page.
        pub fn website_id<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.website_id = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("website_id"),
                    value,
                )
                .map(Some);
            self
        }
        /**Sends a `GET` request to `/api/v1/scheduled_posts`

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<
            crate::Response<types::ScheduledPostPage>,
            crate::Error,
        > {
            let Self { client, limit, page_token, status, website_id } = self;
            let mut faults = crate::invalid_request::Faults::default();
            let limit = faults.take(limit);
            let page_token = faults.take(page_token);
            let status = faults.take(status);
            let website_id = faults.take(website_id);
            let given = match (limit, page_token, status, website_id) {
                (Some(limit), Some(page_token), Some(status), Some(website_id)) => {
                    Some((limit, page_token, status, website_id))
                }
                _ => None,
            };
            let (limit, page_token, status, website_id) = faults
                .or(given)
                .map_err(|refused| crate::call::refused(
                    refused,
                    "list_scheduled_posts",
                ))?;
            let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                let mut request = client
                    .client
                    .get(format!("{}/api/v1/scheduled_posts", client.baseurl,));
                if let Some(value) = &limit {
                    request = request.query(&[("limit", value)]);
                }
                if let Some(value) = &page_token {
                    request = request.query(&[("page_token", value)]);
                }
                if let Some(value) = &status {
                    request = request.query(&[("status", value)]);
                }
                if let Some(value) = &website_id {
                    request = request.query(&[("website_id", value)]);
                }
                crate::request_template::request(request)
            };
            let response = crate::call::send(client, "list_scheduled_posts", &build)
                .await?;
            crate::Response::decode(response.expecting(200u16..=200u16)?)
        }
    }
    crate::shapes::paged! {
        ListScheduledPosts : types::ScheduledPostPage, types::ScheduledPost
    }
    /**Builder for [`Client::list_websites`]

[`Client::list_websites`]: super::Client::list_websites*/
    #[derive(Debug, Clone)]
    #[must_use = "a request does nothing until it is sent"]
    pub struct ListWebsites<'a> {
        pub(crate) client: &'a super::Client,
        pub(crate) limit: crate::bounds::Given<Option<u32>>,
        pub(crate) page_token: crate::bounds::Given<Option<::std::string::String>>,
    }
    impl<'a> ListWebsites<'a> {
        pub(crate) fn new(client: &'a super::Client) -> Self {
            Self {
                client,
                limit: Ok(None),
                page_token: Ok(None),
            }
        }
        ///Largest number of items on the page. Written without fraction and exponent.
        pub fn limit<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<u32>,
            V::Error: ::std::fmt::Display,
        {
            self.limit = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("limit"),
                    value,
                )
                .map(Some);
            self
        }
        /**The `next_page` of the page before. Opaque; valid for at least 24 hours, for this list and account, and with the same filters.
Anything else is refused with 400 `invalid_page_token`.
*/
        pub fn page_token<V>(mut self, value: V) -> Self
        where
            V: ::std::convert::TryInto<::std::string::String>,
            V::Error: ::std::fmt::Display,
        {
            self.page_token = crate::bounds::converted(
                    crate::invalid_request::Place::Parameter("page_token"),
                    value,
                )
                .map(Some);
            self
        }
        /**Sends a `GET` request to `/api/v1/websites`

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.*/
        pub async fn send(
            self,
        ) -> ::std::result::Result<crate::Response<types::WebsitePage>, crate::Error> {
            let Self { client, limit, page_token } = self;
            let mut faults = crate::invalid_request::Faults::default();
            let limit = faults.take(limit);
            let page_token = faults.take(page_token);
            let given = match (limit, page_token) {
                (Some(limit), Some(page_token)) => Some((limit, page_token)),
                _ => None,
            };
            let (limit, page_token) = faults
                .or(given)
                .map_err(|refused| crate::call::refused(refused, "list_websites"))?;
            let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                let mut request = client
                    .client
                    .get(format!("{}/api/v1/websites", client.baseurl,));
                if let Some(value) = &limit {
                    request = request.query(&[("limit", value)]);
                }
                if let Some(value) = &page_token {
                    request = request.query(&[("page_token", value)]);
                }
                crate::request_template::request(request)
            };
            let response = crate::call::send(client, "list_websites", &build).await?;
            crate::Response::decode(response.expecting(200u16..=200u16)?)
        }
    }
    crate::shapes::paged! {
        ListWebsites : types::WebsitePage, types::Website
    }
}
/// The operations by whose idempotency key a server recognises a repeated request.
pub(crate) const ACCEPT_IDEMPOTENCY_KEY: &[&str] = &["generate"];
/// The operations that may be repeated: doing so has the effect of one call.
pub(crate) const REPEATABLE: &[&str] = &[
    "list_articles",
    "get_article",
    "get_job",
    "cancel_job",
    "list_leads",
    "get_lead",
    "list_scheduled_posts",
    "list_websites",
];
