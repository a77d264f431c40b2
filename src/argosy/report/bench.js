// The page of the bench. Cells and curves come computed; here they are drawn, sorted and filtered.

const labels = content.configurations.map((configuration) => configuration.label);
const column = Object.fromEntries(content.columns.map((name, index) => [name, index]));
const runs = content.rows.map((row) => {
  const run = Object.fromEntries(content.columns.map((name, index) => [name, row[index]]));
  const [model, category, expected] = content.tasks[row[column.task]];
  return { ...run, model, category, expected, configuration: labels[run.configuration], solved: run.outcome === "correct" || run.outcome === "unchecked" };
});
const several = labels.length > 1;
const rows = several ? [...labels, content.best] : labels;

// ---- head ---------------------------------------------------------------------------------------------------------

find("title").textContent = content.title;
find("about").textContent =
  `${content.made} · Argosy ${content.argosy} · each run at most ${content.limits.cpu_s} s of processor time` +
  (content.limits.wall_s === content.limits.cpu_s ? "" : `, ${content.limits.wall_s} s on the clock`) +
  ` and ${content.limits.memory_mb.toLocaleString("en")} MB` +
  (content.options.length ? ` · ${content.options.join(" ")}` : "") + ` · ${content.machine}`;

if (content.starved) {
  find("about").append(build("span", { class: "busy" }, ` · ${count(content.starved)} runs ended at ${content.limits.wall_s} s on the clock with less than half of their processor time: the machine was busy`));
}

(function tiles() {
  const total = (label) => content.heatmap[label][content.all];
  const leader = labels.reduce((best, label) => {
    const [a, b] = [total(label), total(best)];
    return a.solved > b.solved || (a.solved === b.solved && a.cpu_s < b.cpu_s) ? label : best;
  }, labels[0]);
  const wrong = runs.filter((run) => run.outcome === "wrong").length;
  const tile = (figure, text, bad = false) => build("div", { class: bad ? "tile bad" : "tile" }, build("b", {}, figure), build("span", {}, text));
  find("tiles").append(
    tile(count(content.tasks.length), `tasks in ${content.categories.length} ${content.categories.length === 1 ? "category" : "categories"}`),
    tile(count(labels.length), several ? "configurations" : "configuration"),
    tile(count(runs.length), runs.length === content.runs ? "runs, all measured" : `of ${count(content.runs)} runs measured so far`),
    tile(count(total(leader).solved), `solved by the best, ${leader}`),
    several ? tile(count(total(content.best).solved), "solved by the virtual best") : null,
    tile(count(wrong), wrong === 1 ? "wrong verdict" : "wrong verdicts", wrong > 0),
  );
  const contradictions = Object.entries(content.contradictions);
  if (wrong || contradictions.length) {
    find("alarm").classList.add("alarm");
    find("alarm").append(
      build("h2", {}, wrong ? `${count(wrong)} wrong ${wrong === 1 ? "verdict" : "verdicts"}` : "Contradicting verdicts"),
      build("ul", {},
        runs.filter((run) => run.outcome === "wrong").map((run) =>
          build("li", {}, `${run.model} is ${run.expected}, and ${run.configuration} says ${run.result}`)),
        contradictions.map(([model, [safe, unsafe]]) =>
          build("li", {}, `${model} is safe for ${safe.join(", ")} and unsafe for ${unsafe.join(", ")}`))),
    );
  }
})();

// ---- heatmap ------------------------------------------------------------------------------------------------------

const heatmap = { metric: "solved", sort: null, descending: true };
const notes = {
  solved: "The number of solved tasks, with the total time and the largest memory of these; the colour is the share that is solved.",
  cpu_s: "The total processor time of what was solved; the colour compares it with the others of its column.",
  memory_mb: "The largest memory of what was solved; the colour compares it with the others of its column.",
};
const figure = { solved: (cell) => `${cell.solved}`, cpu_s: (cell) => (cell.solved ? seconds(cell.cpu_s) : "–"), memory_mb: (cell) => (cell.solved ? megabytes(cell.memory_mb) : "–") };

