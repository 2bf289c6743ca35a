//! Editing of an article. Saving makes a version. A newer version by another user is overwritten only after a confirmation.

use askama::Template;
use axum::extract::Path;

use super::super::voices::labels;
use super::super::{Failure, FieldErrors, Form, Layout, Notice, Result, Section, Visit, sentence};
use super::download;
use crate::app::EditError;
use crate::domain::article::{Article, ArticleStatus, EditRefusal};
use crate::domain::article_texts::{ArticleTexts, MAX_LIST_ITEMS, TextViolation};
use crate::domain::written_article::{FaqEntry, HeroImage, WrittenArticle};

/// Fields of a question and its answer, with their number.
type QuestionFields = (usize, &'static str, &'static str);

const QUESTIONS: [QuestionFields; MAX_LIST_ITEMS] = [
    (1, "question_1", "answer_1"),
    (2, "question_2", "answer_2"),
    (3, "question_3", "answer_3"),
    (4, "question_4", "answer_4"),
    (5, "question_5", "answer_5"),
    (6, "question_6", "answer_6"),
    (7, "question_7", "answer_7"),
    (8, "question_8", "answer_8"),
    (9, "question_9", "answer_9"),
    (10, "question_10", "answer_10"),
];
/// Number of empty questions on the form.
const SPARE_QUESTIONS: usize = 2;

#[derive(Template)]
#[template(path = "dashboard/articles/edit.html")]
struct EditPage {
    layout: Layout,
    /// Address of the article's page.
    path: String,
    is_published: bool,
    /// Version with which the form was opened.
    opened: u32,
    /// Version that another user saved meanwhile.
    conflict: Option<u32>,
    /// Why the article cannot be saved now; empty if it can.
    refusal: String,
    typed: Form,
    errors: FieldErrors,
    base: String,
    checked: Checked,
}

impl EditPage {
    /// Returns the fields of the questions to show: the filled ones and some empty ones.
    fn questions(&self) -> impl Iterator<Item = QuestionFields> {
        let is_filled = |(_, question, answer): &QuestionFields| {
            !self.typed.text(question).is_empty() || !self.typed.text(answer).is_empty()
        };
        QUESTIONS.into_iter().take(QUESTIONS.iter().filter(|fields| is_filled(fields)).count() + SPARE_QUESTIONS)
    }
}

/// Content beside the form.
enum Checked {
    /// Some texts are not valid.
    Problems(FieldErrors),
    /// The article that would be saved.
    Article(Box<Shown>),
}

struct Shown {
    content: WrittenArticle,
    /// The preview as an HTML page.
    page: String,
}

#[derive(Template)]
#[template(path = "dashboard/articles/checked.html")]
struct Fragment {
    base: String,
    checked: Checked,
}

/// Shows the form.
pub(in crate::dashboard) async fn show(visit: Visit, Path(article_id): Path<String>) -> Result {
    let article = visit.app().article(&visit.visibility(), &article_id).await?;
    if article.status == ArticleStatus::Archived {
        return Err(Failure::Refused(sentence(&EditRefusal::Archived.to_string())));
    }
    let typed = form_of(&ArticleTexts::of(&article.content));
    Ok(visit.page(&page(&visit, &article, typed, article.version).await?))
}

