// The page of a network: messages, clocks and automata along a run.
const number = (text) => { const [above, below] = text.split("/"); return Number(above) / Number(below || 1); };
const MOST_CLOCKS = 8;
const locations = (values) => Object.entries(values).filter(([name]) => name.endsWith(".location"));

const list = rows(find("steps"), () => trail().length, (index) => {
  const each = trail()[index];
  const changes = Object.entries(each.values).filter(([name]) => index && !name.endsWith(".location")).map(([name, value]) => `${name} = ${value}`).join(", ");
  return build("div", { class: `row${index === run.step ? " here" : ""}`, "data-step": index + 1, onclick: () => go(index) },
    build("span", { class: "number" }, String(index + 1)), build("span", { class: "time" }, each.time), build("span", {}, each.text),
    changes ? build("span", { class: "values" }, changes) : null);
});

for (const group of find("sequence").querySelectorAll("g[data-step]")) group.addEventListener("click", () => go(Number(group.dataset.step)));

function known() {
  const values = new Map();
  for (const each of trail().slice(0, run.step + 1)) for (const [name, value] of Object.entries(each.values)) values.set(name, value);
  return values;
}

// ---- clocks: each grows with time, and falls where it is set
let shown = new Set();
const clocks = () => Object.keys(trail()[0]?.clocks || {});
function series(name) {
  const points = [];
  for (const [index, each] of trail().entries()) {
    if (!(name in each.clocks)) break;
    const at = number(each.time), value = number(each.clocks[name]);
    if (index) {
      const before = trail()[index - 1];
      points.push([at, number(before.clocks[name]) + at - number(before.time)]);
    }
    points.push([at, value]);
  }
  return points;
}
function chart(width) {
  const names = clocks().filter((name) => shown.has(name));
  const lines = names.map((name) => [name, series(name)]);
  const end = Math.max(1e-9, ...trail().map((each) => number(each.time)));
  const top = Math.max(1e-9, ...lines.flatMap(([, points]) => points.map(([, value]) => value)));
  const height = 260, left = 52, right = 16, bottom = 34;
  const x = scale(0, end, left, width - right, false), y = scale(0, top, height - bottom, 14, false);
  const colour = (name) => `var(--series-${clocks().indexOf(name) % 8})`;
  find("chart").replaceChildren(build("svg:svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": "clocks over time" },
    x.ticks.map((tick) => [build("svg:line", { class: "grid", x1: x.place(tick), x2: x.place(tick), y1: 14, y2: height - bottom }), build("svg:text", { x: x.place(tick), y: height - bottom + 16, "text-anchor": "middle" }, String(tick))]).flat(),
    y.ticks.map((tick) => [build("svg:line", { class: "grid", x1: left, x2: width - right, y1: y.place(tick), y2: y.place(tick) }), build("svg:text", { x: left - 8, y: y.place(tick) + 4, "text-anchor": "end" }, String(tick))]).flat(),
    build("svg:text", { x: width - right, y: height - 4, "text-anchor": "end" }, "time"),
    lines.map(([name, points]) => build("svg:path", { class: "clock", style: `stroke: ${colour(name)}`, d: `M${points.map(([at, value]) => `${x.place(at).toFixed(1)} ${y.place(value).toFixed(1)}`).join(" L")}`,
      onmousemove: (event) => point(event, name), onmouseleave: unpoint })),
    build("svg:line", { class: "now", y1: 8, y2: height - bottom })));
  time = x;
  tick();
}
// Only the line of the present time moves along with the steps.
let time = null;
function tick() {
  const line = find("chart").querySelector(".now"), at = run.step < 0 || !time ? -99 : time.place(number(trail()[run.step].time));
  line?.setAttribute("x1", at);
  line?.setAttribute("x2", at);
}
let wide = find("chart").clientWidth || 900;
whenWide(find("chart"), (width) => { wide = width; if (trail().length && clocks().length) chart(width); });
function legend() {
  find("legend").replaceChildren(...clocks().slice(0, 40).map((name) => {
    const box = build("input", { type: "checkbox", checked: shown.has(name), onchange: () => { box.checked ? shown.add(name) : shown.delete(name); chart(wide); } });
    return build("label", {}, box, build("i", { style: `background: var(--series-${clocks().indexOf(name) % 8})` }), name);
  }), ...(clocks().length > 40 ? [build("span", { class: "faint small" }, `and ${clocks().length - 40} more`)] : []));
}

