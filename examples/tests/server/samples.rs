//! The Rust samples of the reference, one function for each operation, and a test that runs them. `cargo xtask codegen` shows the lines
//! before the last one of each function.

use contentgen_sdk::types::GenerateRequest;
use contentgen_sdk::{Client, Error};

use super::{demonstration, full_client, idle};

async fn generate(client: &Client, website_id: &str) -> Result<(), Error> {
    let request = client.generate().topic("Keeping a rye starter alive through winter").website_id(website_id);
    let queued = request.send().await?;
    println!("{}", queued.job_id);
    Ok(())
}

async fn list_articles(client: &Client) -> Result<(), Error> {
    let mut articles = client.list_articles().status("published").items();
    while let Some(article) = articles.next().await.transpose()? {
        println!("{} {}", article.id, article.title);
    }
    Ok(())
}

async fn get_article(client: &Client, article_id: &str) -> Result<(), Error> {
    let article = client.get_article(article_id).send().await?;
    println!("{}", article.content_markdown.as_deref().unwrap_or_default());
    Ok(())
}

async fn get_job(client: &Client, job_id: &str) -> Result<(), Error> {
    let job = client.get_job(job_id).send().await?;
    println!("{} {}%", job.status, job.progress.unwrap_or(0));
    Ok(())
}

async fn cancel_job(client: &Client, job_id: &str) -> Result<(), Error> {
    let job = client.cancel_job(job_id).send().await?;
    println!("{}", job.status);
    Ok(())
}

async fn list_leads(client: &Client) -> Result<(), Error> {
    let mut leads = client.list_leads().limit(100).items();
    while let Some(lead) = leads.next().await.transpose()? {
        println!("{} {}", lead.id, lead.email.as_deref().unwrap_or_default());
    }
    Ok(())
}

async fn get_lead(client: &Client, lead_id: &str) -> Result<(), Error> {
    let lead = client.get_lead(lead_id).send().await?;
    println!("{} {}", lead.captured_at, lead.message.as_deref().unwrap_or_default());
    Ok(())
}

async fn list_scheduled_posts(client: &Client) -> Result<(), Error> {
    let mut posts = client.list_scheduled_posts().items();
    while let Some(post) = posts.next().await.transpose()? {
        println!("{} {}", post.id, post.status);
    }
    Ok(())
}

async fn get_scheduled_post(client: &Client, scheduled_post_id: &str) -> Result<(), Error> {
    let post = client.get_scheduled_post(scheduled_post_id).send().await?;
    println!("{} {}", post.status, post.topic);
    Ok(())
}

async fn list_websites(client: &Client) -> Result<(), Error> {
    let mut websites = client.list_websites().items();
    while let Some(website) = websites.next().await.transpose()? {
        println!("{} {}", website.website_id, website.url);
    }
    Ok(())
}

async fn capture_lead(client: &Client, website_id: &str) -> Result<(), Error> {
    let accepted = client.capture_lead(website_id).email("reader@example.com").name("Robin Reader").send().await?;
    println!("{}", accepted.accepted);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_rust_sample_of_the_reference_runs() {
    let server = demonstration().await;
    let (client, website_id) = (full_client(&server), &server.accounts()[0].website_id);
    generate(&client, website_id).await.unwrap();
    let request = GenerateRequest::new().topic("Leeks").website_id(website_id.as_str());
    let article = client.generate_and_wait(request).await.unwrap();
    let (job_id, article_id) = (article.job_id.as_deref().unwrap(), article.id.as_deref().unwrap());
    get_job(&client, job_id).await.unwrap();
    get_article(&client, article_id).await.unwrap();
    list_articles(&client).await.unwrap();
    capture_lead(&client, website_id).await.unwrap();
    list_leads(&client).await.unwrap();
    let lead = client.list_leads().items().next().await.unwrap().unwrap();
    get_lead(&client, &lead.id).await.unwrap();
    list_scheduled_posts(&client).await.unwrap();
    let post = client.list_scheduled_posts().items().next().await.unwrap().unwrap();
    get_scheduled_post(&client, &post.id).await.unwrap();
    list_websites(&client).await.unwrap();
    server.stop().await;
    // On this server no job ends by itself.
    let server = idle().await;
    let client = full_client(&server);
    let queued =
        client.generate().topic("Leeks").website_id(server.accounts()[0].website_id.as_str()).send().await.unwrap();
    cancel_job(&client, &queued.job_id).await.unwrap();
    server.stop().await;
}
