// The page of a program. Rows have one height, so that only those in view are in the page.
const ROW = 20;
const short = (name) => (name.includes("::") ? name.slice(name.lastIndexOf("::") + 2) : name);

find("title").textContent = content.input;
find("about").textContent = content.about;
find("verdict").textContent = content.verdict;
find("verdict").className = content.colour;
find("remarks").append(...content.remarks.map((remark) => build("li", {}, remark)));
find("tiles").append(...content.figures.map(([figure, name]) => build("div", { class: "tile" }, build("b", {}, figure), build("span", {}, name))));
find("ledger").append(...content.ledger.map((line) => build("li", {}, line)));
find("assumptions").hidden = content.ledger.length === 0;

// A list of rows of which only the visible ones are built.
function rows(pane, length, row) {
  const inner = pane.appendChild(build("div", { class: "rows" }));
  let from = 0, to = 0;
  const show = (again) => {
    const first = Math.max(0, Math.floor(pane.scrollTop / ROW) - 20);
    const past = Math.min(length(), Math.ceil((pane.scrollTop + (pane.clientHeight || 600)) / ROW) + 20);
    if (!again && first === from && past === to) return;
    [from, to] = [first, past];
    inner.style.height = `${length() * ROW}px`;
    inner.replaceChildren(...Array.from({ length: Math.max(0, to - from) }, (_, offset) => {
      const element = row(from + offset);
      element.style.top = `${(from + offset) * ROW}px`;
      return element;
    }));
  };
  pane.addEventListener("scroll", () => show(false));
  new ResizeObserver(() => show(false)).observe(pane);
  return { show: () => show(true), reveal: (index) => {
    inner.style.height = `${length() * ROW}px`;
    const top = index * ROW, height = pane.clientHeight || 600;
    if (top < pane.scrollTop + ROW || top > pane.scrollTop + height - 3 * ROW) pane.scrollTop = Math.max(0, top - height / 2);
    show(true);
  } };
}

let chosen = 0, step = -1, file = 0;
const answer = () => content.answers[chosen] || { steps: [], claims: [] };
const trail = () => answer().steps;
const fileOf = (place) => content.files.findIndex((each) => each.name === place.file);

// What the lines say: which the execution has passed so far, the last values set there, and the claims of proofs.
let passed = new Map(), claims = new Map();
function gather() {
  passed = new Map();
  for (const each of trail().slice(0, step + 1)) {
    if (fileOf(each) !== file || !each.line) continue;
    const values = Object.entries(each.values).map(([name, value]) => `${short(name)} = ${value}`).join(", ");
    passed.set(each.line, values || passed.get(each.line) || "");
  }
  claims = new Map();
  for (const claim of answer().claims) if (fileOf(claim) === file) claims.set(claim.line, claim.text);
}

const source = rows(find("source"), () => content.files[file].lines.length, (index) => {
  const line = index + 1;
  const here = step >= 0 && trail()[step].line === line && fileOf(trail()[step]) === file;
  const last = here && step === trail().length - 1 && answer().verdict === "unsafe";
  return build("div", { class: `row${passed.has(line) ? " passed" : ""}${last ? " fails" : here ? " here" : ""}`, "data-line": line },
    build("span", { class: "number" }, String(line)), build("span", {}, content.files[file].lines[index]),
    passed.get(line) ? build("span", { class: "note" }, passed.get(line)) : null,
    claims.has(line) ? build("span", { class: "claim" }, claims.get(line)) : null);
});

const fit = () => { find("source").style.height = `${Math.min(620, Math.max(8, content.files[file].lines.length + 2) * ROW)}px`; };

const list = rows(find("steps"), () => trail().length, (index) => {
  const each = trail()[index];
  const values = Object.entries(each.values).map(([name, value]) => `${short(name)} = ${value}`).join(", ");
  return build("div", { class: `row${index === step ? " here" : ""}${each.matters ? "" : " aside"}`, "data-step": index + 1, onclick: () => go(index) },
    build("span", { class: "number" }, String(index + 1)),
    build("span", { class: each.chosen ? "chosen" : each.kind }, "  ".repeat(each.depth) + each.text),
    values ? build("span", { class: "values" }, values) : null);
});

function stack() {
  const frames = [];
  for (const [index, each] of trail().slice(0, step + 1).entries()) {
    if (!each.function) continue;
    frames.length = Math.min(frames.length, each.depth + 1);
    frames[each.depth] = { name: each.function, line: each.line, step: index };
  }
  return frames.filter(Boolean);
}

