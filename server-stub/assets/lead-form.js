// Sends the lead form without leaving the page. Without this script the browser sends it as usual.
for (const form of document.querySelectorAll("form[data-lead-form]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const status = form.querySelector(".status");
    const button = form.querySelector("button");
    button.disabled = true;
    status.textContent = "Sending…";
    try {
      const body = new URLSearchParams(new FormData(form));
      // Robots do not read before they write.
      body.set("_elapsed", String(Math.min(Math.round(performance.now()), 24 * 60 * 60 * 1000)));
      const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
      if (response.ok) {
        form.reset();
        status.textContent = "Thank you. Your message is on its way.";
      } else {
        const problem = await response.json().catch(() => ({}));
        const details = (problem.errors || []).map((error) => error.detail).filter(Boolean);
        // The owner may have paused the website while the page was open.
        const closed = problem.code === "website_inactive" && "This form is closed: the website takes no messages at the moment.";
        status.textContent = closed || details.join("; ") || problem.detail || "Your message was not sent. Please try again.";
      }
    } catch {
      status.textContent = "Your message could not be sent. Please check your connection and try again.";
    } finally {
      button.disabled = false;
    }
  });
}
