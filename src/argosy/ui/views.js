// The views: a file with what can be asked of it, a run with its report, two runs beside each other.
const STATISTICS = [["wall_s", "time", seconds], ["cpu_s", "processor time", seconds], ["peak_memory_mb", "memory", megabytes], ["nodes", "nodes", count], ["refinements", "refinements", count],
  ["predicates", "predicates", count], ["solver_checks", "solver checks", count], ["abstractions", "abstractions", count], ["explored_states", "explored states", count]];
const COUNTED = ["nodes", "refinements", "predicates", "steps", "lemmas"];

const progressLine = (live) => (live ? `${live.phase}, ${COUNTED.filter((name) => live.counts[name]).map((name) => `${count(live.counts[name])} ${name}`).concat(seconds(live.elapsed)).join(", ")}` : "starting");
const padded = (number) => String(number).padStart(2, "0");
const when = (moment) => { const date = new Date(moment * 1000), time = `${padded(date.getHours())}:${padded(date.getMinutes())}:${padded(date.getSeconds())}`; return date.toDateString() === new Date().toDateString() ? time : `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())} ${time}`; };
const card = (title, ...inner) => build("section", { class: "card" }, title ? build("header", {}, build("h2", {}, title)) : null, ...inner);
const button = (text, does, attributes = {}) => build("button", { type: "button", onclick: does, ...attributes }, text);
const STATUS = { queued: "waiting", running: "running", stopped: "stopped", failed: "failed" };

function pill(record, at) {
  if (record.status && record.status !== "done") return build("a", { class: `pill ${record.status === "failed" ? "failed" : "open"}`, href: runAddress(record.id) }, STATUS[record.status]);
  return build("span", {}, build("a", { class: `pill ${record.colour}`, href: runAddress(record.id, at) }, record.verdict.toUpperCase()), record.stale ? build("span", { class: "stale-mark", title: "a file has changed since" }, "stale") : null);
}

function homeView(view) {
  const groups = new Map();
  for (const file of bench.folder.files) groups.set(file.title, [...(groups.get(file.title) || []), file]);
  const tile = ([title, files]) => {
    const verdicts = ["unsafe", "unknown", "safe"].map((colour) => [colour, files.filter((file) => file.verdict?.colour === colour).length]).filter(([, number]) => number);
    return build("a", { class: "tile", href: fileAddress(files[0].name) }, build("b", {}, String(files.length)), build("span", {}, title), build("span", { class: "tally" }, ...verdicts.map(([colour, number]) => build("span", {}, build("span", { class: `dot ${colour}` }), String(number)))));
  };
  const live = build("div", { id: "live" });
  const recent = bench.folder.recent.filter((run) => run.status !== "queued" && run.status !== "running");
  find("view").className = "";
  find("view").replaceChildren(build("div", { class: "title-line" }, build("h1", {}, bench.folder.folder), build("p", { class: "faint" }, `Argosy ${bench.folder.version}. Choose a file: its properties, queries or requirements are asked with a button each, and results are kept in .argosy/ of this folder.`)),
    live,
    ...(recent.length ? [card("Last runs", build("div", { class: "scroll" }, build("table", { class: "questions stacked", id: "recent" }, build("tbody", {}, ...recent.map((run) => build("tr", {}, build("td", { class: "moment" }, when(run.asked)), build("td", { class: "what" }, build("a", { class: "plain", href: fileAddress(run.file) }, run.file), build("small", {}, `${run.question || "everything"}, strategy ${run.strategy}`)), build("td", { class: "number" }, run.seconds ? seconds(run.seconds) : ""), build("td", { class: "verdict" }, pill(run))))))))] : []),
    build("div", { class: "tiles" }, ...[...groups].map(tile)));
  view.progress = () => { live.replaceChildren(...(bench.live.length ? [queueCard()] : [])); };
  view.progress();
  view.refresh = () => { if (view.current()) homeView(view); };
}
// What runs and what waits, of all files.
function queueCard() {
  return card("Queue", build("div", { class: "scroll" }, build("table", { class: "questions", id: "waiting" }, build("tbody", {}, ...bench.live.map((run) => build("tr", {}, build("td", { class: "what" }, build("a", { class: "plain", href: runAddress(run.id) }, run.file), build("small", {}, `${run.question || "everything"}, strategy ${run.strategy}`), build("small", {}, run.status === "running" ? progressLine(run.live) : "waiting")), build("td", {}, button("Stop", quietly(() => tells("stop", { run: run.id })), { class: "danger" }))))))));
}

