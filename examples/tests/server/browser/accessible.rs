//! Checks that every page is accessible, fits a phone, and complies with its content security policy.

use std::path::Path;

use contentgen_server_stub::dashboard::{self, Access, RouteKind};

use super::answers::Answer;
use super::driver::{Driver, Script, skip};
use super::filled::Filled;
use super::hosted;
use super::user::User;
use super::view::{DESKTOP, FINISH_ANIMATIONS, PHONE, Theme};
use super::walk;

/// Path of axe-core after `npm ci`, relative to this crate's folder.
const AXE: &str = "tests/server/browser/node_modules/axe-core/axe.min.js";
/// Script that returns the violations that axe-core finds. It can be limited to some rules: the second theme needs only the check of
/// the contrast.
const CHECK: &str = r"
    const [rules, done] = arguments;
    axe.run(document, { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }).then(({ violations }) =>
        done(violations.flatMap(({ id, help, nodes }) =>
            nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`))));
";
/// Script that returns the width of a page that is wider than the screen, and the elements beyond the edge.
const OVERFLOW: &str = r"
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const outside = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > width + 1)
        .map((element) => element.outerHTML.slice(0, 120)).slice(0, 5);
    return [`${document.documentElement.scrollWidth} pixels`, ...outside];
";

/// Reads the source of axe-core. If it is not installed, prints a message and returns `None`.
fn axe() -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(AXE);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        skip("axe-core is not installed; run `npm --prefix examples/tests/server/browser ci`");
    }
    text
}

/// Audit of the pages, which collects their faults.
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

    /// Audits the open page. `path` names it in messages.
    async fn open_page(&mut self, path: &str) {
        self.user.shows(PHONE, Theme::Light).await;
        let view = |width: &str, theme: &str| format!("{path} at {width} pixels, {theme}");
        // Executed by the driver, because the page's policy would block the script.
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
        // The browser logs error statuses of the page itself. A form with mistakes and a missing page have them on purpose.
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
    // These pages redirect a user who is signed in, so they are checked first.
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
