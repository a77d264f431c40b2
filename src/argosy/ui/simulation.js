// Simulations: what is possible, one step on, back, at random; a run is looked at step by step, and left at any of them.
function simulateTab(view, file) {
  const begin = quietly(async (run, answer) => { const made = await tells("simulate", { file: file.name, run, answer }); location.hash = `#/simulate/${made.id}`; });
  const examples = file.runs.filter((run) => run.status === "done" && !run.stale).flatMap((run) => run.answers.map((answer, index) => ({ run, answer, number: index + 1 })).filter((each) => each.answer.steps));
  return [card("Simulate", build("div", { class: "controls" }, button("New simulation", () => begin(null, null), { class: "primary", id: "new", disabled: Boolean(file.wrong) && !file.questions.length }))),
    ...(examples.length ? [card("From a run that was found", build("div", { class: "scroll" }, build("table", { class: "questions" }, build("tbody", {}, ...examples.slice(0, 30).map(({ run, answer, number }) =>
      build("tr", {}, build("td", {}, when(run.asked)), build("td", { class: "what" }, build("code", {}, answer.text)), build("td", { class: "verdict" }, build("span", { class: `pill ${answer.colour}` }, answer.verdict.toUpperCase())), build("td", {}, button("Load", () => begin(run.id, number)))))))))] : []),
    ...(file.simulations.length ? [card("Kept", build("div", { class: "scroll" }, build("table", { class: "questions" }, build("tbody", {}, ...file.simulations.map((each) =>
      build("tr", {}, build("td", { class: "what" }, build("a", { class: "plain", href: `#/simulate/${each.id}` }, when(each.began))), build("td", {}, `${count(each.steps)} step${each.steps === 1 ? "" : "s"}`), build("td", {}, each.run ? "from a counterexample" : "")))))))] : [])];
}
async function simulateRun(run) {
  const at = new URLSearchParams(place().query.get("at") || "");
  const number = Number(at.get("answer")) || 1 + run.answers.findIndex((each) => each.steps);
  const made = await tells("simulate", { file: run.file, run: run.id, answer: number });
  location.hash = `#/simulate/${made.id}?step=${at.get("step") || ""}`;
}