// ---- a file
const TABS = [["ask", "Ask"], ["source", "Source"], ["runs", "Runs"], ["simulate", "Simulate"]];
const simulated = (file) => file.kind === "network" || file.kind === "system" || file.format === "plc";

async function fileView(view) {
  const name = view.at.name, tab = view.at.query.get("tab") || "ask";
  const file = await asks("file", { name });
  if (!view.current()) return;
  view.file = name;
  view.title = name;
  const tabs = TABS.filter(([each]) => each !== "simulate" || simulated(file));
  const head = [build("div", { class: "title-line" }, build("h1", {}, name), build("div", { class: "choice tabs", role: "group", "aria-label": "views of the file" }, ...tabs.map(([each, title], index) =>
    button(title, () => { location.hash = fileAddress(name, each); }, { "aria-pressed": String(each === tab), "data-tab": index + 1, title: String(index + 1) }))),
    build("p", { class: "faint small" }, `${file.title}${file.beside.length ? `, read with ${file.beside.join(", ")}` : ""}`))];
  const inner = await ({ source: sourceTab, runs: runsTab, simulate: simulateTab }[tab] || askTab)(view, file);
  if (!view.current()) return;
  const pane = find("view"), top = view.shown ? pane.scrollTop : 0;
  pane.className = tab === "source" ? "filled" : "";
  pane.replaceChildren(...head, ...inner);
  pane.scrollTop = top;
  view.shown = true;
  view.refresh = async (edited) => { if (view.current() && (edited || tab !== "source")) await fileView(view); };
  view.after?.();
}

