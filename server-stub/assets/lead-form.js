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
      const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
      if (response.ok) {
        form.reset();
        status.textContent = "Thank you. Your message is on its way.";
      } else {
        const problem = await response.json().catch(() => ({}));
        status.textContent = problem.detail || "Your message was not taken. Please try again.";
      }
    } catch {
      status.textContent = "Your message could not be sent. Please check your connection and try again.";
    } finally {
      button.disabled = false;
    }
  });
}