async function simulationView(view) {
  const id = view.at.parts[0];
  const told = await asks("simulation", { id });
  if (!view.current()) return;
  view.file = told.file;
  view.title = `${told.file} simulated`;
  const sim = { id, rows: told.rows, now: told.now, about: told.about, at: 0, shift: told.rows.length - told.choices.length };
  sim.at = Math.max(0, Math.min(sim.rows.length, Number(view.at.query.get("step")) || sim.rows.length) - 1);
  const pane = find("view");
  const where = build("span", { id: "where", role: "status" });
  const problem = build("p", { class: "alarm", id: "impossible", hidden: true });
  const say = (text) => { problem.hidden = !text; problem.textContent = text || ""; };
  const said = (answer) => {
    sim.rows = [...sim.rows.slice(0, answer.from), ...answer.rows];
    sim.now = answer.now;
    say(answer.error || answer.now.error);
  };
  let busy = false;
  const command = (name, more = () => ({})) => quietly(async () => {
    if (busy) return;
    busy = true;
    try {
      said(await tells("simulation", { id, command: name, ...more() }));
      look(sim.rows.length - 1);
    } catch (error) { say(error.message); } finally { busy = false; }
  });
  const count_ = build("input", { id: "many", class: "number-field", type: "number", min: 1, max: 20000, value: 10, "aria-label": "how many steps at random" });
  const leave = button("Leave the run here", () => command("back", () => ({ to: sim.at + 1 - sim.shift }))(), { id: "leave", class: "primary", title: "l" });
  const files = build("div", { class: "files" });
  const exported = quietly(async () => {
    const answer = await tells("simulation", { id, command: "export" });
    say(answer.error);
    files.replaceChildren(...(answer.files || []).map((name) => build("a", { class: "plain", href: `../${bench.folder.views}/${id}/${name}`, download: name.endsWith(".html") ? null : name, target: "_blank", rel: "noopener" }, name)));
  });
  const parts = { network: networkParts, cycles: cycleParts, system: cycleParts }[sim.about.kind](sim, (choice) => command("do", () => ({ choice }))(), (index) => look(index));
  function look(index) {
    sim.at = Math.max(0, Math.min(sim.rows.length - 1, index));
    where.textContent = sim.rows.length ? `step ${sim.at + 1} of ${sim.rows.length}` : "before the first cycle";
    leave.hidden = sim.at >= sim.rows.length - 1;
    back.disabled = sim.rows.length <= sim.shift;
    view.own = `#/simulate/${id}?step=${sim.at + 1}`;
    history.replaceState(null, "", view.own);
    parts.look();
  }
  const back = button("Back", () => command("back", () => ({ to: sim.rows.length - 1 - sim.shift }))(), { id: "back", title: "Backspace" });
  const random = (many) => command("random", () => ({ count: many, seed: crypto.getRandomValues(new Uint32Array(1))[0] >>> 1 }))();
  pane.className = "";
  pane.replaceChildren(build("div", { class: "title-line" }, build("h1", {}, build("a", { class: "plain", href: fileAddress(told.file, "simulate") }, told.file)),
    build("div", { class: "controls" }, button("Previous", () => look(sim.at - 1), { title: "k" }), where, button("Next", () => look(sim.at + 1), { title: "j" }), leave),
    build("p", { class: "faint small" }, `A simulation says nothing about other runs. ${told.run ? "It began with a counterexample. " : ""}${told.stale ? "The file has changed since it began." : ""}`)),
    build("div", { class: "controls tabs" }, back, button("One at random", () => random(1), { "data-key": "r", title: "r", id: "random" }), button("Play", () => random(Number(count_.value) || 1), { id: "play", title: "p" }), count_, button("Export", exported, { id: "export", title: "e" }), files), problem, ...parts.elements);
  const digits = Object.fromEntries([...Array(9).keys()].map((index) => [String(index + 1), () => press(`#offers button:nth-child(${index + 1})`)]));
  view.keys = { ...digits, j: () => look(sim.at + 1), k: () => look(sim.at - 1), Home: () => look(0), End: () => look(sim.rows.length - 1), Backspace: () => press("#back"), p: () => press("#play"), w: () => press("#wait"), n: () => press("#step"), l: () => { if (!leave.hidden) leave.click(); }, e: () => press("#export") };
  parts.shown?.();
  say(told.error || told.now.error);
  look(sim.at);
}