const chosen = { strategy: {}, time: {}, memory: {} };
function askTab(view, file) {
  const strategies = bench.folder.strategies[file.kind] || [];
  const strategy = build("select", { id: "strategy" }), advice = build("p", { class: "advice" });
  fill(strategy, strategies.map(([name]) => [name, name]), chosen.strategy[file.name] || file.strategy);
  const advise = () => { chosen.strategy[file.name] = strategy.value; advice.textContent = strategies.find(([name]) => name === strategy.value)?.[1] || ""; };
  strategy.addEventListener("change", advise);
  advise();
  const field = (id, kept, value) => { const input = build("input", { id, class: "number-field", type: "number", min: 1, step: "any", value: kept[file.name] || value }); input.addEventListener("input", () => { kept[file.name] = input.value; }); return input; };
  const time = field("time", chosen.time, file.limits[0]), memory = field("memory", chosen.memory, file.limits[1]);
  const executes = build("input", { type: "checkbox" });
  const queue = async (question, own) => tells("ask", { file: file.name, question, strategy: strategy.value, time_limit: Number(time.value), memory_limit: Math.round(Number(memory.value)), execute: executes.checked, ...own });
  const asked = (question) => queue(question.key, file.format === "c" ? { property: question.key } : { only: question.only });
  const all = quietly(async () => { if (file.format === "c") for (const question of file.questions) await asked(question); else await queue("", {}); });
  const open = (question) => bench.live.find((run) => run.file === file.name && (run.question === question.key || (run.question === "" && file.format !== "c")));
  const row = (question) => {
    const verdict = file.verdicts[question.key] || file.verdicts[question.text], now = open(question);
    return build("tr", {}, build("td", { class: "line" }, question.line ? build("a", { href: `${fileAddress(file.name, "source")}&line=${question.line}` }, String(question.line)) : ""),
      build("td", { class: "what" }, build("code", {}, question.text), question.words ? build("small", {}, question.words) : null, verdict?.reason ? build("small", {}, verdict.reason) : verdict?.words ? build("small", {}, verdict.words) : null),
      build("td", { class: "verdict" }, now ? pill(now) : verdict ? pill(verdict, verdict.number ? `answer=${verdict.number}` : "") : build("span", { class: "faint small" }, "not asked yet")),
      build("td", {}, button("Ask", quietly(() => asked(question)), { "aria-label": `ask ${question.text}`, disabled: Boolean(now) })));
  };
  const parts = [];
  if (file.wrong) parts.push(build("div", { class: "alarm", id: "wrong" }, build("h2", {}, "It cannot be asked about"), build("p", {}, file.wrong), file.line ? build("p", {}, build("a", { class: "plain", href: `${fileAddress(file.name, "source")}&line=${file.line}` }, `line ${file.line}`)) : null));
  if (file.nothing) parts.push(build("p", { class: "advice" }, file.nothing));
  const last = file.runs.find((run) => run.status === "done");
  parts.push(card("Ask", build("div", { class: "controls" }, build("label", {}, "strategy ", strategy), build("label", {}, "seconds ", time), build("label", {}, "MB ", memory),
    ...(bench.folder.executes && file.format === "c" ? [build("label", {}, executes, "execute counterexamples")] : []),
    button(file.questions.length === 1 ? "Ask" : "Ask all", all, { class: "primary", "data-key": "a", title: "a", disabled: !file.questions.length }),
    ...(last ? [button("Last result", () => { location.hash = runAddress(last.id); }, { "data-key": "o", title: "o" })] : [])), advice,
    build("div", { class: "scroll" }, build("table", { class: "questions" }, build("thead", {}, build("tr", {}, build("th", { class: "line" }, "line"), build("th", {}, "question"), build("th", {}, "last answer"), build("th", {}))), build("tbody", {}, ...file.questions.map(row))))));
  const own = { uppaal: ["query", "E<> ... or A[] ...", "A query of your own"], plc: ["require", "a condition at the end of every cycle", "A requirement of your own"] }[file.format];
  if (own) {
    const text = build("input", { id: "own", class: "wide-field", type: "text", placeholder: own[1], "aria-label": own[2], spellcheck: "false" });
    const send = quietly(async () => { if (text.value.trim()) { await queue(text.value.trim(), { [own[0]]: text.value.trim() }); text.value = ""; } });
    text.addEventListener("keydown", (event) => { if (event.key === "Enter") send(); });
    const known = file.questions.map((each) => each.text);
    const others = [...new Set(file.runs.filter((run) => run.choices[own[0]] && !known.includes(run.question)).map((run) => run.question))];
    parts.push(card(own[2], build("div", { class: "controls" }, text, button("Ask", send)), ...(others.length ? [build("div", { class: "scroll" }, build("table", { class: "questions" }, build("tbody", {}, ...others.slice(0, 20).map((question) => {
      const run = file.runs.find((each) => each.question === question);
      return build("tr", {}, build("td", { class: "what" }, build("code", {}, question)), build("td", { class: "verdict" }, pill(run)));
    }))))] : [])));
  }
  const live = build("div", { id: "live" });
  parts.push(live);
  view.progress = () => { live.replaceChildren(...bench.live.filter((run) => run.file === file.name).map(liveCard)); };
  view.progress();
  return parts;
}
function tiles(live) {
  const shown = [[live?.phase || "starting", "stage"], [seconds(live?.elapsed || 0), "elapsed"], [megabytes(live?.memory || 0), "memory"], ...COUNTED.filter((name) => live?.counts[name]).map((name) => [count(live.counts[name]), name])];
  return build("div", { class: "progress" }, ...shown.map(([figure, name]) => build("div", {}, build("b", { title: figure }, figure), build("span", {}, name))));
}
function liveCard(run) {
  return card(`${run.status === "queued" ? "Waiting" : "Running"}: ${run.question || "everything"}`, run.status === "running" ? tiles(run.live) : null,
    build("div", { class: "controls tabs" }, button("Stop", quietly(() => tells("stop", { run: run.id })), { class: "danger" }), build("a", { class: "plain", href: runAddress(run.id) }, "watch")));
}

