//! Brand DNA: profiles are created, edited, tried on a text, compared, restored, chosen for websites and removed.

use contentgen_server_stub::server::{self, Running, Settings};

use super::browser::{Browser, Page};

async fn start() -> (Running, Browser) {
    let running = server::start(Settings { is_worker: false, ..Settings::demo() }).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    (running, browser)
}

/// Returns the form of a valid profile with some changed fields.
fn typed<'f>(changes: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let usual = [
        ("version", "1"),
        ("name", "Evening courses"),
        ("audience", "People who learn <late>"),
        ("tone", "warm\r\nplain"),
        ("humour", "3"),
        ("manner", "4"),
        ("respect", "3"),
        ("enthusiasm", "3"),
        ("point_of_view", "second_person"),
        ("spelling", "en-GB"),
        ("grade_min", "5"),
        ("grade_max", "12"),
        ("max_sentence_words", "35"),
        ("max_exclamations", "0"),
        ("contractions", "avoid"),
        ("emoji", "none"),
        ("avoid", "cheap\r\n\r\nsynergy"),
        ("replace", "earth → soil\r\nbuy -> order"),
        ("required", "course"),
        ("prefer", "evening"),
        ("cta_text", "Book a place today."),
        ("cta_url", "https://courses.example/book"),
        ("faq_count", "2"),
        ("boilerplate", "We teach."),
        ("dos", "Be kind"),
        ("donts", "Shout"),
        ("sample_2", "You learn.\r\n\r\nYou rest."),
    ];
    let other = |name: &str| changes.iter().find(|(changed, _)| *changed == name).map(|(_, value)| *value);
    let mut fields: Vec<_> = usual.iter().map(|(name, value)| (*name, other(name).unwrap_or(value))).collect();
    fields.extend(changes.iter().filter(|(name, _)| !usual.iter().any(|(known, _)| known == name)));
    fields
}

/// Creates a profile. Returns the page and its path.
async fn make(browser: &Browser, changes: &[(&str, &str)]) -> (Page, String) {
    let form = browser.get("/dashboard/voices/new").await;
    let made = browser.submit(&form, "/dashboard/voices/new", &typed(changes)).await;
    made.expect("The profile is made");
    let path = made.address.split('?').next().unwrap().to_owned();
    (made, path)
}

#[tokio::test]
async fn a_profile_keeps_all_that_was_typed() {
    let (running, browser) = start().await;
    browser.get("/dashboard/voices").await.expect("Bakery counter").expect("Default").expect("Harbour Bakery</a>");
    let new = browser.get("/dashboard/voices/new").await;
    assert_eq!((new.field("max_sentence_words").as_str(), new.field("name").as_str()), ("35", ""));
    let (made, path) = make(&browser, &[]).await;
    for text in [
        "warm\nplain</textarea>",
        "People who learn &#60;late&#62;",
        "cheap\nsynergy</textarea>",
        "earth → soil\nbuy → order</textarea>",
        "course</textarea>",
        "evening</textarea>",
        "You learn.\n\nYou rest.</textarea>",
        "value=\"second_person\" selected",
        "value=\"4\" selected",
        "value=\"en-GB\" selected",
        "value=\"avoid\" selected",
        "We teach.</textarea>",
        "None uses it.",
    ] {
        made.expect(text);
    }
    assert_eq!(made.field("cta_url"), "https://courses.example/book");
    let same = browser.submit(&made, &path, &typed(&[])).await;
    same.expect("Nothing was changed").expect("name=\"version\" value=\"1\"");
    browser.get("/dashboard/voices?search=LEARN").await.expect("Evening courses").expect_not("Bakery counter");
    browser.get("/dashboard/voices?search=nothing").await.expect("No profile matches");
    assert!(running.stop().await);
}