/// Saves the article, or checks it.
pub(in crate::dashboard) async fn save(visit: Visit, Path(article_id): Path<String>, form: Form) -> Result {
    let article = visit.app().article(&visit.visibility(), &article_id).await?;
    // `overwrite` contains the number of the newer version that the user agreed to overwrite.
    let opened = if form.has("overwrite") { form.text("overwrite") } else { form.text("version") };
    let opened: u32 = opened.parse().map_err(|_| Failure::StaleForm)?;
    let texts = texts(&form, &article);
    if form.has("check") {
        return Ok(visit.page(&page(&visit, &article, form, opened).await?));
    }
    // Questions move up where fields before them are empty, so that errors have their numbers.
    let typed = form_of(&texts);
    let (errors, conflict, refusal) =
        match visit.app().edit_article(&visit.visibility(), &article_id, opened, texts).await {
            Ok(version) => {
                let notice = if version == opened { Notice::ArticleUnchanged } else { Notice::ArticleEdited };
                let path = format!("/dashboard/articles/{article_id}");
                return Ok(visit.redirect_counting(&path, notice, u64::from(version)));
            }
            Err(EditError::Invalid(violations)) => (errors(violations), None, String::new()),
            Err(EditError::Refused(EditRefusal::Changed(version))) => {
                (FieldErrors::default(), Some(version), String::new())
            }
            Err(EditError::Refused(refusal)) => (FieldErrors::default(), None, sentence(&refusal.to_string())),
            Err(EditError::Busy(busy)) => (FieldErrors::default(), None, sentence(&busy.to_string())),
            Err(EditError::Request(error)) => return Err(error.into()),
        };
    let page = page(&visit, &article, typed, opened).await?;
    Ok(visit.form_again(&EditPage { conflict, refusal, errors, ..page }))
}

/// Returns only the report and the preview, as an HTML fragment for the script.
pub(in crate::dashboard) async fn check(visit: Visit, Path(article_id): Path<String>, form: Form) -> Result {
    let article = visit.app().article(&visit.visibility(), &article_id).await?;
    let checked = checked(&visit, &article, texts(&form, &article)).await?;
    Ok(visit.page(&Fragment { base: visit.base().to_owned(), checked }))
}

async fn page(visit: &Visit, article: &Article, typed: Form, opened: u32) -> Result<EditPage> {
    Ok(EditPage {
        layout: visit.layout(format!("Edit “{}”", article.content.title), Section::Articles),
        path: format!("{}/dashboard/articles/{}", visit.base(), article.id),
        is_published: article.status == ArticleStatus::Published,
        opened,
        conflict: None,
        refusal: String::new(),
        errors: FieldErrors::default(),
        base: visit.base().to_owned(),
        checked: checked(visit, article, texts(&typed, article)).await?,
        typed,
    })
}

async fn checked(visit: &Visit, article: &Article, texts: ArticleTexts) -> Result<Checked> {
    match visit.app().check_edit(&visit.visibility(), article, texts).await {
        Ok(content) => {
            let page = download::page(&content, Some(&format!("{}/assets/site.css", visit.base())));
            Ok(Checked::Article(Box::new(Shown { content, page })))
        }
        Err(EditError::Invalid(violations)) => Ok(Checked::Problems(errors(violations))),
        Err(EditError::Busy(_)) => Err(Failure::Busy),
        Err(EditError::Request(error)) => Err(error.into()),
        Err(EditError::Refused(refusal)) => Err(Failure::Refused(sentence(&refusal.to_string()))),
    }
}

fn errors(violations: Vec<TextViolation>) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for TextViolation { field, message } in violations {
        errors.add(&field, &message);
    }
    errors
}

/// Returns the form of the texts.
fn form_of(texts: &ArticleTexts) -> Form {
    let image = texts.hero_image.as_ref();
    let fields = [
        ("title", texts.title.clone()),
        ("excerpt", texts.excerpt.clone()),
        ("meta_title", texts.meta_title.clone()),
        ("meta_description", texts.meta_description.clone()),
        ("content_markdown", texts.content_markdown.clone()),
        ("keywords", texts.keywords.join("\n")),
        ("tags", texts.tags.join("\n")),
        ("image_url", image.and_then(|image| image.url.clone()).unwrap_or_default()),
        ("image_alt", image.map(|image| image.alt.clone()).unwrap_or_default()),
    ];
    let questions = QUESTIONS.into_iter().zip(&texts.faq).flat_map(|((_, question, answer), entry)| {
        [(question, entry.question.clone()), (answer, entry.answer.clone())]
    });
    Form::of(fields.into_iter().chain(questions))
}