// ---- networks: automata with where they are, what can be done, clocks as bars, who sent what to whom
const MESSAGE_ROWS = 40, LETTER = 7.2;
function messageChart(sim, look) {
  const chart = build("div", { class: "scroll messages", id: "messages", tabindex: 0, role: "region", "aria-label": "messages between the processes" });
  const wide = (text) => LETTER * text.length + 18;
  function look_() {
    const first = Math.max(0, Math.min(sim.at - MESSAGE_ROWS / 2, sim.rows.length - MESSAGE_ROWS)), shown = sim.rows.slice(first, first + MESSAGE_ROWS);
    const moving = new Set(shown.flatMap((each) => each.edges.map((edge) => edge.process)));
    const lanes = sim.about.automata.flatMap((each) => each.processes).filter((name) => moving.has(name));
    if (!lanes.length) { chart.replaceChildren(build("p", { class: "empty small" }, "Nobody has moved yet.")); return; }
    const widths = new Map(lanes.map((name) => [name, wide(name)])), places = new Map();
    for (const edge of shown.flatMap((each) => each.edges)) widths.set(edge.process, Math.max(widths.get(edge.process), wide(edge.target), wide(edge.synchronisation || "")));
    let right = 74;
    for (const name of lanes) { places.set(name, right + widths.get(name) / 2); right += widths.get(name) + 26; }
    const drawn = shown.map((each, index) => {
      const y = 40 + 40 * index, sender = each.edges.find((edge) => edge.synchronisation?.endsWith("!"));
      const arrows = sender ? each.edges.filter((edge) => edge !== sender).map((edge) => {
        const from = places.get(sender.process), to = places.get(edge.process), way = Math.sign(to - from), half = wide(edge.target) / 2, tip = to - way * half;
        return build("svg:g", { class: "arrow" }, build("svg:path", { d: `M${from + (way * wide(sender.target)) / 2} ${y}H${tip}` }), build("svg:path", { class: "tip", d: `M${tip} ${y}l${-7 * way} -4v8z` }));
      }) : [];
      const channel = sender ? [build("svg:text", { class: "channel", x: places.get(sender.process), y: y - 14 }, sender.synchronisation)] : [];
      const boxes = each.edges.flatMap((edge) => [build("svg:rect", { class: "entered", x: places.get(edge.process) - wide(edge.target) / 2, y: y - 10, width: wide(edge.target), height: 20, rx: 5 }), build("svg:text", { class: "name", x: places.get(edge.process), y: y + 4 }, edge.target)]);
      return build("svg:g", { class: first + index === sim.at ? "here" : null, onclick: () => look(first + index) }, build("svg:rect", { class: "band", x: 1, y: y - 25, width: right - 2, height: 38, rx: 5 }), build("svg:text", { class: "time", x: 8, y: y + 4 }, each.time), ...channel, ...arrows, ...boxes);
    });
    const bottom = 40 * (shown.length + 1);
    const heads = lanes.map((name) => build("svg:text", { class: "head", x: places.get(name), y: 12 }, name)), lines = lanes.map((name) => build("svg:line", { x1: places.get(name), x2: places.get(name), y1: 18, y2: bottom - 8 }));
    chart.replaceChildren(build("svg:svg", { viewBox: `0 0 ${right} ${bottom}`, width: right, height: bottom, role: "img", "aria-label": `messages of steps ${first + 1} to ${first + shown.length}` }, ...lines, ...heads, ...drawn));
    const here = chart.querySelector("g.here .band");
    if (here) reveal(chart, here);
  }
  return { look: look_, element: chart };
}
const rational = (text) => { const [above, below] = text.split("/"); return Number(above) / Number(below || 1); };
function networkParts(sim, does, look) {
  const process = build("select", { id: "process" }), graph = build("div", { class: "scroll graph", id: "graph", tabindex: 0, role: "region", "aria-label": "automaton of the process" }), controls = build("div", { class: "controls" });
  const pane = canvas(graph, controls);
  fill(process, sim.about.automata.flatMap((each) => each.processes.map((name) => [name, name])), sim.about.automata[0]?.processes[0]);
  const offers = build("div", { class: "offers", id: "offers" }), delay = build("input", { id: "delay", class: "number-field", type: "text", placeholder: "earliest", "aria-label": "delay", spellcheck: "false" });
  const waits = button("Wait", () => does(`w ${delay.value.trim() || "1"}`), { id: "wait", title: "w" }), window_ = build("span", { class: "faint small" });
  const state = build("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "state" }), clocks = build("div", { class: "clocks" }), zone = build("div", { class: "zone-list", id: "zone" }), zone_ = build("div", {}, build("p", { class: "faint small" }, "The zone: all values that the same actions may lead to."), zone);
  const steps_ = build("div", { class: "pane listed", id: "steps", tabindex: 0, role: "region", "aria-label": "steps" });
  const list = rows(steps_, () => sim.rows.length, (index) => {
    const each = sim.rows[index];
    const changes = Object.entries(each.values).filter(([name]) => index && !name.endsWith(".location")).map(([name, value]) => `${name} = ${value}`).join(", ");
    return build("div", { class: `row${index === sim.at ? " here" : ""}`, onclick: () => look(index) }, build("span", { class: "number" }, String(index + 1)), build("span", { class: "time" }, each.time), build("span", {}, each.text), changes ? build("span", { class: "values" }, changes) : null);
  });
  const messages = messageChart(sim, look);
  const automaton = () => sim.about.automata.find((each) => each.processes.includes(process.value));
  let drawn = null;
  const draw = () => {
    const now = automaton();
    if (now !== drawn) { drawn = now; pane.show(...(now?.boxes ? [picture(now)] : [build("p", { class: "empty" }, now ? `${now.size} locations are too many for a picture` : "")])); if (now?.boxes) pane.whole(); }
  };
  process.addEventListener("change", () => { follow.checked = false; mark_(); });
  const follow = build("input", { type: "checkbox", checked: true });
  const known = () => { const values = new Map(); for (const each of sim.rows.slice(0, sim.at + 1)) for (const [name, value] of Object.entries(each.values)) values.set(name, value); return values; };
  let values = new Map();
  function mark_() {
    draw();
    const now = automaton();
    if (!now?.boxes) return;
    const taken = sim.rows[sim.at].edges.filter((edge) => edge.process === process.value).map((edge) => now.arcs[edge.edge]);
    const possible = sim.at === sim.rows.length - 1 ? sim.now.offers.flatMap((offer) => offer.edges).filter((edge) => edge.process === process.value).map((edge) => now.arcs[edge.edge]) : [];
    mark(graph, new Set(possible), new Set(taken));
    const at = now.locations[values.get(`${process.value}.location`)];
    for (const box of graph.querySelectorAll("rect")) { const here = Number(box.dataset.box) === at; box.classList.toggle("here", here); if (here) reveal(graph, box); }
  }
  function look_() {
    const now = sim.rows[sim.at], end = sim.at === sim.rows.length - 1;
    values = known();
    const row = (name, value, key) => build("tr", { class: sim.at && (key ?? name) in now.values ? "changed" : null }, build("td", {}, name), build("td", {}, value));
    const places = [...values].filter(([name]) => name.endsWith(".location")), others = [...values].filter(([name]) => !name.endsWith(".location"));
    state.replaceChildren(build("table", { class: "values-table" }, build("tbody", {}, build("tr", {}, build("th", { colspan: 2 }, `time ${now.time}`)), ...places.slice(0, 300).map(([name, value]) => row(name.slice(0, -9), value, name)), ...others.slice(0, 300).map(([name, value]) => row(name, value)))));
    const bounds = Object.values(now.bounds).flat().filter((each) => each !== null), most = 1.08 * Math.max(1, ...Object.values(now.clocks).map(rational), ...bounds);
    const clock = ([name, value]) => {
      const [low, high] = now.bounds[name] || [null, null], at = (100 * rational(value)) / most, from = (100 * (low ?? 0)) / most, to = high === null ? 100 : (100 * high) / most;
      const words = low === null ? "" : high === null ? `${low} or more` : low === high ? `exactly ${low}` : `${low} to ${high}`;
      return [build("span", {}, name), build("div", { class: "track", title: words ? `${name} = ${value}; in the zone: ${words}` : `${name} = ${value}` }, build("svg:svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", role: "img", "aria-label": `${name} is ${value}${words ? `, in the zone ${words}` : ""}` },
        low === null ? null : build("svg:rect", { class: "zone", x: from, width: Math.max(0.8, to - from), height: 12 }), build("svg:rect", { class: "fill-0", y: 4, width: at, height: 4 }), build("svg:rect", { class: "fill-0", x: Math.max(0, at - 0.5), width: 1, height: 12 }))), build("span", {}, value)];
    };
    clocks.replaceChildren(...Object.entries(now.clocks).slice(0, 40).flatMap(clock));
    if (!clocks.children.length) clocks.append(build("span", { class: "faint" }, "It has no clocks."));
    zone.replaceChildren(...now.zone.map((text) => build("code", {}, text)));
    zone_.hidden = !now.zone.length;
    offers.replaceChildren(...(end ? sim.now.offers.map((offer, index) => button("", () => does(`${index + 1} ${delay.value.trim() || offer.earliest}`))) : []));
    for (const [index, each] of [...offers.children].entries()) each.append(build("b", {}, String(index + 1)), build("span", { class: "what" }, sim.now.offers[index].text), build("span", { class: "when" }, `after ${sim.now.offers[index].window}`));
    if (!offers.children.length) offers.append(build("p", { class: "empty small" }, end ? "nothing is possible any more" : "an earlier step: leave the run here to go on from it"));
    waits.disabled = !end || !sim.now.waits;
    window_.textContent = end && sim.now.waits ? `wait ${sim.now.waits}` : "";
    const mover = now.edges[0]?.process;
    if (follow.checked && mover && !now.edges.some((edge) => edge.process === process.value) && sim.about.automata.some((each) => each.processes.includes(mover))) process.value = mover;
    mark_();
    messages.look();
    list.reveal(sim.at);
  }
  return { look: look_, shown: () => list.show(), elements: [build("div", { class: "sim" },
    build("div", {}, card("Automata", build("div", { class: "controls" }, build("label", {}, "process ", process), build("label", {}, follow, "follow"), controls), build("p", { class: "faint small" }, "Red: where it is, and what was taken; blue: what is possible."), graph), card("Messages", messages.element), card("Steps", steps_)),
    build("div", {}, card("Possible", build("div", { class: "controls" }, build("label", {}, "delay ", delay), waits, window_), offers), card("Clocks", clocks, zone_), card("State", state)))] };
}