function go(index, quietly) {
  if (!trail().length) return;
  step = Math.max(0, Math.min(trail().length - 1, index));
  const now = trail()[step];
  if (fileOf(now) >= 0 && fileOf(now) !== file) { file = fileOf(now); find("file").value = String(file); }
  gather();
  find("where").textContent = `step ${step + 1} of ${trail().length}`;
  find("previous").disabled = find("first").disabled = step === 0;
  find("next").disabled = find("last").disabled = step === trail().length - 1;
  find("stack").replaceChildren(...stack().map((frame) => build("li", {}, build("button", { type: "button", onclick: () => go(frame.step) }, frame.line ? `${frame.name}, line ${frame.line}` : frame.name))));
  const known = new Map();
  for (const each of trail().slice(0, step + 1)) for (const [name, value] of Object.entries(each.values)) { known.delete(name); known.set(name, value); }
  find("values").replaceChildren(build("table", {}, build("tbody", {}, ...[...known].reverse().slice(0, 200).map(([name, value]) =>
    build("tr", { class: name in now.values ? "changed" : null }, build("td", {}, name), build("td", {}, value))))));
  source.reveal(Math.max(0, now.line - 1));
  list.reveal(step);
  if (find("follow").checked && now.arc && now.arc[0] !== drawn) { find("function").value = now.arc[0]; draw(); } else mark();
  if (!quietly) history.replaceState(null, "", `#${content.answers.length > 1 ? `answer=${chosen + 1}&` : ""}step=${step + 1}`);
}

// The automaton of one function.
let drawn = null, zoom = 1;
function curve(points) {
  let [x, y] = points[0];
  return points.slice(1).reduce((path, [right, down]) => {
    const middle = (y + down) / 2;
    const next = `${path} C${x} ${middle} ${right} ${middle} ${right} ${down}`;
    [x, y] = [right, down];
    return next;
  }, `M${x} ${y}`);
}
function texts(lines, x, y, anchor, kind, arc) {
  return lines.map((line, index) => build("svg:text", { x, y: y - ((lines.length - 1) * 15) / 2 + 4 + index * 15, "text-anchor": anchor, class: kind, "data-arc": arc }, line));
}
function draw() {
  const graph = content.functions.find((each) => each.name === find("function").value);
  if (!graph) return;
  drawn = graph.name;
  if (!graph.boxes) {
    find("graph-note").textContent = `${graph.size} locations are too many for a picture here; argosy show --out model.dot has them all.`;
    find("graph").replaceChildren();
    return;
  }
  find("graph-note").textContent = "Calls are boxes with dots; loops begin at boxes with dashes.";
  const arrow = (id, kind) => build("svg:marker", { id, viewBox: "0 0 8 8", refX: 8, refY: 4, markerUnits: "userSpaceOnUse", markerWidth: 9, markerHeight: 9, orient: "auto" }, build("svg:path", { class: `tip ${kind}`, d: "M0 0 L8 4 L0 8 z" }));
  find("graph").replaceChildren(build("svg:svg", { viewBox: `-10 -10 ${graph.width + 20} ${graph.height + 20}`, width: (graph.width + 20) * zoom, height: (graph.height + 20) * zoom, role: "img", "aria-label": `automaton of ${graph.title}` },
    build("svg:defs", {}, arrow("arrow", ""), arrow("arrow-passed", "passed")),
    graph.routes.map((route) => build("svg:path", { class: "arc", d: curve(route.points), "data-arc": route.arc, "marker-end": "url(#arrow)" })),
    graph.loops.map((loop) => build("svg:path", { class: "arc", d: `M${loop.at[0]} ${loop.at[1] - 4} C${loop.at[0] + 24} ${loop.at[1] - 14} ${loop.at[0] + 24} ${loop.at[1] + 14} ${loop.at[0]} ${loop.at[1] + 4}`, "data-arc": loop.arc, "marker-end": "url(#arrow)" })),
    graph.loops.flatMap((loop) => texts(loop.text, loop.at[0] + 26, loop.at[1], "start", "label", loop.arc)),
    graph.routes.filter((route) => route.label).flatMap((route) => texts(route.text, route.label[0], route.label[1], "start", "label", route.arc)),
    graph.boxes.flatMap((box) => [build("svg:rect", { class: ["box", ...box.marks].join(" "), x: box.at[0] - box.at[2] / 2, y: box.at[1] - box.at[3] / 2, width: box.at[2], height: box.at[3], rx: 9 }), ...texts(box.text, box.at[0], box.at[1], "middle", "name")])));
  mark();
}
function mark() {
  const used = new Set(trail().slice(0, step + 1).filter((each) => each.arc && each.arc[0] === drawn).map((each) => String(each.arc[1])));
  const now = step >= 0 && trail()[step].arc && trail()[step].arc[0] === drawn ? String(trail()[step].arc[1]) : null;
  for (const element of find("graph").querySelectorAll("[data-arc]")) {
    element.classList.toggle("passed", used.has(element.dataset.arc));
    element.classList.toggle("here", element.dataset.arc === now);
    if (element.tagName === "path") element.setAttribute("marker-end", used.has(element.dataset.arc) ? "url(#arrow-passed)" : "url(#arrow)");
    if (element.dataset.arc === now && element.tagName === "text") element.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }
}