/// Returns the submitted texts. The form does not show the size of the picture, so it stays while the picture does.
fn texts(form: &Form, article: &Article) -> ArticleTexts {
    let text = |field: &str| form.raw(field).replace("\r\n", "\n");
    let faq =
        QUESTIONS.into_iter().map(|(_, question, answer)| FaqEntry { question: text(question), answer: text(answer) });
    let (url, alt) = (form.filled("image_url"), text("image_alt"));
    let former = article.content.hero_image.as_ref().filter(|former| former.url == url);
    let (width, height) = former.map_or((None, None), |former| (former.width, former.height));
    let has_image = url.is_some() || !alt.trim().is_empty();
    ArticleTexts {
        title: text("title"),
        excerpt: text("excerpt"),
        meta_title: text("meta_title"),
        meta_description: text("meta_description"),
        content_markdown: text("content_markdown"),
        keywords: form.lines("keywords"),
        tags: form.lines("tags"),
        faq: faq.filter(|entry| !entry.question.trim().is_empty() || !entry.answer.trim().is_empty()).collect(),
        hero_image: has_image.then_some(HeroImage { url, alt, width, height }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the form as a browser sends it back: encoded, with the line ends of a form.
    fn sent(form: &Form) -> Form {
        let names = QUESTIONS.iter().flat_map(|(_, question, answer)| [*question, *answer]);
        let texts = ["title", "excerpt", "meta_title", "meta_description", "content_markdown", "keywords", "tags"];
        let names = names.chain(texts).chain(["image_url", "image_alt"]);
        let mut body = url::form_urlencoded::Serializer::new(String::new());
        for name in names {
            body.append_pair(name, &form.raw(name).replace('\n', "\r\n"));
        }
        Form::parse(body.finish().as_bytes()).unwrap()
    }

    fn article(hero_image: Option<&HeroImage>) -> Article {
        serde_json::from_value(serde_json::json!({
            "id": "art_1", "job_id": null, "website_id": "web_1", "status": "draft", "url": null, "canonical_url": null,
            "topic": "t", "title": "t", "slug": "t", "excerpt": "", "meta_title": "t", "meta_description": "",
            "content_markdown": "", "content_html": "", "outline": [], "keywords": [], "tags": [], "faq": [],
            "internal_links": [], "hero_image": hero_image, "json_ld": {}, "language": "en", "word_count": 0,
            "reading_time_minutes": 1, "voice": { "passed": true, "checks": [] }, "generator": "offline", "version": 1,
            "metadata": {}, "created_at": "2026-11-02T08:00:00.000Z", "updated_at": "2026-11-02T08:00:00.000Z",
            "published_at": null,
        }))
        .unwrap()
    }

    proptest! {
        #[test]
        fn a_form_that_is_sent_back_unchanged_changes_nothing(
            title in "[^\\r]{0,20}",
            body in "[^\\r]{0,60}",
            items in prop::collection::vec("[a-z<&\"\u{fc}]([a-z ,]{0,8}[a-z])?", 0..=MAX_LIST_ITEMS),
            faq in prop::collection::vec(("[a-z<]{1,8}\\?", "[A-Z][a-z\n]{0,8}\\."), 0..=MAX_LIST_ITEMS),
            image in prop::option::of((prop::option::of("https://a\\.example/[a-z]{1,5}"), "[a-z]{1,8}", prop::option::of(1..9_u32))),
        ) {
            let hero_image = image.map(|(url, alt, width)| HeroImage { url, alt, width, height: width });
            let texts_before = ArticleTexts {
                excerpt: title.clone(),
                meta_title: title.clone(),
                meta_description: title.clone(),
                title,
                content_markdown: body,
                keywords: items.clone(),
                tags: items,
                faq: faq.into_iter().map(|(question, answer)| FaqEntry { question, answer }).collect(),
                hero_image: hero_image.clone(),
            };
            let form = sent(&form_of(&texts_before));
            prop_assert_eq!(texts(&form, &article(hero_image.as_ref())), texts_before);
        }
    }
}
