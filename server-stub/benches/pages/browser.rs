//! A signed-in user who requests one page after the other.

use std::time::Instant;

use anyhow::Context as _;
use contentgen_server_stub::domain::user::BearerToken;
use reqwest::header::{COOKIE, SET_COOKIE};
use reqwest::{Client, Response};

/// Times of one page in milliseconds, in ascending order.
pub(crate) struct Times(Vec<f64>);

impl Times {
    /// Returns the time within which this fraction of the requests completed.
    pub(crate) fn at(&self, part: f64) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in a list of some hundred"
        )]
        let place = (self.0.len() as f64 * part).ceil() as usize;
        self.0[place.clamp(1, self.0.len()) - 1]
    }
}

/// A browser with a session.
pub(crate) struct Browser {
    http: Client,
    base_url: String,
    cookie: String,
}

impl Browser {
    /// Signs in with a one-time link.
    pub(crate) async fn sign_in(base_url: &str, link: &BearerToken) -> anyhow::Result<Self> {
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build()?;
        let address = format!("{base_url}/dashboard/sign-in/{}", link.reveal());
        let page = http.get(&address).send().await?;
        let cookie = cookie(&page)?;
        let html = page.text().await?;
        let (_, rest) = html.split_once(r#"name="csrf" value=""#).context("the page has no form token")?;
        let body = format!("csrf={}", rest.split('"').next().unwrap_or_default());
        let form =
            http.post(&address).header(COOKIE, cookie).header("content-type", "application/x-www-form-urlencoded");
        let welcome = form.body(body).send().await?;
        anyhow::ensure!(welcome.status() == 303, "signing in answered {}", welcome.status());
        Ok(Self { http, base_url: base_url.to_owned(), cookie: self::cookie(&welcome)? })
    }

    /// Requests the addresses in turn. Returns the time that each request took until its whole page had arrived. The first requests warm
    /// caches and do not count.
    pub(crate) async fn times(&self, addresses: &[String], requests: u32) -> anyhow::Result<Times> {
        let mut times = Vec::new();
        let warm = 10;
        for number in 0..requests + warm {
            let address = &addresses[number as usize % addresses.len()];
            let began = Instant::now();
            let response =
                self.http.get(format!("{}{address}", self.base_url)).header(COOKIE, &self.cookie).send().await?;
            let status = response.status();
            let bytes = response.bytes().await?;
            let took = began.elapsed();
            anyhow::ensure!(status == 200 && !bytes.is_empty(), "{address} answered {status}");
            if number >= warm {
                times.push(took.as_secs_f64() * 1e3);
            }
        }
        times.sort_by(f64::total_cmp);
        Ok(Times(times))
    }
}

fn cookie(response: &Response) -> anyhow::Result<String> {
    let line = response.headers().get(SET_COOKIE).context("no cookie was set")?.to_str()?;
    Ok(line.split(';').next().unwrap_or_default().to_owned())
}