// ---- controllers and systems: a table of cycles or waveforms, and the inputs of the next cycle
const WINDOW = 14;
const drawn = (...inner) => build("svg:svg", { viewBox: "0 0 60 20", preserveAspectRatio: "none" }, ...inner);
const wave = (before, now) => drawn(build("svg:path", { class: now ? "level up" : "level", d: `M0 ${before ? 4 : 16}V${now ? 4 : 16}H60` }), now ? build("svg:rect", { class: "under", y: 4, width: 60, height: 12 }) : null);
const bus = (changes, value) => build("div", { class: "bus" }, drawn(build("svg:path", { class: "level", d: changes ? "M0 10L5 4H60M0 10L5 16H60" : "M0 4H60M0 16H60" })), changes ? build("span", {}, value) : null);
function cycleParts(sim, does, look) {
  const system = sim.about.kind === "system";
  const form = build("div", { class: "inputs", id: "inputs" }), table = build("div", { class: "wave-table", id: "cycles", tabindex: 0, role: "region", "aria-label": "cycles" }), messages = build("div", {});
  const passed = build("input", { id: "passed", class: "number-field", type: "text", value: system ? "" : sim.about.passed[0], "aria-label": "time since the cycle before" });
  const go = button(system ? "Step" : "Run a cycle", () => does(system ? given() : { inputs: given(), passed: passed.value }), { class: "primary", id: "step", title: "n" });
  form.addEventListener("keydown", (event) => { if (event.key === "Enter") go.click(); });
  const given = () => Object.fromEntries([...form.querySelectorAll("[data-name]")].map((each) => [each.dataset.name, each.type === "checkbox" ? (system ? String(Number(each.checked)) : each.checked ? "TRUE" : "FALSE") : each.value]));
  const steps_ = build("div", { class: "pane listed", id: "steps", tabindex: 0, role: "region", "aria-label": "cycles" });
  const bits = new Set(system ? [...sim.about.inputs, ...sim.about.states].filter((each) => each.bit).map((each) => each.name) : []);
  const violated = (row) => (system ? row.bad : row.violated);
  const waves = build("input", { type: "checkbox", id: "waves", checked: localStorage.getItem("argosy-waves") === "yes" });
  waves.addEventListener("change", () => { localStorage.setItem("argosy-waves", waves.checked ? "yes" : "no"); look_(); });
  const list = rows(steps_, () => sim.rows.length, (index) => {
    const each = sim.rows[index], shown = system ? each.values : { ...each.inputs, ...each.outputs, ...each.memory };
    return build("div", { class: `row${index === sim.at ? " here" : ""}`, onclick: () => look(index) }, build("span", { class: "number" }, String(each.cycle)), system ? null : build("span", { class: "time" }, each.time), build("span", {}, each.changed.slice(0, 8).map((name) => `${name} = ${shown[name]}`).join(", ") || "nothing changes"), violated(each).length ? build("span", { class: "said bad" }, violated(each).join(", ")) : null);
  });
  function fields() {
    const before = new Map([...form.querySelectorAll("[data-name]")].map((each) => [each.dataset.name, each.type === "checkbox" ? each.checked : each.value]));
    const inputs = system ? sim.now.open.map((each) => ({ ...each, values: each.bit ? ["0", "1"] : [], first: "0" })) : sim.about.inputs;
    form.replaceChildren(...inputs.slice(0, 400).map((each) => {
      const value = before.get(each.name) ?? (system ? "0" : sim.now.inputs[each.name]);
      const bit = each.values.length === 2 && ["0", "FALSE"].includes(each.values[0]);
      const field = bit ? build("input", { type: "checkbox", "data-name": each.name, checked: value === true || value === "1" || value === "TRUE" })
        : each.values.length ? build("select", { "data-name": each.name }) : build("input", { type: "text", "data-name": each.name, value, spellcheck: "false" });
      if (field.tagName === "SELECT") fill(field, each.values.map((name) => [name, name]), value);
      return build("label", { title: `${each.name} : ${each.type}` }, build("span", {}, each.name), field);
    }));
    if (!inputs.length) form.append(build("p", { class: "faint small" }, "It has no inputs."));
  }
  function look_() {
    fields();
    const first = Math.max(0, Math.min(sim.at - WINDOW + 4, sim.rows.length - WINDOW)), shown = sim.rows.slice(first, first + WINDOW);
    const sections = system ? { inputs: sim.about.inputs.map((each) => each.name), states: sim.about.states.map((each) => each.name) } : sim.about.sections;
    const valueOf = (row, name, title) => (system ? row.values[name] : row[title][name]);
    const high = (name, value) => (bits.has(name) ? value === "1" || value === "TRUE" : value === "TRUE"), level = (name, value) => bits.has(name) || ["TRUE", "FALSE"].includes(value);
    const cell = (row, index, name, title) => {
      const value = valueOf(row, name, title), before = first + index ? valueOf(sim.rows[first + index - 1], name, title) : value;
      const here = first + index === sim.at ? "here" : "";
      if (!waves.checked) return build("td", { class: [row.changed.includes(name) ? "new" : "same", high(name, value) ? "high" : "", here].join(" ") }, value);
      return build("td", { class: `wave ${here}`, title: `${name} = ${value}` }, level(name, value) ? wave(high(name, before), high(name, value)) : bus(before !== value || !index, value));
    };
    const line = (name, title) => build("tr", {}, build("th", {}, name), ...shown.map((row, index) => cell(row, index, name, title)));
    const bad = (names) => names.map((name) => build("tr", {}, build("th", {}, name), ...shown.map((row, index) => build("td", { class: `${violated(row).some((each) => each === name || each.startsWith(`${name}:`)) ? "bad" : "same"} ${first + index === sim.at ? "here" : ""}` }, violated(row).some((each) => each === name || each.startsWith(`${name}:`)) ? (system ? "reached" : "violated") : ""))));
    const changing = (names) => (names.length <= 60 ? names : names.filter((name) => shown.some((row) => row.changed.includes(name))).slice(0, 60));
    table.replaceChildren(...(shown.length ? [build("table", { class: waves.checked ? "waves" : null }, build("tbody", {}, build("tr", {}, build("th", {}, "cycle"), ...shown.map((row, index) => build("td", { onclick: () => look(first + index) }, String(row.cycle)))),
      ...(system ? [] : [build("tr", {}, build("th", {}, "time"), ...shown.map((row) => build("td", {}, row.time)))]),
      ...Object.entries(sections).filter(([, names]) => names.length).flatMap(([title, names]) => [build("tr", {}, build("th", { class: "section" }, title), build("td", { class: "rest", colspan: shown.length })), ...changing(names).map((name) => line(name, title))]),
      build("tr", {}, build("th", { class: "section" }, system ? "bad states" : "requirements"), build("td", { class: "rest", colspan: shown.length })), ...bad(system ? sim.about.bad : sim.about.requirements.map((each) => each.name))))] : [build("p", { class: "empty small" }, "No cycle was run yet.")]));
    const here = table.querySelector("td.here");
    if (here) reveal(table, here);
    const now = sim.rows[sim.at];
    messages.replaceChildren(...(now && violated(now).length ? [build("p", { class: "unsafe" }, `${system ? "reached" : "violated"} in cycle ${now.cycle}: ${violated(now).join("; ")}`)] : []));
    go.disabled = sim.at < sim.rows.length - 1;
    if (sim.rows.length) list.reveal(sim.at); else list.show();
  }
  return { look: look_, elements: [card("Cycles", build("div", { class: "controls" }, build("label", {}, waves, "waveforms"), messages), table), build("div", { class: "sim" }, build("div", {}, card(system ? "Inputs of the next cycle" : "Inputs that the next cycle samples", form, build("div", { class: "controls tabs" }, go, ...(system ? [] : [build("label", {}, "after ", passed)])))), build("div", {}, card("Steps", steps_)))] };
}
