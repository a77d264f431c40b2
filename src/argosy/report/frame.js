// The frame of a report: its head, one answer for each question, and stepping through the run of the one looked at.
const short = (name) => (name.includes("::") ? name.slice(name.lastIndexOf("::") + 2) : name);

find("title").textContent = content.input;
// A workbench around this page says what it is about.
document.documentElement.classList.toggle("inside", parent !== window);
find("about").textContent = content.about || "";
find("verdict").textContent = content.verdict || "";
find("verdict").className = content.colour || "";
find("remarks").append(...(content.remarks || []).map((remark) => build("li", {}, remark)));
find("tiles").append(...(content.figures || []).map(([figure, name]) => build("div", { class: "tile" }, build("b", {}, figure), build("span", {}, name))));
find("ledger").append(...(content.ledger || []).map((line) => build("li", {}, line)));
find("assumptions").hidden = !(content.ledger || []).length;

// ---- stepping: the page says what to do when an answer is taken and when a step is shown
const run = { chosen: 0, step: -1 };
const answer = () => content.answers[run.chosen] || { steps: [], claims: [] };
const trail = () => answer().steps;
let page = { taken() {}, stepped() {} };

function go(index, quietly) {
  if (!trail().length) return;
  run.step = Math.max(0, Math.min(trail().length - 1, index));
  find("where").textContent = `step ${run.step + 1} of ${trail().length}`;
  find("previous").disabled = find("first").disabled = run.step === 0;
  find("next").disabled = find("last").disabled = run.step === trail().length - 1;
  page.stepped(trail()[run.step]);
  if (!quietly) remember();
}

// The address leads back to the step, and to the node of a graph that is looked at.
const looked = { node: null, graph: null };
function remember() {
  const parts = { answer: content.answers.length > 1 ? run.chosen + 1 : null, step: run.step >= 0 ? run.step + 1 : null, ...looked };
  const at = Object.entries(parts).filter(([, number]) => number !== null).map(([name, number]) => `${name}=${number}`).join("&");
  history.replaceState(null, "", `#${at}`);
  if (parent !== window) parent.postMessage({ at }, "*");
}
function remembered(name) {
  const number = new URLSearchParams(location.hash.slice(1)).get(name);
  return number !== null && /^\d{1,9}$/.test(number) ? Number(number) : null;
}

function take(index, at, quietly) {
  run.chosen = index;
  run.step = -1;
  if (!find("stepping")) return;
  find("stepping").hidden = find("keys").hidden = !trail().length;
  find("headline").textContent = trail().length ? answer().said : "";
  for (const [number, row] of find("answer-table").querySelectorAll("tbody tr").entries()) row.classList.toggle("here", number === index);
  page.taken();
  if (trail().length) go(at ?? trail().length - 1, quietly);
}

function address() {
  const named = new URLSearchParams(location.hash.slice(1));
  const first = Math.max(0, content.answers.findIndex((each) => each.steps.length));
  const which = Math.min(content.answers.length, Math.max(1, Number(named.get("answer")) || 1 + first)) - 1;
  const at = Number(named.get("step"));
  take(which, at > 0 ? at - 1 : undefined, true);
}

function answers() {
  if (content.answers.length < 2) return;
  find("answers").hidden = false;
  find("answer-table").replaceChildren(build("thead", {}, build("tr", {}, build("th", {}, "line"), build("th", {}, "what"), build("th", {}, "answer"))),
    build("tbody", {}, ...content.answers.map((each, index) => build("tr", {}, build("td", {}, String(each.line || "")),
      build("td", {}, build("button", { type: "button", onclick: () => take(index) }, each.text)), build("td", { class: each.colour }, each.said)))));
}

// What the keys do is what the buttons in #stepping do.
function begin(what) {
  page = what;
  const button = (id, text, key, does) => build("button", { id, type: "button", title: key, onclick: does }, text);
  find("stepping").replaceChildren(button("first", "First", "Home", () => go(0)), button("previous", "Previous", "k", () => go(run.step - 1)),
    build("span", { id: "where", role: "status" }), button("next", "Next", "j", () => go(run.step + 1)), button("last", "Last", "End", () => go(trail().length - 1)));
  const input = () => { const found = trail().findIndex((each, index) => index > run.step && each.chosen); return found < 0 ? run.step : found; };
  const another = (way) => { let at = run.step + way; while (trail()[at] && trail()[at].matters === false && at !== trail().length - 1) at += way; return at; };
  const moves = { j: () => run.step + 1, k: () => run.step - 1, J: () => another(1), K: () => another(-1), i: input, Home: () => 0, End: () => trail().length - 1 };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
    if (moves[event.key] && trail().length) { event.preventDefault(); go(moves[event.key]()); }
  });
  // A workbench around this page hands on the keys that it is given.
  addEventListener("message", (event) => { if (event.source === parent && parent !== window && Object.hasOwn(moves, event.data?.key) && trail().length) go(moves[event.data.key]()); });
  answers();
  addEventListener("hashchange", address);
  address();
}

const ready = () => { document.documentElement.dataset.ready = "yes"; };
