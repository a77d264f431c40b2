// Runs after the page's own scripts. Text goes through base64: what a page shows may be anything.
(async () => {
  const problems = [];
  document.addEventListener("securitypolicyviolation", (event) => problems.push(event.violatedDirective));
  const text = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent.trim());
  const click = (selector) => document.querySelector(selector).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const choose = (id, value) => {
    const element = document.getElementById(id);
    element.value = value;
    element.dispatchEvent(new Event(element.tagName === "INPUT" ? "input" : "change", { bubbles: true }));
  };
  let answer;
  try { answer = await (async () => { SCRIPT })(); } catch (error) { problems.push(String(error)); }
  const seen = { answer, problems, error: document.documentElement.dataset.error || null, ready: document.documentElement.dataset.ready || null };
  const bytes = new TextEncoder().encode(JSON.stringify(seen));
  document.body.append(Object.assign(document.createElement("pre"), { id: "seen", textContent: btoa(String.fromCharCode(...bytes)) }));
})();