#[tokio::test]
async fn what_is_wrong_with_a_profile_is_told_at_its_field_and_line() {
    let (running, browser) = start().await;
    let (made, path) = make(&browser, &[]).await;
    let long = "x".repeat(61);
    let blank_line = format!("cheap\r\n\r\n{long}");
    let many = "term\r\n".repeat(20_000);
    for (field, value, told) in [
        ("name", " ", "Name must not be blank"),
        ("avoid", blank_line.as_str(), "Words to avoid, line 3: has 61 characters"),
        ("avoid", many.as_str(), "Words to avoid has 20000 entries, at most 200 are allowed"),
        ("avoid", "kind\r\ncourse", "Words that must appear, line 1: contains &#34;course&#34;"),
        ("replace", "earth → soil\r\nnothing", "Words to replace, line 2: write it as old → new"),
        ("replace", "earth → cheap", "Words to replace, line 1: contains a term that “Words to avoid” forbids"),
        ("prefer", long.as_str(), "Words to prefer, line 1: has 61 characters"),
        ("grade_min", "15", "Lowest reading grade must not be above the highest"),
        ("grade_max", "900", "Highest reading grade is 255, must be 1 to 18"),
        ("faq_count", "two", "Questions and answers must be a whole number"),
        ("humour", "6", "Humour is 6, must be 1 to 5"),
        ("point_of_view", "nobody", "Point of view must be one of the choices"),
        ("cta_url", "http://courses.example", "Link of the call to action must be an https URL"),
        ("cta_text", "Do not buy", "Call to action contains &#34;buy&#34;, which “Words to replace” replaces"),
    ] {
        let page = browser.submit(&made, &path, &typed(&[(field, value), ("tone", "as typed")])).await;
        assert_eq!(page.status, 422, "{field}");
        page.expect(told).expect("as typed</textarea>").expect("-error\"");
        let new = browser.submit(&made, "/dashboard/voices/new", &typed(&[(field, value)])).await;
        assert_eq!(new.status, 422, "{field}");
        new.expect(told);
    }
    let unreadable = browser.submit(&made, &path, &typed(&[("replace", &*"nothing\r\n".repeat(1000))])).await;
    unreadable.expect("line 20: write it as old → new").expect_not("line 21: write it as old → new");
    browser.get(&path).await.expect("warm\nplain</textarea>").expect("Versions <span class=\"count\">1</span>");
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_text_is_checked_with_the_profile_as_it_is_typed() {
    let (running, browser) = start().await;
    let (made, path) = make(&browser, &[]).await;
    let text = "You buy <b>our</b> cheap course. I don't!";
    let with_text = |changes: &[(&'static str, &'static str)]| {
        let mut fields = typed(changes);
        fields.extend([("trial_text", text), ("trial_language", "en")]);
        fields
    };
    let fragment = browser.submit(&made, "/dashboard/voices/check", &with_text(&[("name", "unsaved")])).await;
    assert_eq!(fragment.status, 200);
    fragment.expect_not("<html").expect("<mark title=\"Words to avoid\">cheap<").expect("title=\"Contractions\">don");
    fragment.expect("title=\"Words to replace\">buy").expect("title=\"Exclamation marks\">!").expect("&#60;b&#62;");
    fragment.expect("title=\"Point of view\">I<").expect("6 rules are broken").expect("not measured");
    fragment.expect_not("word_count").expect_not("structure");
    let other = browser.submit(&made, "/dashboard/voices/check", &with_text(&[("avoid", "course\r\nkind")])).await;
    other.expect("Not checked yet").expect("Words that must appear, line 1");
    let german =
        with_text(&[]).into_iter().map(|(name, value)| (name, if name == "trial_language" { "de" } else { value }));
    let german = browser.submit(&made, "/dashboard/voices/check", &german.collect::<Vec<_>>()).await;
    german.expect("Words to avoid\">cheap").expect_not("Contractions\">");
    browser.submit(&made, "/dashboard/voices/check", &typed(&[])).await.expect("Type or paste a text");
    let long = "a ".repeat(10_001);
    let long = typed(&[("trial_text", long.as_str()), ("trial_language", "en")]);
    browser.submit(&made, "/dashboard/voices/check", &long).await.expect("at most 20,000 characters");

    // Without a script the button shows the whole page again and saves nothing.
    for at in [path.as_str(), "/dashboard/voices/new"] {
        let mut pressed = with_text(&[("name", "Not saved")]);
        pressed.push(("check", "on"));
        let page = browser.submit(&made, at, &pressed).await;
        assert_eq!(page.status, 200, "{at}");
        page.expect("title=\"Words to avoid\">cheap").expect("value=\"Not saved\"").expect("</html>");
        page.expect("You buy &#60;b&#62;our");
    }
    browser.get("/dashboard/voices").await.expect_not("Not saved");
    assert!(running.stop().await);
}

#[tokio::test]
async fn saving_over_a_newer_version_is_refused_and_nothing_is_lost() {
    let (running, browser) = start().await;
    let (made, path) = make(&browser, &[]).await;
    let saved = browser.submit(&made, &path, &typed(&[("name", "Theirs")])).await;
    saved.expect("Version 2 is saved").expect("<h1>Theirs</h1>");
    let refused = browser.submit(&made, &path, &typed(&[("name", "Mine")])).await;
    assert_eq!(refused.status, 422);
    refused.expect("Not saved: baker@harbour-bakery.example saved version 2 after you opened version 1");
    refused.expect("value=\"Mine\"").expect("name=\"version\" value=\"1\"").expect("versions?from=1&amp;to=2");
    browser.get(&path).await.expect("<h1>Theirs</h1>");
    // Sending the form twice does not count as consent.
    browser.submit(&refused, &path, &typed(&[("name", "Mine")])).await.expect("Not saved");
    let over = browser.submit(&refused, &path, &typed(&[("name", "Mine"), ("overwrite", "2")])).await;
    over.expect("Version 3 is saved").expect("<h1>Mine</h1>");
    browser.submit(&refused, &path, &typed(&[("overwrite", "2")])).await.expect("Not saved");
    let strange = browser.submit(&refused, &path, &typed(&[("version", "x")])).await;
    assert_eq!(strange.status, 403);
    assert!(running.stop().await);
}

#[tokio::test]
async fn versions_are_compared_and_restored() {
    let (running, browser) = start().await;
    let (made, path) = make(&browser, &[]).await;
    let changes = [("avoid", "synergy\r\nlousy"), ("humour", "5"), ("cta_text", ""), ("cta_url", ""), ("version", "1")];
    browser.submit(&made, &path, &typed(&changes)).await.expect("Version 2 is saved");
    let versions = format!("{path}/versions");
    let listed = browser.get(&versions).await;
    listed.expect("Version 1").expect("Version 2").expect("Current").expect("baker@harbour-bakery.example");
    let compared = browser.get(&format!("{versions}?from=1&to=2")).await;
    for line in [
        "<span>Humour</span><del>3</del><ins>5</ins>",
        "<span>Words to avoid</span><del>cheap</del><ins>lousy</ins>",
        "<span>Call to action</span><del>Book a place today.</del>",
    ] {
        compared.expect(line);
    }
    compared.expect_not("<span>Name</span>").expect_not("<del>synergy");
    browser.get(&format!("{versions}?from=2&to=2")).await.expect("Both say the same");
    browser.get(&format!("{versions}?from=1&to=9")).await.expect("id=\"to-error\"").expect("number of a version");
    assert_eq!(browser.get(&format!("{versions}?page=x")).await.status, 404);
    let restored = browser.submit(&listed, &format!("{path}/restore"), &[("version", "1")]).await;
    restored.expect("Restored as version 3");
    browser.get(&format!("{versions}?from=1&to=3")).await.expect("Both say the same");
    browser.get(&path).await.expect("cheap\nsynergy</textarea>").expect("name=\"version\" value=\"3\"");
    assert_eq!(browser.submit(&listed, &format!("{path}/restore"), &[("version", "9")]).await.status, 404);
    for version in 3..22_u32 {
        let (opened, name) = (version.to_string(), format!("Name {version}"));
        browser.submit(&made, &path, &typed(&[("version", &opened), ("name", &name)])).await.expect("is saved");
    }
    let first = browser.get(&versions).await;
    first.expect("Version 22").expect("Version 3").expect_not("Version 2<");
    let older = first.find("rel=\"next\" href=\"([^\"]+)\"").unwrap();
    browser.get(&older).await.expect("Version 1").expect("Version 2<").expect_not("Version 3<");
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_profile_is_chosen_for_a_website_and_removed_when_none_uses_it() {
    let (running, browser) = start().await;
    let (made, path) = make(&browser, &[]).await;
    let id = path.rsplit('/').next().unwrap().to_owned();
    let website = format!("/dashboard/websites/{}", running.accounts()[0].website_id);
    let form = browser.get(&website).await;
    form.expect("Evening courses</option>").expect("Bakery counter (the default now)</option>");
    let settings = |voice: &str| {
        let fixed = [
            ("name", "Harbour Bakery"),
            ("url", "https://harbour-bakery.example"),
            ("language", "en"),
            ("time_zone", "Europe/London"),
        ];
        let mut fields: Vec<(&str, String)> = fixed.map(|(name, value)| (name, value.to_owned())).to_vec();
        fields.push(("brand_voice_id", voice.to_owned()));
        fields
    };
    let choose = async |voice: &str| {
        let fields = settings(voice);
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser.save(&website, &fields).await
    };
    choose(&id).await.expect("The website is saved").expect(&format!("value=\"{id}\" selected"));
    let other = Browser::signed_in(&running, 1).await;
    let foreign = other.get("/dashboard/voices").await.find("/dashboard/voices/(voice_[^\"/]+)\"").unwrap();
    let refused = choose(&foreign).await;
    assert_eq!(refused.status, 422);
    refused.expect("must be a profile of the account").expect("id=\"brand_voice_id-error\"");

    browser.get(&path).await.expect("Harbour Bakery</a>").expect_not("None uses it.");
    browser.get(&format!("{path}/remove")).await.expect("Websites use it").expect("Harbour Bakery</a>");
    let refused = browser.submit(&made, &format!("{path}/remove"), &[]).await;
    assert_eq!(refused.status, 409);
    refused.expect("Websites use this profile");
    choose("").await.expect("The website is saved");
    browser.get(&format!("{path}/remove")).await.expect("cannot be restored");

    let default = browser.submit(&made, &format!("{path}/default"), &[]).await;
    default.expect("This profile is the default now").expect("(by default)").expect_not("Make it the default");
    browser.get(&format!("{path}/remove")).await.expect("It is the default");
    assert_eq!(browser.submit(&made, &format!("{path}/remove"), &[]).await.status, 409);
    let bakery =
        browser.get("/dashboard/voices?search=Bakery").await.find("/dashboard/voices/(voice_[^\"/]+)\"").unwrap();
    let bakery = format!("/dashboard/voices/{bakery}");
    browser.submit(&made, &format!("{bakery}/default"), &[]).await.expect("is the default now");
    let removed = browser.submit(&made, &format!("{path}/remove"), &[]).await;
    removed.expect("The profile is removed").expect_not("Evening courses");
    assert_eq!(browser.get(&path).await.status, 404);
    assert!(running.stop().await);
}