function take(index, at, quietly) {
  chosen = index;
  step = -1;
  const present = answer();
  find("side").hidden = find("stepping").hidden = find("keys").hidden = find("follow-label").hidden = !trail().length;
  document.querySelector(".panes").classList.toggle("alone", !trail().length);
  find("claims-card").hidden = !present.claims.length;
  find("claims").replaceChildren(build("thead", {}, build("tr", {}, build("th", {}, "line"), build("th", {}, "where"), build("th", {}, "holds"))),
    build("tbody", {}, ...present.claims.slice(0, 500).map((claim) => build("tr", {},
      build("td", {}, build("button", { type: "button", onclick: () => { file = Math.max(0, fileOf(claim)); gather(); source.reveal(claim.line - 1); } }, String(claim.line || ""))),
      build("td", {}, claim.kind === "loop" ? `loop in ${claim.function}` : claim.function), build("td", { class: "formula" }, claim.text)))));
  find("headline").textContent = present.steps.length ? present.said : "";
  gather();
  if (!trail().length) fit();
  source.show();
  if (trail().length) go(at ?? trail().length - 1, quietly); else mark();
}

if (content.answers.length > 1) {
  find("answers").hidden = false;
  find("answer-table").replaceChildren(build("thead", {}, build("tr", {}, build("th", {}, "line"), build("th", {}, "what"), build("th", {}, "answer"))),
    build("tbody", {}, ...content.answers.map((each, index) => build("tr", {}, build("td", {}, String(each.line || "")),
      build("td", {}, build("button", { type: "button", onclick: () => take(index) }, each.text)), build("td", { class: each.verdict }, each.verdict === "unsafe" ? each.said : each.verdict.toUpperCase())))));
}
fill(find("file"), content.files.map((each, index) => [String(index), each.name]), "0");
find("file-label").hidden = content.files.length < 2;
find("file").addEventListener("change", () => { file = Number(find("file").value); gather(); find("source").scrollTop = 0; source.show(); });
fill(find("function"), content.functions.map((each) => [each.name, each.title]), content.functions[0]?.name);
find("graph-card").hidden = !content.functions.length;
find("function").addEventListener("change", draw);
find("larger").addEventListener("click", () => { zoom *= 1.25; draw(); });
find("smaller").addEventListener("click", () => { zoom /= 1.25; draw(); });
find("first").addEventListener("click", () => go(0));
find("previous").addEventListener("click", () => go(step - 1));
find("next").addEventListener("click", () => go(step + 1));
find("last").addEventListener("click", () => go(trail().length - 1));
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
  const input = () => { const found = trail().findIndex((each, index) => index > step && each.chosen); return found < 0 ? step : found; };
  const another = (way) => { let at = step + way; while (trail()[at] && !trail()[at].matters && at !== trail().length - 1) at += way; return at; };
  const moves = { j: () => go(step + 1), k: () => go(step - 1), J: () => go(another(1)), K: () => go(another(-1)), i: () => go(input()), Home: () => go(0), End: () => go(trail().length - 1) };
  if (moves[event.key] && trail().length) { event.preventDefault(); moves[event.key](); }
});
function address() {
  const named = new URLSearchParams(location.hash.slice(1));
  const which = Math.min(content.answers.length, Math.max(1, Number(named.get("answer")) || 1 + Math.max(0, content.answers.findIndex((each) => each.steps.length)))) - 1;
  const at = Number(named.get("step"));
  take(which, at > 0 ? at - 1 : undefined, true);
}
addEventListener("hashchange", address);
draw();
address();
document.documentElement.dataset.ready = "yes";