// ---- the source, of which only the visible lines are there
async function sourceTab(view, file) {
  const { lines } = await asks("source", { name: file.name });
  let wanted = Number(view.at.query.get("line")) || 0;
  const point_ = (line) => { wanted = line; view.own = `${fileAddress(file.name, "source")}&line=${line}`; view.at.query.set("line", line); history.replaceState(null, "", view.own); list.show(); };
  const said = new Map();
  for (const verdict of Object.values(file.verdicts)) if (verdict.line && verdict.text) said.set(verdict.line, verdict);
  for (const question of file.questions) if (question.line && !said.has(question.line)) said.set(question.line, { text: question.text });
  const pane = build("div", { class: "pane tall-pane", id: "source", tabindex: 0, role: "region", "aria-label": "source" });
  const list = rows(pane, () => lines.length, (index) => {
    const verdict = said.get(index + 1);
    return build("div", { class: `row${index + 1 === wanted ? " here" : ""}` }, build("span", { class: "number", onclick: () => point_(index + 1) }, String(index + 1)), build("span", { class: "mark" }, verdict ? dot(verdict.verdict ? verdict : null) : null), build("span", {}, lines[index]),
      verdict ? build("span", { class: `said ${verdict.colour || ""}` }, `${verdict.verdict ? `${verdict.verdict.toUpperCase()}${verdict.stale ? " (stale)" : ""}: ` : ""}${verdict.text}`) : null);
  });
  const move = (way) => { const line = Math.max(1, Math.min(lines.length, (wanted || 0) + way)); point_(line); list.reveal(line - 1); };
  view.keys = { j: () => move(1), k: () => move(-1) };
  view.after = () => { if (view.revealed) list.show(); else list.reveal(Math.max(0, wanted - 1)); view.revealed = true; pane.focus({ preventScroll: true }); };
  return [pane];
}

// ---- earlier runs
const picked = [];
function runsTab(view, file) {
  if (!file.runs.length) return [build("p", { class: "empty" }, "Nothing was asked yet.")];
  const bar = build("div", { class: "controls" });
  const list = build("tbody", {});
  const say = () => {
    const both = picked.filter((id) => file.runs.some((run) => run.id === id));
    bar.replaceChildren(button("Compare", () => { location.hash = `#/compare/${both[1]}/${both[0]}`; }, { class: "primary", id: "compare", "data-key": "c", title: "c", disabled: both.length !== 2 }), build("span", { class: "faint small" }, "Choose two runs: of two strategies, or before and after a change."));
    for (const row of list.children) row.classList.toggle("chosen", both.includes(row.dataset.run));
  };
  list.append(...file.runs.slice(0, 500).map((run) => {
    const box = build("input", { type: "checkbox", checked: picked.includes(run.id), disabled: run.status !== "done", "aria-label": "compare", onchange: () => { const at = picked.indexOf(run.id); if (at >= 0) picked.splice(at, 1); else picked.unshift(run.id); for (const old of picked.splice(2)) list.querySelector(`[data-run="${old}"] input`)?.click(); say(); } });
    return build("tr", { "data-run": run.id }, build("td", {}, box), build("td", { class: "moment" }, when(run.asked)), build("td", { class: "what" }, build("code", {}, run.question || "everything"), run.message ? build("small", {}, run.message) : run.reason ? build("small", {}, run.reason) : null), build("td", {}, run.strategy),
      build("td", { class: "verdict" }, pill(run)), build("td", { class: "number" }, run.statistics ? seconds(run.statistics.wall_s) : ""), build("td", { class: "number" }, run.statistics ? count(run.statistics.nodes) : ""),
      build("td", {}, button("Forget", quietly(async () => { await tells("forget", { run: run.id }); await view.refresh(true); }), { disabled: run.status === "queued" || run.status === "running" })));
  }));
  say();
  return [card("Runs", bar, build("div", { class: "scroll tabs" }, build("table", { class: "questions stacked", id: "runs" }, build("thead", {}, build("tr", {}, ...["", "asked", "question", "strategy", "verdict"].map((title) => build("th", {}, title)), build("th", { class: "number" }, "time"), build("th", { class: "number" }, "nodes"), build("th", {}))), list)))];
}

