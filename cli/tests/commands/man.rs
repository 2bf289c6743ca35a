//! `man`.

use super::completions::COMMANDS;
use super::program::{contentgen, run};

#[tokio::test]
async fn every_command_has_a_manual_page() {
    let page = run(contentgen(&["man"])).await.well().output;
    assert!(page.contains(".TH contentgen 1") && page.contains("CONTENTGEN_API_KEY"), "{page}");
    let page = run(contentgen(&["man", "generate"])).await.well().output;
    assert!(page.contains(".TH contentgen-generate 1") && page.contains("topic\\-file"), "{page}");
    let program = run(contentgen(&["man", "leads", "--json"])).await.well();
    assert!(program.json()["page"].as_str().is_some_and(|page| page.contains("utm") || page.contains("csv")));
    let nested = run(contentgen(&["man", "articles", "get"])).await.well().output;
    assert!(nested.contains(".TH contentgen-articles-get 1") && nested.contains("summary"), "{nested}");
    let folder = tempfile::tempdir().unwrap();
    run(contentgen(&["man", "--output-dir", folder.path().to_str().unwrap()])).await.well();
    for command in COMMANDS {
        assert!(folder.path().join(format!("contentgen-{command}.1")).is_file(), "{command}");
    }
    for page in ["contentgen.1", "contentgen-articles-get.1", "contentgen-demo-trigger.1"] {
        assert!(folder.path().join(page).is_file(), "{page}");
    }
    run(contentgen(&["man", "nonsense"])).await.with(2);
    let nowhere = folder.path().join("no/such/folder");
    run(contentgen(&["man", "--output-dir", nowhere.to_str().unwrap()])).await.with(1);
}