function drawHeatmap() {
  const { metric, sort, descending } = heatmap;
  const columns = content.categories.length > 1 ? [...content.categories, content.all] : content.categories;
  const size = Object.fromEntries(columns.map((name) => [name, content.heatmap[rows[0]][name].tasks]));
  const ordered = [...labels];
  if (sort === "name") ordered.sort((a, b) => a.localeCompare(b) * (descending ? -1 : 1));
  else if (sort) ordered.sort((a, b) => (content.heatmap[a][sort][metric] - content.heatmap[b][sort][metric]) * (descending ? -1 : 1));
  const by = (key, first) => () => {
    heatmap.descending = heatmap.sort === key ? !heatmap.descending : first;
    heatmap.sort = key;
    drawHeatmap();
  };
  const state = (key) => (sort === key ? (descending ? "descending" : "ascending") : "none");
  const arrow = (key) => (sort === key ? (descending ? " ▾" : " ▴") : "");
  const shade = (label, name) => {
    const cell = content.heatmap[label][name];
    // Most shares are near the top: the power keeps them apart.
    if (metric === "solved") return cell.tasks ? (cell.solved / cell.tasks) ** 1.7 : 0;
    if (!cell.solved) return 0;
    const most = Math.max(...rows.map((row) => content.heatmap[row][name][metric]));
    return most ? 0.12 + (0.88 * cell[metric]) / most : 0;
  };
  const called = (label) => {
    const [name, ...options] = label.split(":");
    return options.length ? [name, build("small", {}, ` ${options.join(" ")}`)] : label;
  };
  const body = (label) => build("tr", { class: label === content.best ? "best" : null },
    build("td", { class: "name", title: (content.configurations.find((c) => c.label === label) || {}).arguments }, called(label)),
    columns.map((name) => {
      const cell = content.heatmap[label][name];
      // Nothing solved and nothing measured are different things.
      const open = label !== content.best && cell.measured < cell.tasks;
      const strength = shade(label, name);
      const heat = metric === "solved" ? "--heat" : "--heat-cost";
      const others = ["solved", "cpu_s", "memory_mb"].filter((other) => other !== metric)
        .map((other) => (other === "solved" ? `${cell.solved} solved` : figure[other](cell))).join(" · ");
      const small = [...(cell.solved ? [others] : []), ...(open && cell.measured ? [`of ${cell.measured} so far`] : [])].join(" · ");
      return build("td", {
        class: `cell${name === content.all ? " all" : ""}${strength > 0.58 ? " deep" : ""}${open ? " open" : ""}`,
        "data-configuration": label, "data-category": name,
        style: `background-color: color-mix(in oklab, var(${heat}) ${(strength * 100).toFixed(1)}%, var(--surface))`,
        onmousemove: (event) => point(event, `${label}, ${name === content.all ? "all categories" : name}`,
          `${cell.solved} of ${cell.tasks} solved (${cell.tasks ? Math.round((100 * cell.solved) / cell.tasks) : 0} %)` + (open ? `, ${cell.measured} measured` : ""),
          `${seconds(cell.cpu_s)} of processor time for these`, `${megabytes(cell.memory_mb)} at most`,
          cell.wrong ? `${cell.wrong} wrong` : "none wrong", "Click to see the runs"),
        onmouseleave: unpoint,
        onclick: () => show({ configuration: label === content.best ? "" : label, category: name === content.all ? "" : name, outcome: "", words: "" }),
      }, build("b", {}, open && !cell.measured ? "" : figure[metric](cell)), small ? build("small", {}, small) : null, cell.wrong ? build("small", { class: "wrong" }, `${cell.wrong} wrong`) : null);
    }));
  find("heatmap").replaceChildren(
    build("thead", {}, build("tr", {},
      build("th", { "aria-sort": state("name") }, build("button", { type: "button", onclick: by("name", false) }, `configuration${arrow("name")}`)),
      columns.map((name) => build("th", { class: name === content.all ? "all" : null, "aria-sort": state(name) },
        build("button", { type: "button", onclick: by(name, metric === "solved") }, `${name}${arrow(name)}`), build("small", {}, `${size[name]} tasks`))))),
    build("tbody", {}, ordered.map(body), several ? body(content.best) : null));
  find("heatmap-note").textContent = notes[metric] + (several ? " The virtual best takes the fastest for each task." : "");
}
choice(find("metric"), { solved: "Solved", cpu_s: "Total time", memory_mb: "Peak memory" }, "solved", (value) => {
  heatmap.metric = value;
  drawHeatmap();
});
drawHeatmap();

