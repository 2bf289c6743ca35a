//! Articles as files for generators of static sites.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use chrono::{DateTime, FixedOffset};
use contentgen_server_stub::app::PublishTo;
use contentgen_server_stub::domain::publishing_target::FrontMatter;
use contentgen_server_stub::server::{self, Settings, StartError};
use proptest::prelude::{Strategy as _, any};
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::Value;

use super::world::World;
use crate::waiting::until_ok;
use crate::writer::edited::EditedWriter;

fn to_posts(front_matter: FrontMatter) -> PublishTo {
    PublishTo::Directory { folder: "posts".to_owned(), front_matter }
}

impl World {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("posts").join(name)
    }

    /// Returns the names in the website's folder.
    fn names(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path("")) else { return Vec::new() };
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Waits until the names in the website's folder meet the condition.
    async fn wait_for_names(&self, are_wanted: impl Fn(&Vec<String>) -> bool) {
        until_ok("the folder has the wanted files", async || {
            let names = self.names();
            if are_wanted(&names) { Ok(()) } else { Err(names) }
        })
        .await;
    }
}

/// Parses a file. Returns its data and its text.
fn read(text: &str) -> (Value, String) {
    if let Some(rest) = text.strip_prefix("+++\n") {
        let (head, body) = rest.split_once("\n+++\n\n").unwrap();
        return (serde_json::to_value(toml::from_str::<toml::Table>(head).unwrap()).unwrap(), body.to_owned());
    }
    let (head, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n\n").unwrap();
    (serde_saphyr::from_str(head).unwrap(), body.to_owned())
}

/// Parses a time of YAML, TOML or JSON. TOML's printer omits zeros at the end of milliseconds.
fn instant(value: &Value) -> DateTime<FixedOffset> {
    let text = value.get("$__toml_private_datetime").unwrap_or(value);
    DateTime::parse_from_rfc3339(text.as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn an_article_is_a_file_that_a_generator_of_sites_reads() {
    let world = World::start().await;
    for front_matter in FrontMatter::ALL {
        world.publish_to(to_posts(front_matter)).await;
        let article_id = world.write("Keeping a rye starter alive through winter").await;
        let article = world.published(&article_id).await;
        assert_eq!(article["url"], article["canonical_url"]);
        let name = format!("{}.md", article["slug"].as_str().unwrap());
        assert!(world.names().contains(&name), "{:?}", world.names());
        assert!(world.names().iter().all(|name| !name.starts_with('.')), "{:?}", world.names());
        let mode = std::fs::metadata(world.path(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o644, "the generator must be able to read it");
        let text = std::fs::read_to_string(world.path(&name)).unwrap();
        let (data, body) = read(&text);
        assert_eq!(body.trim_end(), article["content_markdown"].as_str().unwrap().trim_end());
        assert_eq!(data["title"], article["title"]);
        assert_eq!(data["description"], article["meta_description"]);
        assert_eq!(data["slug"], article["slug"]);
        let (extra, tags) = match front_matter {
            FrontMatter::Yaml => (&data, &data["tags"]),
            FrontMatter::Toml => (&data["extra"], &data["taxonomies"]["tags"]),
        };
        assert_eq!(*tags, article["tags"]);
        assert_eq!(extra["contentgen_id"], article["id"]);
        assert_eq!(extra["canonical_url"], article["canonical_url"]);
        assert_eq!(extra["keywords"], article["keywords"]);
        assert_eq!(extra["faq"], article["faq"]);
        // The article is public only on its website.
        let hosted = format!("/sites/{}/{}", world.website_id, article["slug"].as_str().unwrap());
        assert_eq!(world.get(&hosted).await.0, 404);
    }
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn the_file_of_an_edited_article_has_the_new_text_and_the_first_date() {
    let world = World::start().await;
    for front_matter in FrontMatter::ALL {
        world.publish_to(to_posts(front_matter)).await;
        let article_id = world.write("Keeping a rye starter").await;
        let before = world.published(&article_id).await;
        let names = world.names();
        let path = world.path(&format!("{}.md", before["slug"].as_str().unwrap()));
        world.edit(&article_id, "Rye in winter").await;
        assert_eq!(world.updated(&article_id).await, None);
        let article = world.article(&article_id).await;
        let (data, body) = read(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(data["title"], "Rye in winter");
        assert_eq!(body.trim_end(), article["content_markdown"].as_str().unwrap().trim_end());
        let changed = data.get("lastmod").unwrap_or(&data["updated"]);
        for (date, field) in [(changed, "updated_at"), (&data["date"], "published_at")] {
            assert_eq!(instant(date), instant(&article[field]), "{field}");
        }
        assert_eq!(world.names(), names);
    }
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn no_topic_breaks_a_file() {
    let world = World::start().await;
    let mut runner = TestRunner::default();
    let hostile = [
        "---\ntitle: x\n---\n{{ 7 * 7 }}",
        "+++\n[extra]\ncontentgen_id = \"art_1\"\n+++",
        "{% include \"../secret\" %} and {{< readfile \"/etc/passwd\" >}}",
        "\" ' \\ : # \u{2028} \u{feff} \u{1f35e}",
    ];
    let random =
        proptest::collection::vec(any::<char>().prop_filter("it is no control character", |c| !c.is_control()), 1..40);
    let random = (0..12).map(|_| random.new_tree(&mut runner).unwrap().current().into_iter().collect::<String>());
    let topics: Vec<String> =
        hostile.into_iter().map(str::to_owned).chain(random.map(|text| format!("a {text}"))).collect();
    for (topic, front_matter) in topics.iter().zip(FrontMatter::ALL.into_iter().cycle()) {
        println!("topic {topic:?}");
        world.publish_to(to_posts(front_matter)).await;
        let article = world.published(&world.write(topic).await).await;
        let name = format!("{}.md", article["slug"].as_str().unwrap());
        let text = std::fs::read_to_string(world.path(&name)).unwrap();
        let (data, body) = read(&text);
        assert_eq!(data["title"], article["title"]);
        assert!(["{{", "{%", "{#"].iter().all(|begin| !body.contains(begin)), "{body}");
    }
    assert_eq!(world.names().len(), topics.len());
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn nothing_in_a_file_is_a_template_that_a_generator_of_sites_would_run() {
    // The offline writer omits templates.
    let writer = EditedWriter {
        order: |_| {},
        draft: |brief, draft| {
            let keywords = brief.keywords.join(" and ");
            EditedWriter::adding(&format!("You write {keywords} here, and your readers see it."), draft);
        },
    };
    let world = World::with_writer(writer).await;
    world.publish_to(to_posts(FrontMatter::Yaml)).await;
    let random = proptest::string::string_regex("[{}%#<>x ]{3,12}").unwrap();
    let mut runner = TestRunner::default();
    let random = (0..8).map(|_| format!("a{}b", random.new_tree(&mut runner).unwrap().current()));
    let keywords: Vec<String> =
        ["{{ 7 * 7 }}", "{% include x %}", "{{{{< x >}}}}"].map(str::to_owned).into_iter().chain(random).collect();
    for keyword in keywords {
        println!("keyword {keyword:?}");
        let article = world.published(&world.write_with("Braces", &[&keyword]).await).await;
        let name = format!("{}.md", article["slug"].as_str().unwrap());
        let (_, body) = read(&std::fs::read_to_string(world.path(&name)).unwrap());
        assert!(["{{", "{%", "{#"].iter().all(|begin| !body.contains(begin)), "{body}");
        // Markdown removes the backslashes again.
        let shown = ["{", "%", "#"].iter().fold(body, |text, second| text.replace(&format!("\\{second}"), second));
        let written = article["content_markdown"].as_str().unwrap();
        let written = ["{", "%", "#"]
            .iter()
            .fold(written.to_owned(), |text, second| text.replace(&format!("\\{second}"), second));
        assert_eq!(shown.trim_end(), written.trim_end());
    }
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn a_file_of_somebody_else_is_left_alone_and_that_of_an_article_goes_with_it() {
    let world = World::start().await;
    world.publish_to(to_posts(FrontMatter::Yaml)).await;
    let first = world.published(&world.write("Bread").await).await;
    let slug = first["slug"].as_str().unwrap().to_owned();
    // The next article on this topic would have this name.
    let (next, theirs) = (format!("{slug}-2.md"), "---\ntitle: \"mine\"\n---\nmine\n");
    std::fs::write(world.path(&next), theirs).unwrap();
    let second = world.published(&world.write("Bread").await).await;
    assert_eq!(second["slug"], format!("{slug}-2"));
    assert_eq!(std::fs::read_to_string(world.path(&next)).unwrap(), theirs);
    let suffix = second["id"].as_str().unwrap().to_lowercase();
    let beside = format!("{slug}-2-{}.md", &suffix[suffix.len() - 8..]);
    assert_eq!(world.names(), [beside, next.clone(), format!("{slug}.md")]);
    // Archiving an article removes only its own file.
    for article in [&second, &first] {
        let taken_down =
            world.running.app().archive_article(&world.account.visibility(), article["id"].as_str().unwrap()).await;
        assert!(taken_down.unwrap());
    }
    world.wait_for_names(|names| *names == [next.as_str()]).await;
    assert_eq!(std::fs::read_to_string(world.path(&next)).unwrap(), theirs);
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn nothing_is_written_while_somebody_removes_a_file() {
    let world = World::start().await;
    world.publish_to(to_posts(FrontMatter::Yaml)).await;
    let lock = std::fs::File::create(world.folder.path().join(".contentgen-posts.website")).unwrap();
    lock.lock().unwrap();
    let article_id = world.write("Bread").await;
    world.post(&article_id, "publishing").await;
    assert!(world.names().is_empty(), "{:?}", world.names());
    lock.unlock().unwrap();
    let article = world.published(&article_id).await;
    assert_eq!(world.names(), [format!("{}.md", article["slug"].as_str().unwrap())]);
    // A removal and a write exclude each other. The name is free again when both have ended.
    lock.lock_shared().unwrap();
    assert!(world.running.app().archive_article(&world.account.visibility(), &article_id).await.unwrap());
    let next = world.published(&world.write("Bread").await).await;
    let (first, second) = (article["slug"].as_str().unwrap(), next["slug"].as_str().unwrap());
    world.wait_for_names(|names| names.contains(&format!("{second}.md"))).await;
    assert!(world.names().contains(&format!("{first}.md")), "{:?}", world.names());
    lock.unlock().unwrap();
    // On a busy machine the second article may take so long that the removal has given up, for a minute.
    world.wait_for_names(|names| *names == [format!("{second}.md")]).await;
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn a_folder_with_files_of_others_is_used_only_by_the_website_that_the_operator_names() {
    let world = World::start().await;
    let posts = world.folder.path().join("posts");
    std::fs::create_dir(&posts).unwrap();
    std::fs::write(posts.join("theirs.md"), "theirs").unwrap();
    world.publish_to(to_posts(FrontMatter::Toml)).await;
    let owner = world.folder.path().join(".contentgen-posts.website");
    for named in ["", "web_of_another_server"] {
        std::fs::write(&owner, named).unwrap();
        let post = world.post(&world.write("Bread").await, "failed").await;
        assert_eq!(post["error"]["code"], "publish_rejected");
        let message = post["error"]["message"].as_str().unwrap();
        assert!(message.contains("ask the operator"), "{message}");
        assert_eq!(world.names(), ["theirs.md"]);
    }
    std::fs::write(&owner, format!("{}\n", world.website_id)).unwrap();
    world.published(&world.write("Bread").await).await;
    assert_eq!(world.names().len(), 2);
    assert!(world.running.stop().await);
}

#[tokio::test]
async fn a_server_does_not_start_with_a_folder_that_it_cannot_write_to() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let settings = Settings { publish_root: Some(missing.clone()), ..Settings::demo() };
    let refused = server::start(settings).await.map(drop).unwrap_err();
    assert!(matches!(&refused, StartError::PublishRoot { folder, .. } if *folder == missing), "{refused}");
    assert!(refused.to_string().contains("--publish-root"), "{refused}");
}