// ---- automata
const automatonOf = (process) => content.automata.find((each) => each.processes.includes(process));
const view = canvas(find("graph"), find("graph-controls"));
let drawnProcess = null;
function draw() {
  drawnProcess = find("process").value;
  const graph = automatonOf(drawnProcess);
  if (!graph) return;
  find("graph-note").textContent = graph.boxes ? (graph.processes.length > 1 ? `${graph.title}. ` : "") + "Dashed: urgent; dotted: committed. Drag to move, + and - for larger and smaller." : `${graph.size} locations are too many for a picture here; argosy show has them all.`;
  view.show(...(graph.boxes ? [picture(graph)] : []));
  marked();
}
function marked() {
  const graph = automatonOf(drawnProcess);
  if (!graph || !graph.boxes) return;
  const own = (each) => each.edges.filter((edge) => edge.process === drawnProcess).map((edge) => graph.arcs[edge.edge]);
  mark(find("graph"), new Set(trail().slice(0, run.step + 1).flatMap(own)), new Set(run.step >= 0 ? own(trail()[run.step]) : []));
  const at = graph.locations[known().get(`${drawnProcess}.location`)];
  for (const box of find("graph").querySelectorAll("rect")) box.classList.toggle("here", Number(box.dataset.box) === at);
}

function taken() {
  find("run-card").hidden = !trail().length;
  for (const each of find("sequence").querySelectorAll("[data-answer]")) each.hidden = Number(each.dataset.answer) !== run.chosen;
  const drawn = find("sequence").querySelector("[data-answer]:not([hidden]) svg");
  const tall = Math.min(620, Math.max(400, drawn ? Number(drawn.getAttribute("height")) + 30 : 0));
  document.querySelector(".panes").style.setProperty("--tall", `${tall}px`);
  const out = answer().resting || [];
  find("resting").hidden = !out.length;
  find("resting").textContent = out.length ? `Left out of the picture because ${out.length === 1 ? "it never moves" : "they never move"}: ${out.slice(0, 30).join(", ")}${out.length > 30 ? `, and ${out.length - 30} more` : ""}.` : "";
  shown = new Set(clocks().slice(0, MOST_CLOCKS));
  find("clocks-card").hidden = !clocks().length;
  legend();
  if (clocks().length) chart(wide);
  if (!trail().length) marked();
}

function stepped(now) {
  const values = known(), changed = new Set(run.step ? Object.keys(now.values) : []);
  const row = (name, value, own) => build("tr", { class: changed.has(own ?? name) ? "changed" : null }, build("td", {}, name), build("td", {}, value));
  const part = (title, entries) => (entries.length ? [build("tr", {}, build("th", { colspan: 2 }, title)), ...entries.slice(0, 300)] : []);
  const others = [...values].filter(([name]) => !name.endsWith(".location"));
  find("state-title").textContent = `State at time ${now.time}${now.delay === "0" ? "" : `, after a delay of ${now.delay}`}`;
  find("state").replaceChildren(build("table", { class: "values-table" }, build("tbody", {},
    ...part("processes", locations(Object.fromEntries(values)).map(([name, value]) => row(name.slice(0, -9), value, name))),
    ...part("variables", others.map(([name, value]) => row(name, value))),
    ...part("clocks", Object.entries(now.clocks).map(([name, value]) => row(name, value))),
    ...part("zone", now.zone.map((text) => build("tr", {}, build("td", { colspan: 2 }, text)))))));
  list.reveal(run.step);
  for (const group of find("sequence").querySelectorAll(`[data-answer="${run.chosen}"] g[data-step]`)) {
    const here = Number(group.dataset.step) === run.step;
    group.classList.toggle("here", here);
    if (here) reveal(find("sequence"), group);
  }
  tick();
  const mover = now.edges[0]?.process;
  if (find("follow").checked && mover && !now.edges.some((edge) => edge.process === drawnProcess) && automatonOf(mover)) { find("process").value = mover; draw(); } else marked();
}

fill(find("process"), content.automata.flatMap((each) => each.processes.map((name) => [name, name])), content.automata[0]?.processes[0]);
find("graph-card").hidden = !content.automata.length;
find("process").addEventListener("change", draw);
draw();
begin({ taken, stepped });
ready();
