// The page of a program: the source and whatever is said about it.
let file = 0;
const fileOf = (place) => content.files.findIndex((each) => each.name === place.file);
const told = (values) => Object.entries(values).map(([name, value]) => `${short(name)} = ${value}`).join(", ");

// What the lines say: which the execution has passed so far, the last values set there, and the claims of proofs.
let passed = new Map(), claims = new Map();
function gather() {
  passed = new Map();
  for (const each of trail().slice(0, run.step + 1)) {
    if (fileOf(each) !== file || !each.line) continue;
    passed.set(each.line, told(each.values) || passed.get(each.line) || "");
  }
  claims = new Map();
  for (const claim of answer().claims) if (fileOf(claim) === file) claims.set(claim.line, claim.text);
}

const source = rows(find("source"), () => content.files[file].lines.length, (index) => {
  const line = index + 1, now = trail()[run.step];
  const here = now && now.line === line && fileOf(now) === file;
  const last = here && run.step === trail().length - 1 && answer().verdict === "unsafe";
  return build("div", { class: `row${passed.has(line) ? " passed" : ""}${last ? " fails" : here ? " here" : ""}`, "data-line": line },
    build("span", { class: "number" }, String(line)), build("span", {}, content.files[file].lines[index]),
    passed.get(line) ? build("span", { class: "note" }, passed.get(line)) : null,
    claims.has(line) ? build("span", { class: "claim" }, claims.get(line)) : null);
});
const fit = () => find("source").style.setProperty("--tall", `${Math.min(620, Math.max(8, content.files[file].lines.length + 2) * ROW)}px`);
function leap(name, line) {
  file = Math.max(0, fileOf({ file: name }));
  find("file").value = String(file);
  gather();
  source.reveal(line - 1);
  find("source").scrollIntoView({ block: "nearest" });
}

const list = rows(find("steps"), () => trail().length, (index) => {
  const each = trail()[index], values = told(each.values);
  return build("div", { class: `row${index === run.step ? " here" : ""}${each.matters ? "" : " aside"}`, "data-step": index + 1, onclick: () => go(index) },
    build("span", { class: "number" }, String(index + 1)),
    build("span", { class: each.chosen ? "chosen" : each.kind }, "  ".repeat(Math.min(each.depth, 12)) + each.text),
    values ? build("span", { class: "values" }, values) : null);
});

// Of each active call where it was last: the last step that is not deeper.
function stack() {
  const frames = [];
  for (const [index, each] of trail().slice(0, run.step + 1).entries()) {
    if (!each.function) continue;
    frames.length = Math.min(frames.length, each.depth + 1);
    frames[each.depth] = { name: each.function, line: each.line, step: index };
  }
  return frames.filter(Boolean);
}

// What came from outside, in its order.
let taken = [];
const inputs = rows(find("inputs"), () => taken.length, (place) => {
  const each = trail()[taken[place]];
  return build("div", { class: `row${taken[place] === run.step ? " here" : ""}`, onclick: () => go(taken[place]) },
    build("span", { class: "number" }, String(place + 1)), build("span", {}, told(each.values) || each.text), build("span", { class: "values" }, each.line ? `line ${each.line}` : ""));
});

const memoryView = canvas(find("memory"), find("memory-controls"));
const functionView = canvas(find("graph"), find("graph-controls"));
let drawn = null;
function draw() {
  const graph = content.functions.find((each) => each.name === find("function").value);
  if (!graph) return;
  drawn = graph.name;
  find("graph-note").textContent = graph.boxes ? "Calls are boxes with dots; loops begin at boxes with dashes. Drag to move, + and - for larger and smaller." : `${graph.size} locations are too many for a picture here; argosy show --out model.dot has them all.`;
  functionView.show(...(graph.boxes ? [picture(graph)] : []));
  marked();
}
function marked() {
  const own = (each) => each && each.arc && each.arc[0] === drawn;
  const used = new Set(trail().slice(0, run.step + 1).filter(own).map((each) => each.arc[1]));
  const now = trail()[run.step];
  mark(find("graph"), used, new Set(own(now) ? [now.arc[1]] : []));
}

function took() {
  find("side").hidden = find("follow-label").hidden = !trail().length;
  document.querySelector(".panes").classList.toggle("alone", !trail().length);
  const present = answer();
  find("memory-card").hidden = !present.memory;
  if (present.memory) memoryView.show(picture(present.memory));
  find("claims-card").hidden = !present.claims.length;
  find("claims").replaceChildren(build("thead", {}, build("tr", {}, build("th", {}, "line"), build("th", {}, "where"), build("th", {}, "holds"))),
    build("tbody", {}, ...present.claims.slice(0, 500).map((claim) => build("tr", {},
      build("td", {}, build("button", { type: "button", onclick: () => leap(claim.file, claim.line) }, String(claim.line || ""))),
      build("td", {}, claim.kind === "loop" ? `loop in ${claim.function}` : claim.function), build("td", { class: "formula" }, claim.text)))));
  taken = [...trail().keys()].filter((index) => trail()[index].chosen);
  find("inputs").hidden = find("inputs-title").hidden = !taken.length;
  find("inputs-title").textContent = `Inputs (${taken.length})`;
  find("inputs").style.setProperty("--tall", `${Math.min(6, taken.length) * ROW + 4}px`);
  inputs.show();
  gather();
  fit();
  if (!trail().length) marked();
  source.show();
}

