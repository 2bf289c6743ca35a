//! Successful responses match the schema of their operation: one requirement for each operation.

use crate::check::Source::{Fact, Part, Sentence};
use crate::check::{Capability, Requirement, Source};
use crate::steps::observing::keeps_schema;

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const NULL: Source = Sentence("`null` and an absent field mean the same.");

const COLLECTION: Source = Sentence("Arrays and maps are never `null`.");

const INTEGER: Source = Sentence(
    "An integer is written in the digits 0 to 9, without fraction and exponent: `1200`, never `1200.0` or `1.2e3`.",
);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        keeps_schema(
            "answers.cancel-job.schema",
            "cancel_job",
            "A successful response of cancel_job is JSON that matches the schema Job.",
            &[
                Part("/paths/~1api~1v1~1jobs~1{job_id}~1cancel/post/responses/200/content/application~1json/schema"),
                INTEGER,
            ],
        ),
        keeps_schema(
            "answers.capture-lead.schema",
            "capture_lead",
            "A successful response of capture_lead is JSON that matches the schema LeadAccepted.",
            &[
                Part("/paths/~1capture~1{website_id}/post/responses/202/content/application~1json/schema"),
                Sentence("Always true."),
            ],
        )
        .needs(FORM),
        keeps_schema(
            "answers.generate.schema",
            "generate",
            "A successful response of generate is JSON that matches the schema QueuedJob.",
            &[Fact("4.1"), Part("/paths/~1api~1v1~1generate/post/responses/202/content/application~1json/schema")],
        )
        .core(),
        keeps_schema(
            "answers.get-article.schema",
            "get_article",
            "A successful response of get_article is JSON that matches the schema Article.",
            &[
                Fact("4"),
                Fact("4.2"),
                Part("/paths/~1api~1v1~1articles~1{id}/get/responses/200/content/application~1json/schema"),
            ],
        )
        .core(),
        keeps_schema(
            "answers.get-job.schema",
            "get_job",
            "A successful response of get_job is JSON that matches the schema Job.",
            &[
                Part("/paths/~1api~1v1~1jobs~1{job_id}/get/responses/200/content/application~1json/schema"),
                NULL,
                INTEGER,
            ],
        ),
        keeps_schema(
            "answers.get-lead.schema",
            "get_lead",
            "A successful response of get_lead is JSON that matches the schema Lead.",
            &[
                Part("/paths/~1api~1v1~1leads~1{lead_id}/get/responses/200/content/application~1json/schema"),
                Sentence("Likelihood of spam: from 0 (no sign of spam) to 100 (certainly spam)."),
                NULL,
                COLLECTION,
            ],
        ),
        keeps_schema(
            "answers.get-scheduled-post.schema",
            "get_scheduled_post",
            "A successful response of get_scheduled_post is JSON that matches the schema ScheduledPost.",
            &[
                Part(
                    "/paths/~1api~1v1~1scheduled_posts~1{scheduled_post_id}/get/responses/200/content/application~1json/schema",
                ),
                NULL,
                INTEGER,
            ],
        ),
        keeps_schema(
            "answers.list-articles.schema",
            "list_articles",
            "A successful response of list_articles is JSON that matches the schema ArticlePage.",
            &[Part("/paths/~1api~1v1~1articles/get/responses/200/content/application~1json/schema"), COLLECTION],
        ),
        keeps_schema(
            "answers.list-leads.schema",
            "list_leads",
            "A successful response of list_leads is JSON that matches the schema LeadPage.",
            &[Part("/paths/~1api~1v1~1leads/get/responses/200/content/application~1json/schema"), COLLECTION],
        ),
        keeps_schema(
            "answers.list-scheduled-posts.schema",
            "list_scheduled_posts",
            "A successful response of list_scheduled_posts is JSON that matches the schema ScheduledPostPage.",
            &[Part("/paths/~1api~1v1~1scheduled_posts/get/responses/200/content/application~1json/schema"), INTEGER],
        ),
        keeps_schema(
            "answers.list-websites.schema",
            "list_websites",
            "A successful response of list_websites is JSON that matches the schema WebsitePage.",
            &[Part("/paths/~1api~1v1~1websites/get/responses/200/content/application~1json/schema"), COLLECTION],
        ),
    ]
}