// ---- a run: how far it is, then its report
async function runView(view) {
  const id = view.at.parts[0];
  const run = await asks("run", { id });
  if (!view.current()) return;
  view.file = run.file;
  view.title = `${run.file} ${run.verdict ? run.verdict.toUpperCase() : STATUS[run.status]}`;
  const open = run.status === "queued" || run.status === "running";
  const pane = find("view");
  pane.className = open || !run.files.includes("report.html") ? "" : "filled";
  const head = build("div", { class: "title-line" }, build("h1", {}, build("a", { class: "plain", href: fileAddress(run.file) }, run.file)),
    build("div", { class: "controls" }, run.status === "done" ? pill(run) : build("span", { class: `pill ${run.status === "failed" ? "failed" : "open"}` }, STATUS[run.status]),
      ...(open ? [button("Stop", quietly(() => tells("stop", { run: id })), { class: "danger", id: "stop" })] : []),
      ...(run.status === "done" && run.answers.some((each) => each.steps) && simulated({ kind: run.kind, format: formatOf(run.file) }) ? [button("Simulate from here", quietly(() => simulateRun(run)), { id: "leave" })] : [])),
    build("p", { class: "faint small" }, `${run.question || "everything"}, strategy ${run.strategy}${run.stage ? ` (${run.stage})` : ""}${run.status === "done" && run.verdict !== "unknown" ? (run.certified ? ", certified" : ", not certified") : ""}, at most ${run.limits[0]} s and ${run.limits[1]} MB, asked ${when(run.asked)}`));
  const parts = [head];
  if (run.message) parts.push(build("div", { class: "alarm", id: "message" }, build("p", {}, run.message), run.line ? build("a", { class: "plain", href: `${fileAddress(run.file, "source")}&line=${run.line}` }, `line ${run.line}`) : null));
  if (open) {
    const live = build("div", { id: "live" });
    parts.push(live);
    const draw = (now) => live.replaceChildren(card(run.status === "queued" ? "Waiting" : "Running", tiles(now), now && now.curve.length > 2 ? growth(now.curve) : null), ...(now ? learnedCards(now) : []));
    let due = 0;
    view.progress = quietly(async () => {
      if (Date.now() < due) return;
      due = Date.now() + 400;
      const now = await asks("run", { id });
      if (view.current() && now.live) draw(now.live);
    });
    draw(run.live);
  } else {
    view.progress = null;
    const shown = run.files.filter((name) => name !== "report.html");
    if (shown.length) parts.push(build("div", { class: "files tabs" }, build("span", { class: "faint" }, "Files"), ...shown.map((name) => build("a", { class: "plain", href: `../${bench.folder.views}/${id}/${encodeURIComponent(name)}`, download: name }, name))));
    if (run.files.includes("report.html")) {
      const at = view.at.query.get("at");
      const frame = build("iframe", { class: "report", sandbox: "allow-scripts", title: `report on ${run.file}`, src: `../${bench.folder.views}/${id}/report.html${at ? `#${at}` : ""}` });
      frame.addEventListener("load", themed);
      parts.push(frame);
      const heard = (event) => {
        if (event.source !== frame.contentWindow || typeof event.data?.at !== "string" || !/^[a-z0-9=&]{1,60}$/.test(event.data.at)) return;
        view.own = runAddress(id, event.data.at);
        view.at.query.set("at", event.data.at);
        history.replaceState(null, "", view.own);
      };
      addEventListener("message", heard);
      view.leave = () => removeEventListener("message", heard);
      const hand = (key) => () => frame.contentWindow.postMessage({ key }, "*");
      view.keys = Object.fromEntries(["j", "k", "J", "K", "i", "Home", "End"].map((key) => [key, hand(key)]));
    } else if (run.learned.length) parts.push(...learnedCards({ learned: run.learned }));
  }
  pane.replaceChildren(...parts);
  view.refresh = async (edited) => {
    if (!view.current()) return;
    const now = await asks("run", { id });
    if (view.current() && (now.status !== run.status || (edited && now.stale !== run.stale))) { view.leave?.(); await runView(view); }
  };
}
const formatOf = (name) => bench.folder.files.find((file) => file.name === name)?.format;

function learnedCards(live) {
  const lessons = live.learned.filter((lesson) => lesson.learned.length);
  const where = (each) => (each.lines.length ? ` (line${each.lines.length > 1 ? "s" : ""} ${each.lines.slice(0, 6).join(", ")}${each.lines.length > 6 ? ", ..." : ""})` : "");
  return [...(lessons.length ? [card(`What was learned in ${lessons.length} refinement${lessons.length === 1 ? "" : "s"}`, build("ol", { class: "learned", id: "learned" }, ...lessons.slice(-150).map((lesson) => build("li", { value: lesson.number }, ...lesson.learned.slice(0, 12).flatMap((each, index) => [index ? "; " : "", build("code", {}, each.text), where(each)])))))] : []),
    ...(live.reached?.boxes ? [card("The abstract reachability graph so far", grown(live.reached, find("growing") ? [find("growing").scrollLeft, find("growing").scrollTop] : null))] : live.reached?.size ? [build("p", { class: "advice" }, `The abstract reachability graph has ${count(live.reached.size)} nodes.`)] : [])];
}
// As large as there is room for and still to be read, with its beginning in the middle; where it was moved to, it stays.
function grown(reached, before) {
  const pane = build("div", { class: "scroll graph", id: "growing", tabindex: 0, role: "region", "aria-label": "abstract reachability graph" }), drawn = picture(reached);
  const zoom = Math.max(0.5, Math.min(1, (find("view").clientWidth - 120) / drawn.dataset.width));
  drawn.setAttribute("width", drawn.dataset.width * zoom);
  drawn.setAttribute("height", drawn.dataset.height * zoom);
  pane.append(drawn);
  queueMicrotask(() => { [pane.scrollLeft, pane.scrollTop] = before || [(pane.scrollWidth - pane.clientWidth) / 2, 0]; });
  return pane;
}
// Nodes over time, of one run or of two.
function growth(...series) {
  const width = 900, height = 170, left = 64, bottom = 24, points = series.flat();
  const most = Math.max(1, ...points.map((each) => each[1]));
  const x = scale(0, Math.max(0.1, ...points.map((each) => each[0])), left, width - 12, false), y = scale(0, most, height - bottom, 10, false);
  return build("svg:svg", { class: "growth", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "nodes over time" },
    x.ticks.flatMap((tick) => [build("svg:line", { class: "grid", x1: x.place(tick), x2: x.place(tick), y1: 10, y2: height - bottom }), build("svg:text", { x: x.place(tick), y: height - 8, "text-anchor": "middle" }, `${tick} s`)]),
    [0, most].flatMap((tick) => [build("svg:line", { class: "grid", x1: left, x2: width - 12, y1: y.place(tick), y2: y.place(tick) }), build("svg:text", { x: left - 6, y: y.place(tick) + 4, "text-anchor": "end" }, count(tick))]),
    series.map((each, index) => build("svg:path", { class: `line-${index}`, d: `M${each.map(([at, nodes]) => `${x.place(at).toFixed(1)} ${y.place(nodes).toFixed(1)}`).join(" L")}` })));
}

// ---- two runs on one question
async function compareView(view) {
  const both = await Promise.all(view.at.parts.slice(0, 2).map((id) => asks("run", { id })));
  if (!view.current()) return;
  const [one, two] = both;
  view.file = two.file;
  view.title = `${one.strategy} and ${two.strategy}`;
  const edited = JSON.stringify(one.hashes) !== JSON.stringify(two.hashes);
  const name = (run, index) => (one.strategy !== two.strategy ? run.strategy : edited ? (index ? "after the change" : "before the change") : index ? "later" : "earlier");
  const answers = new Map();
  for (const [index, run] of both.entries()) for (const each of run.answers) answers.set(each.text, Object.assign(answers.get(each.text) || [], { [index]: each }));
  const pairs = [...answers].filter(([, pair]) => pair[0] && pair[1] && pair[0].verdict !== pair[1].verdict);
  const contrary = !edited && pairs.some(([, pair]) => pair[0].verdict !== "unknown" && pair[1].verdict !== "unknown");
  const verdict = (pair, index) => build("span", { class: `pill ${pair[index]?.colour || "open"}` }, pair[index] ? pair[index].verdict.toUpperCase() : "not asked");
  const changes = pairs.length ? build("section", { class: `card ${contrary ? "wrong-verdict" : "changed-verdict"}`, id: "changes" }, build("header", {}, build("h2", {}, contrary ? "Two verdicts that contradict each other: please report this" : "Answers that differ")),
    build("table", { class: "questions" }, build("tbody", {}, ...pairs.map(([text, pair]) => build("tr", {}, build("td", { class: "what" }, build("code", {}, text)), build("td", {}, verdict(pair, 0)), build("td", {}, verdict(pair, 1)))))))
    : build("p", { class: "advice", id: "changes" }, "Both give the same answers.");
  const bars = STATISTICS.filter(([key]) => both.some((run) => run.statistics?.[key])).flatMap(([key, title, written]) => {
    const most = Math.max(...both.map((run) => run.statistics?.[key] || 0)) || 1;
    return [build("div", { class: "metric" }, build("b", {}, title), ...both.flatMap((run, index) => [build("span", { class: `series-${index}` }, name(run, index)),
      build("div", { class: "track" }, build("svg:svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none" }, build("svg:rect", { class: `fill-${index}`, width: (100 * (run.statistics?.[key] || 0)) / most, height: 10 }))), build("span", {}, written(run.statistics?.[key] || 0))]))];
  });
  const predicates = both.map((run) => new Set(run.learned.flatMap((lesson) => lesson.learned.map((each) => each.text))));
  const listed = (index) => {
    const own = [...predicates[index]];
    const mine = own.filter((text) => !predicates[1 - index].has(text));
    return card(null, build("h2", { class: `series-${index}` }, name(both[index], index)), build("p", { class: "faint small" }, build("a", { class: "plain", href: runAddress(both[index].id) }, "the run"), `, ${both[index].question || "everything"}, ${when(both[index].asked)}`), build("p", {}, pill(both[index])),
      own.length ? build("p", { class: "faint small" }, `${own.length} predicates, ${mine.length} only here`) : build("p", { class: "faint small" }, "no predicates"),
      mine.length ? build("ul", { class: "learned" }, ...mine.slice(0, 200).map((text) => build("li", {}, build("code", {}, text)))) : null);
  };
  find("view").className = "";
  find("view").replaceChildren(build("div", { class: "title-line" }, build("h1", {}, build("a", { class: "plain", href: fileAddress(two.file, "runs") }, two.file)), build("p", { class: "faint small" }, edited ? `Two versions: ${[...new Set([...Object.keys(one.hashes), ...Object.keys(two.hashes)])].filter((each) => one.hashes[each] !== two.hashes[each]).join(", ")} changed in between.` : "One version of the file.")), changes,
    card("What it took", build("div", { class: "bars", id: "bars" }, ...bars)),
    ...(both.every((run) => run.curve?.length > 1) ? [card("Nodes over time", build("div", { class: "small key" }, ...both.map((run, index) => build("span", { class: `series-${index}` }, name(run, index)))), growth(...both.map((run) => run.curve)))] : []), build("div", { class: "versus" }, listed(0), listed(1)));
}