function stepped(now) {
  if (fileOf(now) >= 0 && fileOf(now) !== file) { file = fileOf(now); find("file").value = String(file); }
  gather();
  find("stack").replaceChildren(...stack().map((frame) => build("li", {}, build("button", { type: "button", onclick: () => go(frame.step) }, frame.line ? `${frame.name}, line ${frame.line}` : frame.name))));
  find("stack").scrollTop = find("stack").scrollHeight;
  const known = new Map();
  for (const each of trail().slice(0, run.step + 1)) for (const [name, value] of Object.entries(each.values)) { known.delete(name); known.set(name, value); }
  find("values").replaceChildren(build("table", { class: "values-table" }, build("tbody", {}, ...[...known].reverse().slice(0, 200).map(([name, value]) =>
    build("tr", { class: name in now.values ? "changed" : null }, build("td", {}, name), build("td", {}, value))))));
  if (taken.length) inputs.reveal(Math.max(0, taken.findLastIndex((index) => index <= run.step)));
  source.reveal(Math.max(0, now.line - 1));
  list.reveal(run.step);
  if (find("follow").checked && now.arc && now.arc[0] !== drawn) { find("function").value = now.arc[0]; draw(); } else marked();
}

// ---- how it went
function course() {
  const name = content.files[0] && content.files[0].name;
  const where = (each) => (each.locations > 12 ? [build("span", { class: "faint" }, `at ${each.locations} locations`)] : each.lines.slice(0, 6).map((line) => build("button", { type: "button", onclick: () => leap(name, line) }, `line ${line}`)));
  find("lessons-card").hidden = !content.lessons.length;
  find("lessons").replaceChildren(build("thead", {}, build("tr", {}, build("th", {}, "refinement"), build("th", {}, "stage"), build("th", {}, "learned"))),
    build("tbody", {}, ...content.lessons.map((lesson) => build("tr", {}, build("td", { class: "number" }, String(lesson.number)), build("td", {}, lesson.phase),
      build("td", {}, build("ul", {}, ...(lesson.learned.length ? lesson.learned.slice(0, 60).map((each) => build("li", {}, each.tracks ? `values of ${each.text}` : each.text, ...where(each))) : [build("li", {}, "nothing that stands at a location")])))))));
  const most = Math.max(0.001, ...content.phases.map((phase) => phase.seconds));
  find("phases-card").hidden = !content.phases.length;
  find("phases").replaceChildren(build("thead", {}, build("tr", {}, ...["stage", "seconds", "", "abstract states", "refinements"].map((title, place) => build("th", { class: place === 1 || place > 2 ? "number" : null }, title)))),
    build("tbody", {}, ...content.phases.map((phase) => build("tr", {}, build("td", {}, phase.name), build("td", { class: "number" }, phase.seconds.toFixed(2)),
      build("td", { class: "bar" }, build("i", { style: `width: ${(100 * phase.seconds) / most}%` })), build("td", { class: "number" }, phase.nodes ? count(phase.nodes) : ""), build("td", { class: "number" }, phase.refinements ? count(phase.refinements) : "")))));
  const reached = content.reached;
  find("reached-card").hidden = !reached;
  if (!reached) return;
  const kept = reached.number.filter((_, node) => reached.last[node] === reached.graphs).length;
  find("reached-note").textContent = `The states of the last stage${kept < reached.size ? `, the first ${count(kept)} of ${count(reached.size)}` : ""}${reached.graphs > 1 ? ", and what each refinement found before" : ""}. Arrow keys walk from node to node, + and - zoom, 0 shows all, c leads to the node that covers, f searches.`;
  Object.assign(looked, { node: remembered("node"), graph: remembered("graph") });
  explorer(find("reached"), reached, { ...looked }, (node, graph) => { Object.assign(looked, { node, graph }); remember(); }, name ? (line) => leap(name, line) : null);
  if (looked.node !== null) find("reached-card").scrollIntoView();
}

fill(find("file"), content.files.map((each, index) => [String(index), each.name]), "0");
find("file-label").hidden = content.files.length < 2;
find("file").addEventListener("change", () => { file = Number(find("file").value); gather(); find("source").scrollTop = 0; source.show(); });
fill(find("function"), content.functions.map((each) => [each.name, each.title]), content.functions[0]?.name);
find("graph-card").hidden = !content.functions.length;
find("function").addEventListener("change", draw);
draw();
begin({ taken: took, stepped });
course();
ready();