// ---- cactus -------------------------------------------------------------------------------------------------------

const DASHES = ["", "7 4", "2 3", "10 3 2 3"];
const style = (index) => ({ colour: `var(--series-${index % 8})`, dash: DASHES[Math.floor(index / 8) % DASHES.length] });
const byRank = [...labels].sort((a, b) => content.cactus[b].length - content.cactus[a].length);
const cactus = { logarithmic: true, hidden: new Set(byRank.length > 14 ? byRank.slice(8) : []), over: null };
const styles = Object.fromEntries(byRank.map((label, index) => [label, style(index)]));
styles[content.best] = { colour: "var(--text)", dash: "5 3" };

function frame(width, height, margin, x, y, across, up, formatX, formatY) {
  const bottom = height - margin.bottom;
  return [
    x.ticks.map((tick) => [build("svg:line", { class: "grid", x1: x.place(tick), x2: x.place(tick), y1: margin.top, y2: bottom }),
      build("svg:text", { x: x.place(tick), y: bottom + 18, "text-anchor": "middle" }, formatX(tick))]),
    y.ticks.map((tick) => [build("svg:line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: y.place(tick), y2: y.place(tick) }),
      build("svg:text", { x: margin.left - 8, y: y.place(tick) + 4, "text-anchor": "end" }, formatY(tick))]),
    build("svg:line", { class: "axis", x1: margin.left, x2: width - margin.right, y1: bottom, y2: bottom }),
    build("svg:line", { class: "axis", x1: margin.left, x2: margin.left, y1: margin.top, y2: bottom }),
    build("svg:text", { class: "title", x: (margin.left + width - margin.right) / 2, y: height - 6, "text-anchor": "middle" }, across),
    build("svg:text", { class: "title", transform: `translate(16 ${(margin.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, up),
  ].flat(3);
}

function drawCactus(width) {
  const height = 440, margin = { left: 70, right: 20, top: 12, bottom: 48 };
  const shown = rows.filter((label) => !cactus.hidden.has(label) && content.cactus[label].length);
  const times = shown.flatMap((label) => content.cactus[label]);
  const most = Math.max(1, ...shown.map((label) => content.cactus[label].length));
  const highest = Math.max(0.1, ...times), lowest = cactus.logarithmic ? Math.min(0.1, ...times.map((time) => Math.max(0.01, time))) : 0;
  const x = scale(0, Math.max(most, 2), margin.left, width - margin.right, false);
  x.ticks = x.ticks.filter(Number.isInteger);
  const y = scale(lowest, highest * 1.15, height - margin.bottom, margin.top, cactus.logarithmic);
  const points = [];
  const curves = shown.map((label) => {
    const places = content.cactus[label].map((time, index) => {
      const place = [x.place(index + 1), y.place(time)];
      points.push({ label, index, time, place });
      return place;
    });
    const { colour, dash } = styles[label];
    const faded = cactus.over && cactus.over !== label ? " dimmed" : "";
    return [
      build("svg:polyline", { class: `curve${label === content.best ? " best" : ""}${faded}`, "data-configuration": label, points: places.map((p) => p.join(",")).join(" "), stroke: colour, "stroke-dasharray": dash }),
      places.length < 60 && label !== content.best ? places.map(([px, py]) => build("svg:circle", { class: `dot${faded}`, cx: px, cy: py, r: 3, fill: colour })) : [],
    ];
  });
  const halo = build("svg:circle", { r: 6, fill: "none", stroke: "var(--text)", "stroke-width": 2, visibility: "hidden" });
  const picture = build("svg:svg", {
    viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": "cactus plot",
    onmousemove: (event) => {
      const box = picture.getBoundingClientRect();
      const [mx, my] = [event.clientX - box.left, event.clientY - box.top];
      const near = points.reduce((best, p) => {
        const distance = Math.hypot(p.place[0] - mx, p.place[1] - my);
        return distance < best.distance ? { ...p, distance } : best;
      }, { distance: 40 });
      halo.setAttribute("visibility", near.label ? "visible" : "hidden");
      if (!near.label) return unpoint();
      halo.setAttribute("cx", near.place[0]);
      halo.setAttribute("cy", near.place[1]);
      point(event, near.label, `${near.index + 1} tasks solved, each within ${seconds(near.time)}`, `${content.cactus[near.label].length} in all`);
    },
    onmouseleave: () => { halo.setAttribute("visibility", "hidden"); unpoint(); },
  }, frame(width, height, margin, x, y, "solved tasks", "processor time for each", count, seconds), curves.flat(3), halo);
  find("cactus").replaceChildren(picture);
}

function drawLegend() {
  find("legend").replaceChildren(...[...byRank, ...(several ? [content.best] : [])].map((label) => {
    const { colour, dash } = styles[label];
    const redraw = () => drawCactus(find("cactus").clientWidth || 900);
    return build("button", {
      type: "button", "aria-pressed": String(!cactus.hidden.has(label)), "data-configuration": label,
      onclick: () => { if (!cactus.hidden.delete(label)) cactus.hidden.add(label); cactus.over = null; drawLegend(); redraw(); },
      onmouseenter: () => { if (!cactus.hidden.has(label)) { cactus.over = label; redraw(); } },
      onmouseleave: () => { cactus.over = null; redraw(); },
    }, build("svg:svg", { viewBox: "0 0 26 10", "aria-hidden": "true" }, build("svg:line", { x1: 1, x2: 25, y1: 5, y2: 5, stroke: colour, "stroke-width": 2.5, "stroke-dasharray": dash })),
    `${label} (${content.cactus[label].length})`);
  }));
}
choice(find("cactus-scale"), { log: "Logarithmic", linear: "Linear" }, "log", (value) => {
  cactus.logarithmic = value === "log";
  drawCactus(find("cactus").clientWidth || 900);
});
drawLegend();
whenWide(find("cactus"), drawCactus);

// ---- scatter ------------------------------------------------------------------------------------------------------

const METRICS = {
  cpu_s: ["processor time", seconds], wall_s: ["time on the clock", seconds], memory_mb: ["peak memory", megabytes], iterations: ["iterations", count],
  precision_size: ["size of the final precision", count], nodes: ["nodes", count], solver_checks: ["solver checks", count],
};
const scatter = { x: byRank[0], y: byRank[0], metric: "cpu_s" };
const palette = Object.fromEntries(content.categories.map((name, index) => [name, `var(--series-${index % 8})`]));
const best = new Map();
for (const run of runs) {
  const known = best.get(run.model);
  if (run.solved && (!known || run.cpu_s < known.cpu_s)) best.set(run.model, run);
}
const measured = new Map(labels.map((label) => [label, new Map()]));
for (const run of runs) measured.get(run.configuration).set(run.model, run);
measured.set(content.best, best);
// To begin with, the best is compared with the one that adds most to it, or else differs most from it.
const addition = (label) => content.tasks.reduce((sum, [model]) => {
  const [a, b] = [measured.get(scatter.x).get(model), measured.get(label).get(model)];
  if (!b || !b.solved) return sum;
  return sum + (a && a.solved ? Math.abs(Math.log10(Math.max(a.cpu_s, 0.01) / Math.max(b.cpu_s, 0.01))) / 100 : 1);
}, 0);
scatter.y = byRank.slice(1).sort((a, b) => addition(b) - addition(a))[0] || scatter.x;

function shape(kind, x, y, size, attributes) {
  if (kind === "unsafe") {
    const s = size * 1.25;
    return build("svg:path", { d: `M${x} ${y - s} L${x + s} ${y + s * 0.8} L${x - s} ${y + s * 0.8} Z`, ...attributes });
  }
  if (kind === "safe") return build("svg:circle", { cx: x, cy: y, r: size, ...attributes });
  return build("svg:rect", { x: x - size * 0.9, y: y - size * 0.9, width: size * 1.8, height: size * 1.8, ...attributes });
}

function drawScatter(available) {
  const [name, format] = METRICS[scatter.metric];
  const width = Math.min(available, 820), height = Math.min(620, Math.max(380, width * 0.75));
  const rail = 40, margin = { left: 78, right: 12, top: 8, bottom: 48 };
  const value = (run) => (run && run.solved && run[scatter.metric] !== null ? Math.max(run[scatter.metric], 1e-3) : null);
  const pairs = content.tasks.map(([model, category, expected]) => {
    const [a, b] = [measured.get(scatter.x).get(model), measured.get(scatter.y).get(model)];
    return { model, category, kind: expected || (a && a.result) || (b && b.result) || "", a, b, x: value(a), y: value(b) };
  }).filter((pair) => pair.a || pair.b);
  const values = pairs.flatMap((pair) => [pair.x, pair.y]).filter((v) => v !== null);
  const floor = scatter.metric === "cpu_s" || scatter.metric === "wall_s" ? 0.01 : 1;
  const low = Math.max(floor, Math.min(...values, 1e9)) * 0.7, high = Math.max(low * 10, ...values) * 1.5;
  const x = scale(low, high, margin.left, width - margin.right - rail, true), y = scale(low, high, height - margin.bottom, margin.top + rail, true);
  const right = width - margin.right, bottom = height - margin.bottom;
  const guide = (factor) => {
    const from = [low, low * factor], to = [high, high * factor];
    if (factor > 1) to[0] = high / factor, to[1] = high;
    if (factor < 1) from[0] = low / factor, from[1] = low;
    return build("svg:line", { class: factor === 1 ? "axis" : "guide", x1: x.place(from[0]), y1: y.place(from[1]), x2: x.place(to[0]), y2: y.place(to[1]) });
  };
  const said = (run) => (run ? (run.solved ? `${run.result}, ${format(run[scatter.metric] ?? 0)}` : run.outcome === "wrong" ? `WRONG: ${run.result}` : run.reason || run.termination) : "not measured");
  const marks = pairs.map((pair) => shape(pair.kind, pair.x === null ? right - rail / 2 : x.place(pair.x), pair.y === null ? margin.top + rail / 2 : y.place(pair.y), 4.5, {
    class: "mark", fill: palette[pair.category], "fill-opacity": 0.85, "data-model": pair.model,
    onmousemove: (event) => point(event, pair.model, `${scatter.x}: ${said(pair.a)}`, `${scatter.y}: ${said(pair.b)}`),
    onmouseleave: unpoint,
    onclick: () => show({ words: pair.model, configuration: "", category: "", outcome: "" }),
  }));
  find("scatter").replaceChildren(build("svg:svg", { viewBox: `0 0 ${width} ${height}`, height, style: `max-width: ${width}px`, role: "img", "aria-label": "scatter plot" },
    build("svg:rect", { class: "rail", x: right - rail, y: margin.top, width: rail, height: bottom - margin.top }),
    build("svg:rect", { class: "rail", x: margin.left, y: margin.top, width: right - margin.left, height: rail }),
    frame(width, height, margin, x, y, `${scatter.x}: ${name}`, `${scatter.y}: ${name}`, format, format),
    build("svg:text", { x: margin.left + 8, y: margin.top + rail / 2 + 4 }, `not solved by ${scatter.y}`),
    build("svg:text", { transform: `translate(${right - rail / 2 + 4} ${bottom - 8}) rotate(-90)` }, `not solved by ${scatter.x}`),
    guide(1), guide(10), guide(0.1), marks));
  const both = pairs.filter((pair) => pair.x !== null && pair.y !== null);
  const less = (test) => both.filter(test).length;
  find("scatter-note").textContent =
    `${both.length} solved by both: ${scatter.x} needs less on ${less((p) => p.x < p.y)}, ${scatter.y} on ${less((p) => p.y < p.x)}. ` +
    `Only ${scatter.x} solves ${pairs.filter((p) => p.x !== null && p.y === null).length}, only ${scatter.y} solves ${pairs.filter((p) => p.x === null && p.y !== null).length}. ` +
    "Dashed: a factor of ten.";
  drawDifferences(pairs, format);
  const sign = (kind, colour, text) => build("span", {}, build("svg:svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, shape(kind, 7, 7, 4.5, { fill: colour })), text);
  find("scatter-legend").replaceChildren(
    ...content.categories.map((category) => sign("safe", palette[category], category)),
    sign("safe", "var(--faint)", "safe"), sign("unsafe", "var(--faint)", "unsafe"));
}
// What one solves alone comes first, then the largest factors.
function drawDifferences(pairs, format) {
  const factor = (pair) => (pair.x === null || pair.y === null ? Infinity : Math.max(pair.x / pair.y, pair.y / pair.x));
  const apart = pairs.filter((pair) => (pair.x !== null || pair.y !== null) && factor(pair) > 1.5).sort((a, b) => factor(b) - factor(a) || a.model.localeCompare(b.model));
  const cell = (value, other) => build("td", { class: `number${value !== null && (other === null || value < other) ? " less" : ""}` }, value === null ? "–" : format(value));
  find("differences").replaceChildren(
    build("thead", {}, build("tr", {}, build("th", {}, "largest differences"), build("th", { class: "number" }, scatter.x), build("th", { class: "number" }, scatter.y))),
    build("tbody", {}, apart.length ? null : build("tr", {}, build("td", { colspan: 3 }, "none above a factor of 1.5")), apart.slice(0, 60).map((pair) => build("tr", { onclick: () => show({ words: pair.model, configuration: "", category: "", outcome: "" }) },
      build("td", { class: "model", title: pair.model }, pair.model), cell(pair.x, pair.y), cell(pair.y, pair.x)))));
}
const redrawScatter = () => drawScatter(find("scatter").clientWidth || 900);
for (const axis of ["x", "y"]) {
  fill(find(`scatter-${axis}`), rows.map((label) => [label, label]), scatter[axis]);
  find(`scatter-${axis}`).addEventListener("change", (event) => { scatter[axis] = event.target.value; redrawScatter(); });
}
fill(find("scatter-metric"), Object.entries(METRICS).map(([key, [name]]) => [key, name]), "cpu_s");
find("scatter-metric").addEventListener("change", (event) => { scatter.metric = event.target.value; redrawScatter(); });
whenWide(find("scatter"), drawScatter);

// ---- all runs -----------------------------------------------------------------------------------------------------

const PAGE = 200;
const COLUMNS = [
  ["model", "model", null], ["category", "category", null], ["configuration", "configuration", null], ["outcome", "outcome", null],
  ["verdict", "verdict", null], ["cpu_s", "time (s)", (v) => v.toFixed(2)], ["wall_s", "clock (s)", (v) => v.toFixed(2)], ["memory_mb", "memory (MB)", count],
  ["iterations", "iterations", count], ["precision_size", "precision", count], ["nodes", "nodes", count], ["solver_checks", "solver checks", count], ["reason", "certificate or reason", null],
];
const table = { sort: null, descending: false, limit: PAGE, words: "", category: "", configuration: "", outcome: "" };
for (const run of runs) run.verdict = run.result || run.termination;

function chosen() {
  const words = table.words.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = runs.filter((run) =>
    (!table.category || run.category === table.category) && (!table.configuration || run.configuration === table.configuration) &&
    (!table.outcome || run.outcome === table.outcome || run.termination === table.outcome) &&
    words.every((word) => `${run.model} ${run.configuration} ${run.verdict} ${run.certificate} ${run.reason}`.toLowerCase().includes(word)));
  if (table.sort) {
    const key = table.sort, sign = table.descending ? -1 : 1;
    const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a ?? "").localeCompare(String(b ?? ""), "en", { numeric: true }));
    kept.sort((a, b) => sign * compare(a[key], b[key]));
  }
  return kept;
}

function drawRuns() {
  const kept = chosen();
  const state = (key) => (table.sort === key ? (table.descending ? "descending" : "ascending") : "none");
  const arrow = (key) => (table.sort === key ? (table.descending ? " ▾" : " ▴") : "");
  const sortBy = (key) => () => {
    table.descending = table.sort === key && !table.descending;
    table.sort = key;
    drawRuns();
  };
  const cell = (run, [key, , format]) => {
    if (key === "outcome") return build("td", {}, build("span", { class: `pill ${run.outcome}` }, run.outcome));
    if (key === "reason") return build("td", { class: "reason" }, run.certificate || run.reason);
    if (key === "model") return build("td", { class: "model", title: run.model }, run.model);
    return build("td", { class: format ? "number" : null }, format ? (run[key] === null ? "" : format(run[key])) : run[key]);
  };
  find("runs").replaceChildren(
    build("thead", {}, build("tr", {}, COLUMNS.map(([key, title, format]) =>
      build("th", { class: format ? "number" : null, "aria-sort": state(key), "data-column": key }, build("button", { type: "button", onclick: sortBy(key) }, title + arrow(key)))))),
    build("tbody", {}, kept.slice(0, table.limit).map((run) => build("tr", {}, COLUMNS.map((c) => cell(run, c))))));
  find("runs-note").textContent = `${count(kept.length)} of ${count(runs.length)} runs, ${count(kept.filter((run) => run.solved).length)} of them solved`;
  find("more").hidden = kept.length <= table.limit;
  find("more").textContent = `Show ${count(Math.min(1000, kept.length - table.limit))} more`;
}

function show(filters) {
  Object.assign(table, filters, { limit: PAGE });
  find("filter").value = table.words;
  for (const key of ["category", "configuration", "outcome"]) find(`filter-${key}`).value = table[key];
  drawRuns();
  find("runs-title").scrollIntoView({ behavior: "smooth" });
}
const any = [["", "any"]];
fill(find("filter-category"), [...any, ...content.categories.map((name) => [name, name])], "");
fill(find("filter-configuration"), [...any, ...labels.map((name) => [name, name])], "");
fill(find("filter-outcome"), [...any, ...["correct", "unchecked", "wrong", "unsolved", "time", "memory", "unknown", "exception"].map((name) => [name, name])], "");
for (const key of ["category", "configuration", "outcome"])
  find(`filter-${key}`).addEventListener("change", (event) => { table[key] = event.target.value; table.limit = PAGE; drawRuns(); });
find("filter").addEventListener("input", (event) => { table.words = event.target.value; table.limit = PAGE; drawRuns(); });
find("clear").addEventListener("click", () => { Object.assign(table, { words: "", category: "", configuration: "", outcome: "", sort: null, limit: PAGE }); show({}); });
find("more").addEventListener("click", () => { table.limit += 1000; drawRuns(); });
drawRuns();
document.documentElement.dataset.ready = "yes";
