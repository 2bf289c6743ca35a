//! Every page is accessible, fits a phone, and does nothing that its policy forbids.

use std::path::Path;

use contentgen_server_stub::dashboard::{self, Access, RouteKind};

use super::answers::Answer;
use super::driver::{Driver, Script, skip};
use super::filled::Filled;
use super::hosted;
use super::user::User;
use super::view::{DESKTOP, FINISH_ANIMATIONS, PHONE, Theme};
use super::walk;

/// Where `npm ci` puts axe-core, from the folder of this crate.
const AXE: &str = "tests/server/browser/node_modules/axe-core/axe.min.js";
/// What axe-core finds wrong. Only contrast depends on the colours, so that a second theme is checked for nothing else.
const CHECK: &str = r"
    const [rules, done] = arguments;
    axe.run(document, { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }).then(({ violations }) =>
        done(violations.flatMap(({ id, help, nodes }) =>
            nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`))));
";
/// How wide the page is where it is wider than the screen, and what stands out there.
const OVERFLOW: &str = r"
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const outside = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > width + 1)
        .map((element) => element.outerHTML.slice(0, 120)).slice(0, 5);
    return [`${document.documentElement.scrollWidth} pixels`, ...outside];
";

/// The text of axe-core; `None`, and a word about it, where it is not installed.
fn axe() -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(AXE);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        skip("axe-core is not installed; run `npm --prefix examples/tests/server/browser ci`");
    }
    text
}

/// What is wrong with the page that is open.
struct Audit<'a> {
    user: &'a User,
    axe: &'a str,
    faults: Vec<String>,
}

impl Audit<'_> {
    async fn page(&mut self, path: &str) {
        self.user.shows(PHONE, Theme::Light).await;
        self.user.open(path).await;
        self.open_page(path).await;
    }

    /// The page that is open, which is called so.
    async fn open_page(&mut self, path: &str) {
        self.user.shows(PHONE, Theme::Light).await;
        let view = |width: &str, theme: &str| format!("{path} at {width} pixels, {theme}");
        // A script of the driver's: the page's own policy would not let it in.
        self.user.session().execute(self.axe, Vec::new()).await.expect("axe-core can be loaded");
        self.check(&view("390", "light"), None).await;
        let wide: Vec<String> = self.user.evaluate(OVERFLOW).await;
        self.faults.extend(wide.into_iter().map(|element| format!("{path} is wider than a phone: {element}")));
        self.user.shows(PHONE, Theme::Dark).await;
        self.check(&view("390", "dark"), Some("color-contrast")).await;
        self.user.shows(DESKTOP, Theme::Dark).await;
        self.check(&view("1280", "dark"), None).await;
        self.user.shows(DESKTOP, Theme::Light).await;
        self.check(&view("1280", "light"), Some("color-contrast")).await;
        // Of the address itself the browser tells the status, which a form with mistakes and a missing page have on purpose.
        let is_status = |complaint: &String| {
            complaint.contains("status of 422") && path == Answer::Mistakes.name()
                || complaint.contains("status of 404") && path.ends_with(hosted::NOTHING)
        };
        let complaints = self.user.complaints().await.into_iter().filter(|complaint| !is_status(complaint));
        self.faults.extend(complaints.map(|complaint| format!("{path}: {complaint}")));
    }

    async fn check(&mut self, view: &str, rule: Option<&str>) {
        let _: Option<bool> = self.user.evaluate(FINISH_ANIMATIONS).await;
        let arguments = vec![serde_json::json!(rule.map(|rule| [rule]))];
        let found = self.user.session().execute_async(CHECK, arguments).await;
        let found: Vec<String> = found.and_then(|found| found.convert()).expect("axe-core answers");
        self.faults.extend(found.into_iter().map(|fault| format!("{view}: {fault}")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_is_accessible_fits_a_phone_and_keeps_its_policy() {
    let Some(driver) = Driver::shared() else { return };
    let Some(axe) = axe() else { return };
    let filled = Filled::start().await;
    let user = User::new(&driver, Script::On, &crate::base_url(&filled.server)).await;
    let mut audit = Audit { user: &user, axe: &axe, faults: Vec::new() };
    // Whoever is signed in already is led on from these.
    let open = dashboard::routes();
    let open = open.iter().filter(|route| route.kind == RouteKind::Page && route.access == Access::Anyone);
    for route in open {
        audit.page(&route.path.replace("{link}", &filled.server.accounts()[0].sign_in_token)).await;
    }
    user.signs_in(&filled.server).await;
    for page in walk::pages(&user).await {
        audit.page(&page.path).await;
    }
    for answer in Answer::ALL {
        answer.show(&user).await;
        audit.open_page(answer.name()).await;
    }
    for page in hosted::pages(&filled.server).await {
        audit.page(&page.path).await;
    }
    let faults = audit.faults;
    assert!(
        faults.is_empty(),
        "{} faults, of which the first are:\n{}",
        faults.len(),
        faults[..faults.len().min(40)].join("\n")
    );
    user.leaves().await;
    filled.server.stop().await;
}
