//! Takes pictures of every page, on a phone and on a desktop, in both themes.

use std::path::{Path, PathBuf};

use super::answers::Answer;
use super::driver::{Driver, Script};
use super::filled::Filled;
use super::hosted;
use super::user::User;
use super::view::{DESKTOP, PHONE, Theme};
use super::walk;

/// Environment variable with the folder for the pictures. `cargo xtask screenshots` sets it.
const VARIABLE: &str = "CONTENTGEN_SCREENSHOTS";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes pictures for people to look at: cargo xtask screenshots"]
async fn every_page_is_photographed() {
    let folder = std::env::var_os(VARIABLE).map(PathBuf::from).expect("CONTENTGEN_SCREENSHOTS names a folder");
    let driver = Driver::shared().expect("pictures need a browser");
    let filled = Filled::start().await;
    let user = User::new(&driver, Script::On, &crate::base_url(&filled.server)).await;
    let link = format!("/dashboard/sign-in/{}", filled.server.accounts()[0].sign_in_token);
    for (route, path) in [("/dashboard/sign-in", "/dashboard/sign-in"), ("/dashboard/sign-in/{link}", &link)] {
        user.open(path).await;
        photograph(&user, &name_of(route), &folder).await;
    }
    user.signs_in(&filled.server).await;
    let pages = walk::pages(&user).await;
    for page in &pages {
        user.open(&page.path).await;
        photograph(&user, &name_of(&page.route), &folder).await;
    }
    for answer in Answer::ALL {
        user.shows(DESKTOP, Theme::Light).await;
        answer.show(&user).await;
        photograph(&user, answer.name(), &folder).await;
    }
    let hosted = hosted::pages(&filled.server).await;
    for page in &hosted {
        user.open(&page.path).await;
        photograph(&user, page.name, &folder).await;
    }
    let count = pages.len() + 2 + Answer::ALL.len() + hosted.len();
    println!("{} pictures of {count} pages are in {}", 4 * count, folder.display());
    user.leaves().await;
    filled.server.stop().await;
}

/// Returns the file name of the pictures of a route's page, without the extension.
fn name_of(route: &str) -> String {
    match route.trim_start_matches("/dashboard").trim_start_matches('/') {
        "" => "overview".to_owned(),
        route => route.replace('/', "-").replace(['{', '}'], ""),
    }
}

/// Takes four pictures of the open page.
async fn photograph(user: &User, name: &str, folder: &Path) {
    for width in [PHONE, DESKTOP] {
        for theme in [Theme::Light, Theme::Dark] {
            let folder = folder.join(format!("{width}-{}", theme.as_str()));
            std::fs::create_dir_all(&folder).expect("the folder can be made");
            let picture = user.photographs(width, theme).await;
            std::fs::write(folder.join(format!("{name}.png")), picture).expect("the folder can be written to");
        }
    }
}
