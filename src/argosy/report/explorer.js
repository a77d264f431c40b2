// A graph of many thousand nodes: laid out once as a tree; only what is visible is drawn, with as much detail as there
// is room for; searched, walked through with the keys, each node with its state and why it was covered.
const WIDE = 196, TALL = 92, BOX = [172, 42], READABLE = 0.62, MOST_COVERS = 400;

// Where everything goes (Reingold and Tilford 1981): below its parent, as far left as the contours of its siblings
// allow. ``up`` are the parents, -1 for a root; a parent comes before its children. A contour has the lowest level
// first, so that joining two costs the height of the lower one; ``shift`` leads from its numbers to the places.
function arranged(up) {
  const size = up.length, below = Array.from({ length: size }, () => []), depth = new Int32Array(size), x = new Float64Array(size), roots = [], contours = new Array(size);
  for (let node = 0; node < size; node++) {
    if (up[node] < 0) roots.push(node);
    else { below[up[node]].push(node); depth[node] = depth[up[node]] + 1; }
  }
  const joined = (parts) => {
    let all = null;
    for (const part of parts) {
      const own = contours[part];
      contours[part] = null;
      if (!all) { all = own; x[part] = 0; continue; }
      let apart = -Infinity;
      for (let level = 1; level <= Math.min(all.left.length, own.left.length); level++) apart = Math.max(apart, all.right.at(-level) + all.shift - own.left.at(-level) - own.shift);
      x[part] = apart + 1;
      own.shift += x[part];
      const [deep, low, side] = all.left.length >= own.left.length ? [all, own, "right"] : [own, all, "left"];
      const base = deep[side].length - low[side].length;
      for (let level = 0; level < low[side].length; level++) deep[side][base + level] = low[side][level] + low.shift - deep.shift;
      all = deep;
    }
    return all;
  };
  for (let node = size - 1; node >= 0; node--) {
    const inner = below[node], all = joined(inner) || { left: [], right: [], shift: 0 };
    const middle = inner.length ? (x[inner[0]] + x[inner.at(-1)]) / 2 : 0;
    for (const child of inner) x[child] -= middle;
    all.shift -= middle;
    all.left.push(-all.shift);
    all.right.push(-all.shift);
    contours[node] = all;
  }
  const all = joined(roots), left = all ? all.left.reduce((least, each) => Math.min(least, each), Infinity) + all.shift : 0, rows = [];
  for (let node = 0; node < size; node++) {
    x[node] += up[node] >= 0 ? x[up[node]] : -left;
    (rows[depth[node]] ||= []).push(node);
  }
  for (const row of rows) row.sort((one, two) => x[one] - x[two]);
  const width = rows.reduce((most, row) => Math.max(most, x[row.at(-1)]), 0);
  return { x, depth, rows, below, width: (width + 1) * WIDE, height: rows.length * TALL };
}

// The graph that the refinement of this number found, as far as a choice of nodes lets it through: edges lead from the
// nearest nodes before that are there.
function part(graph, wanted) {
  const size = graph.number.length, place = new Int32Array(size).fill(-1), nodes = [], up = [], edges = [];
  const nearest = (node, seen) => {
    const found = [];
    for (let stack = [[node, ""]]; stack.length;) {
      const [at, text] = stack.pop();
      for (let pair = 0; pair < graph.parents[at].length; pair += 2) {
        const parent = graph.parents[at][pair], said = text === "" && at === node ? graph.texts[graph.parents[at][pair + 1]] : null;
        if (place[parent] >= 0) found.push([place[parent], said]);
        else if (!seen.has(parent)) { seen.add(parent); stack.push([parent, null]); }
      }
    }
    return found;
  };
  for (let node = 0; node < size; node++) {
    if (!wanted(node)) continue;
    place[node] = nodes.length;
    nodes.push(node);
    const from = nearest(node, new Set()).filter(([parent]) => parent < place[node]);
    up.push(from.length ? from[0][0] : -1);
    edges.push(from);
  }
  return { nodes, place, edges, up, ...arranged(up) };
}

function explorer(root, graph, at, tell, leap) {
  const total = graph.number.length, many = graph.graphs > 1, blocks = graph.marks.some((mark) => !(mark & 8));
  const surface = build("canvas", { tabindex: 0, role: "application", "aria-label": "abstract reachability graph: arrow keys walk, + and - zoom, 0 shows all, c goes to the node that covers" });
  const map = build("canvas", { class: "overview", "aria-hidden": "true" }), side = build("div", { class: "explorer-side", "aria-live": "polite" });
  const search = build("input", { id: "node-search", type: "search", placeholder: "number, line, state", "aria-label": "search nodes", spellcheck: "false" }), hits = build("span", { id: "node-hits", class: "faint small", role: "status" });
  const only = build("input", { type: "checkbox", checked: blocks && total > 240 }), slider = build("input", { id: "node-graph", type: "range", min: 1, max: graph.graphs, value: Math.min(graph.graphs, at.graph || graph.graphs), "aria-label": "refinement" }), when = build("span", { class: "small when" });
  const tool = (text, label, does) => build("button", { type: "button", title: label, "aria-label": label, onclick: does }, text);
  root.replaceChildren(build("div", { class: "controls" }, search, hits, ...(many ? [build("label", {}, "refinement ", slider), when] : []), ...(blocks ? [build("label", {}, only, "ends of blocks")] : []),
    build("span", { class: "grow" }), tool("−", "smaller (-)", () => zoom(1 / 1.4)), tool("+", "larger (+)", () => zoom(1.4)), tool("Fit", "all of it (0)", () => whole())),
    build("div", { class: "explorer" }, build("div", { class: "explorer-pane" }, surface, map), side));
  let shown = null, scale_ = 1, left = 0, top = 0, chosen = -1, found = [], hit = -1, drawing = 0;
  let colours = {};
  const mono = getComputedStyle(root).getPropertyValue("--mono").trim() || "monospace";
  const coloured = () => { const sample = build("i", { hidden: true }); root.append(sample); colours = Object.fromEntries(["surface", "sunken", "line", "strong-line", "text", "faint", "accent", "good", "bad", "series-3"].map((name) => { sample.style.color = `var(--${name})`; return [name, getComputedStyle(sample).color]; })); sample.remove(); };
  const now = () => Number(slider.value);
  const state = (node) => graph.texts[graph.state[node]];
  const where = (node) => (graph.line[node] ? `line ${graph.line[node]}` : graph.texts[graph.label[node]]);
  const covered = (index) => { const by = graph.coverer[shown.nodes[index]]; return by >= 0 ? shown.place[by] : -1; };
  const kind = (node) => (graph.marks[node] & 2 ? "bad" : onWay.has(node) ? "accent" : graph.coverer[node] >= 0 ? "good" : "strong-line");
  let onWay = new Set();

  // ---- what there is
  function choose() {
    shown = part(graph, (node) => graph.first[node] <= now() && now() <= graph.last[node] && (!only.checked || graph.marks[node] & 8));
    onWay = new Set();
    for (const [index, node] of shown.nodes.entries()) if (graph.marks[node] & 2) for (let each = index; each >= 0 && !onWay.has(shown.nodes[each]); each = shown.up[each]) onWay.add(shown.nodes[each]);
    when.textContent = now() === graph.graphs ? (onWay.size ? "the last graph" : "the proof") : `what refinement ${now()} found`;
    slider.setAttribute("aria-valuetext", when.textContent);
    look(search.value, true);
    overview();
  }
  const place = (index) => [(shown.x[index] + 0.5) * WIDE, (shown.depth[index] + 0.5) * TALL];

  // ---- drawing: rows by depth, each sorted, so that what is visible is found at once
  function visible(margin) {
    const wide = surface.clientWidth / scale_, high = surface.clientHeight / scale_, rows = [];
    const first = Math.max(0, Math.floor(top / TALL) - 1), last = Math.min(shown.rows.length - 1, Math.ceil((top + high) / TALL)), every = Math.max(1, Math.floor(1 / (TALL * scale_)));
    for (let depth = first; depth <= last; depth += every) {
      const row = shown.rows[depth], from = lower(row, (left - margin) / WIDE - 1), to = lower(row, (left + wide + margin) / WIDE);
      rows.push([row, from, to]);
    }
    return rows;
  }
  function lower(row, x) { let from = 0, to = row.length; while (from < to) { const middle = (from + to) >> 1; if (shown.x[row[middle]] < x) from = middle + 1; else to = middle; } return from; }
  function draw() {
    drawing = 0;
    const ratio = devicePixelRatio || 1, wide = surface.clientWidth, high = surface.clientHeight;
    if (!wide || !shown) return;
    if (surface.width !== Math.round(wide * ratio) || surface.height !== Math.round(high * ratio)) { surface.width = Math.round(wide * ratio); surface.height = Math.round(high * ratio); }
    const pen = surface.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, wide, high);
    const at_ = (index) => [((shown.x[index] + 0.5) * WIDE - left) * scale_, ((shown.depth[index] + 0.5) * TALL - top) * scale_];
    const half = [(BOX[0] / 2) * scale_, (BOX[1] / 2) * scale_], rows = visible(surface.clientWidth / scale_), inside = [], lines = { "strong-line": [], accent: [] }, covers = [];
    for (const [row, from, to] of rows) {
      let pixel = -1;
      for (let index = from; index < to; index++) {
        const each = row[index], [x, y] = at_(each), special = onWay.has(shown.nodes[each]) || each === chosen;
        // Several at one pixel look like one.
        if (!special && (x | 0) === pixel) continue;
        pixel = x | 0;
        if (x > -half[0] - 2 && x < wide + half[0] + 2) inside.push([each, x, y]);
        for (const [parent] of shown.edges[each]) { const [px, py] = at_(parent); if (Math.max(x, px) >= 0 && Math.min(x, px) <= wide) lines[special && onWay.has(shown.nodes[parent]) ? "accent" : "strong-line"].push(px, py, x, y); }
        if (covered(each) >= 0) covers.push([each, x, y]);
      }
    }
    for (const [name, ends] of Object.entries(lines)) {
      pen.strokeStyle = colours[name];
      pen.lineWidth = name === "accent" ? 2 : 1;
      for (let begun = 0; begun < ends.length; begun += 2000) {
        pen.beginPath();
        for (let index = begun; index < Math.min(ends.length, begun + 2000); index += 4) {
          const [px, py, x, y] = [ends[index], ends[index + 1] + half[1], ends[index + 2], ends[index + 3] - half[1]];
          pen.moveTo(px, py);
          if (scale_ > 0.25 && Math.abs(px - x) > 1) pen.bezierCurveTo(px, (py + y) / 2, x, (py + y) / 2, x, y); else pen.lineTo(x, y);
        }
        pen.stroke();
      }
    }
    const arc = (from, to, strong) => {
      const [x, y] = at_(from), [px, py] = at_(to), out = Math.max(x, px) + half[0] + Math.min(80, 20 + Math.abs(y - py) / 6);
      pen.strokeStyle = colours.good;
      pen.lineWidth = strong ? 2 : 1;
      pen.setLineDash([4, 4]);
      pen.beginPath();
      pen.moveTo(x + half[0], y);
      pen.bezierCurveTo(out, y, out, py, px + half[0], py);
      pen.stroke();
      pen.setLineDash([]);
    };
    if (covers.length <= MOST_COVERS && scale_ > 0.12) for (const [each] of covers) arc(each, covered(each), each === chosen);
    if (chosen >= 0 && covered(chosen) >= 0) arc(chosen, covered(chosen), true);
    const matches = new Set(found);
    boxes(pen, inside, half, matches);
    viewport();
  }
  function boxes(pen, inside, half, matches) {
    const readable = scale_ >= READABLE, letters = Math.floor(((BOX[0] - 16) * scale_) / (6.9 * Math.min(1, scale_)));
    const size = Math.min(12.5, 12 * scale_);
    for (const [each, x, y] of inside) {
      const node = shown.nodes[each], name = kind(node);
      if (scale_ < 0.16) {
        const dot = Math.max(1.5, half[1]);
        pen.fillStyle = colours[matches.has(each) ? "series-3" : name === "strong-line" ? "faint" : name];
        const large = matches.has(each) || graph.marks[node] & 2 ? 3 : dot;
        pen.fillRect(x - large, y - large, 2 * large, 2 * large);
        continue;
      }
      pen.beginPath();
      pen.roundRect(x - half[0], y - half[1], 2 * half[0], 2 * half[1], 9 * scale_);
      pen.fillStyle = colours[each === chosen ? "surface" : "sunken"];
      pen.fill();
      pen.strokeStyle = colours[each === chosen && name === "strong-line" ? "text" : matches.has(each) && each !== chosen ? "series-3" : name];
      pen.lineWidth = each === chosen ? 3 : name === "strong-line" && !matches.has(each) ? 1 : 2;
      if (graph.coverer[node] >= 0) pen.setLineDash([4, 3]);
      pen.stroke();
      pen.setLineDash([]);
      if (scale_ < 0.3) continue;
      pen.textAlign = "center";
      pen.font = `600 ${size}px ${mono}`;
      pen.fillStyle = colours.text;
      const text = state(node), title = `${graph.number[node]}: ${graph.marks[node] & 2 ? "error" : where(node)}`;
      pen.fillText(title, x, y + (readable && text && text !== "true" ? -4 : 4) * scale_);
      if (readable && text && text !== "true") {
        pen.font = `${size * 0.94}px ${mono}`;
        pen.fillStyle = colours["series-3"];
        pen.fillText(text.length > letters ? `${text.slice(0, letters - 1)}…` : text, x, y + 12 * scale_);
      }
    }
    if (scale_ < 0.8) return;
    pen.textAlign = "left";
    pen.font = `${size * 0.94}px ${mono}`;
    for (const [each, x, y] of inside) {
      const said = shown.edges[each][0]?.[1];
      if (!said) continue;
      pen.lineWidth = 4;
      pen.strokeStyle = colours.surface;
      pen.fillStyle = colours.faint;
      const label = said.length > 24 ? `${said.slice(0, 23)}…` : said;
      pen.strokeText(label, x + 5, y - half[1] - 12 * scale_);
      pen.fillText(label, x + 5, y - half[1] - 12 * scale_);
    }
  }
  const redraw = () => { drawing ||= requestAnimationFrame(draw); };

  // ---- the whole of it, small
  const sketch = build("canvas");
  let ratio_ = 1;
  function overview() {
    const wide = 150, high = 100;
    ratio_ = Math.min(wide / Math.max(1, shown.width), high / Math.max(1, shown.height));
    sketch.width = map.width = Math.max(8, Math.ceil(shown.width * ratio_));
    sketch.height = map.height = Math.max(8, Math.ceil(shown.height * ratio_));
    map.hidden = shown.nodes.length < 30;
    const pen = sketch.getContext("2d"), seen = new Set();
    for (let index = 0; index < shown.nodes.length; index++) {
      const [x, y] = place(index), spot = ((x * ratio_) | 0) * 1000 + ((y * ratio_) | 0), name = kind(shown.nodes[index]);
      if (seen.has(spot) && (name === "strong-line" || name === "good")) continue;
      seen.add(spot);
      pen.fillStyle = colours[name === "strong-line" ? "faint" : name];
      pen.fillRect((x * ratio_) | 0, (y * ratio_) | 0, 1, 1);
    }
  }
  function viewport() {
    if (map.hidden) return;
    const pen = map.getContext("2d");
    pen.clearRect(0, 0, map.width, map.height);
    pen.drawImage(sketch, 0, 0);
    pen.strokeStyle = colours.accent;
    pen.strokeRect(left * ratio_ + 0.5, top * ratio_ + 0.5, Math.max(3, (surface.clientWidth / scale_) * ratio_ - 1), Math.max(3, (surface.clientHeight / scale_) * ratio_ - 1));
  }

  // ---- moving
  function clamp() {
    const wide = surface.clientWidth / scale_, high = surface.clientHeight / scale_;
    left = shown.width <= wide ? (shown.width - wide) / 2 : Math.max(-wide / 2, Math.min(shown.width - wide / 2, left));
    top = shown.height <= high ? -12 / scale_ : Math.max(-24 / scale_, Math.min(shown.height - high / 2, top));
    redraw();
  }
  function zoom(factor, x = surface.clientWidth / 2, y = surface.clientHeight / 2) {
    const next = Math.max(Math.min(1, (0.9 * surface.clientWidth) / shown.width, (0.9 * surface.clientHeight) / shown.height), Math.min(2.5, scale_ * factor));
    left += x / scale_ - x / next;
    top += y / scale_ - y / next;
    scale_ = next;
    clamp();
  }
  function whole() { scale_ = Math.min(1, surface.clientWidth / (shown.width + 20), surface.clientHeight / (shown.height + 20)); left = (shown.width - surface.clientWidth / scale_) / 2; top = 0; clamp(); }
  function centre(index, close) {
    const [x, y] = place(index), wide = surface.clientWidth / scale_, high = surface.clientHeight / scale_;
    if (close && scale_ < READABLE) scale_ = 1;
    if (close || x < left + BOX[0] / 2 || x > left + wide - BOX[0] / 2 || y < top + TALL / 2 || y > top + high - TALL / 2) { left = x - surface.clientWidth / scale_ / 2; top = y - surface.clientHeight / scale_ / 2; }
    clamp();
  }

  // ---- one node
  function select(index, close, quietly) {
    chosen = index;
    if (index >= 0) centre(index, close);
    describe();
    redraw();
    if (!quietly) tell(index < 0 ? null : graph.number[shown.nodes[index]], many && now() !== graph.graphs ? now() : null);
  }
  const link = (index) => tool(`${graph.number[shown.nodes[index]]}`, `node ${graph.number[shown.nodes[index]]}`, () => { select(index); surface.focus({ preventScroll: true }); });
  function describe() {
    const line = (title, ...inner) => [build("dt", {}, title), build("dd", {}, ...inner)];
    if (chosen < 0) {
      const marks = shown.nodes.reduce((counts, node) => { counts[kind(node)] = (counts[kind(node)] || 0) + 1; return counts; }, {});
      side.replaceChildren(build("p", { class: "faint small" }, "Choose a node to see its state, and why it was covered."), build("ul", { class: "legend" }, build("li", { class: "plain" }, `${count(shown.nodes.length)} nodes`), build("li", { class: "covered" }, `${count(marks.good || 0)} covered by another`), build("li", { class: "way" }, `${count(marks.accent || 0)} on the way to the error`), build("li", { class: "error" }, `${count(marks.bad || 0)} where the error is reached`)));
      return;
    }
    const node = shown.nodes[chosen], by = covered(chosen), inner = shown.below[chosen], own = [];
    for (let index = 0; index < shown.nodes.length && own.length < 40; index++) if (graph.coverer[shown.nodes[index]] === node) own.push(index);
    const place_ = graph.texts[graph.function[node]], described = (each) => state(each) || (graph.marks[each] & 8 ? "true" : "inside a block: no state of its own");
    const status = graph.marks[node] & 2 ? "the error is reached here" : graph.coverer[node] >= 0 ? "covered" : inner.length ? "expanded" : "nothing follows";
    side.replaceChildren(build("h3", {}, `Node ${graph.number[node]}`), build("dl", {},
      ...line("at", graph.line[node] && leap ? build("button", { type: "button", onclick: () => leap(graph.line[node]) }, where(node)) : where(node) || "no line", place_ ? ` in ${place_}` : ""),
      ...line("state", build("code", {}, described(node))),
      ...line("is", status),
      ...(by >= 0 ? line("covered by", link(by), build("p", { class: "why" }, "at the same location; every state of this node is one of that node, so whatever follows here follows there, too:"), build("code", {}, described(shown.nodes[by]))) : graph.coverer[node] >= 0 ? line("covered by", `node ${graph.number[graph.coverer[node]]}, which is not shown`) : []),
      ...(own.length ? line("covers", ...own.slice(0, 24).map(link), own.length > 24 ? " ..." : "") : []),
      ...(shown.edges[chosen].length ? line("from", ...shown.edges[chosen].slice(0, 12).map(([parent, text]) => build("div", {}, link(parent), text ? build("code", {}, ` ${text}`) : ""))) : []),
      ...(inner.length ? line("leads to", ...inner.slice(0, 24).map((child) => build("div", {}, link(child), shown.edges[child][0][1] ? build("code", {}, ` ${shown.edges[child][0][1]}`) : ""))) : []),
      ...(many ? line("lived", graph.last[node] === graph.graphs ? (graph.first[node] === 1 ? "from the beginning to the end" : `from refinement ${graph.first[node] - 1} to the end`) : `until refinement ${graph.last[node]} took it away`) : [])));
  }

  // ---- searching
  function look(text, quietly) {
    const wanted = text.trim().toLowerCase(), exact = wanted.match(/^(?:line|node)? *(\d+)$/);
    found = [];
    if (wanted) for (const [index, node] of shown.nodes.entries()) if ((exact && (wanted.startsWith("line") ? graph.line[node] === Number(exact[1]) : graph.number[node] === Number(exact[1]) || (!wanted.startsWith("node") && graph.line[node] === Number(exact[1])))) || (!exact && `${where(node)} ${state(node)} ${graph.texts[graph.function[node]]}`.toLowerCase().includes(wanted))) found.push(index);
    if (exact) found.sort((one, two) => (graph.number[shown.nodes[two]] === Number(exact[1])) - (graph.number[shown.nodes[one]] === Number(exact[1])));
    hit = -1;
    hits.textContent = wanted ? `${count(found.length)} found` : "";
    if (!quietly && found.length) next(1); else redraw();
  }
  function next(way) {
    if (!found.length) return;
    hit = (hit + way + found.length) % found.length;
    hits.textContent = `${count(hit + 1)} of ${count(found.length)}`;
    select(found[hit], true);
  }
  search.addEventListener("input", () => look(search.value));
  search.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); next(event.shiftKey ? -1 : 1); } });

  // ---- keys, mouse, fingers
  const step = (way) => { const row = shown.rows[shown.depth[chosen]], at__ = row.indexOf(chosen) + way; return row[at__] ?? chosen; };
  const moves = { ArrowUp: () => (shown.up[chosen] >= 0 ? shown.up[chosen] : chosen), ArrowDown: () => shown.below[chosen][0] ?? chosen, ArrowLeft: () => step(-1), ArrowRight: () => step(1), c: () => (covered(chosen) >= 0 ? covered(chosen) : chosen) };
  surface.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const does = moves[event.key] ? () => select(chosen < 0 ? 0 : moves[event.key]()) : { "+": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: whole, Escape: () => select(-1), n: () => next(1), N: () => next(-1), f: () => search.focus() }[event.key];
    if (does) { event.preventDefault(); event.stopPropagation(); does(); }
  });
  let from = null, moved_ = false;
  surface.addEventListener("pointerdown", (event) => { if (event.button === 0) { from = [event.clientX, event.clientY, left, top]; moved_ = false; surface.setPointerCapture?.(event.pointerId); } });
  surface.addEventListener("pointermove", (event) => {
    if (!from) return;
    if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) { moved_ = true; surface.classList.add("moving"); }
    if (moved_) { left = from[2] - (event.clientX - from[0]) / scale_; top = from[3] - (event.clientY - from[1]) / scale_; clamp(); }
  });
  surface.addEventListener("pointerup", (event) => {
    if (from && !moved_) { const box = surface.getBoundingClientRect(); select(under(event.clientX - box.left, event.clientY - box.top)); }
    from = null;
    surface.classList.remove("moving");
  });
  surface.addEventListener("pointercancel", () => { from = null; });
  function under(x, y) {
    const depth = Math.floor((y / scale_ + top) / TALL), row = shown.rows[depth];
    if (!row) return -1;
    const middle = (x / scale_ + left) / WIDE - 0.5, near = lower(row, middle);
    const best = [row[near - 1], row[near]].filter((each) => each !== undefined).sort((one, two) => Math.abs(shown.x[one] - middle) - Math.abs(shown.x[two] - middle))[0];
    return best !== undefined && Math.abs(shown.x[best] - middle) * WIDE <= BOX[0] / 2 + 6 / scale_ ? best : -1;
  }
  surface.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== surface) return;
    event.preventDefault();
    const box = surface.getBoundingClientRect();
    if (event.ctrlKey) zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left, event.clientY - box.top); else { left += event.deltaX / scale_; top += event.deltaY / scale_; clamp(); }
  }, { passive: false });
  map.addEventListener("pointerdown", (event) => { const box = map.getBoundingClientRect(); left = (event.clientX - box.left) / ratio_ - surface.clientWidth / scale_ / 2; top = (event.clientY - box.top) / ratio_ - surface.clientHeight / scale_ / 2; clamp(); });
  const again = () => { const node = chosen < 0 ? -1 : shown.nodes[chosen]; choose(); const kept = node < 0 ? -1 : shown.place[node]; if (kept < 0) whole(); select(kept); };
  slider.addEventListener("input", again);
  only.addEventListener("change", again);
  const repaint = () => { coloured(); overview(); redraw(); };
  new MutationObserver(repaint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  coloured();
  choose();
  const first = at.node === null ? -1 : graph.number.indexOf(at.node);
  if (first >= 0 && shown.place[first] < 0 && only.checked) { only.checked = false; choose(); }
  new ResizeObserver(() => clamp()).observe(surface);
  whole();
  // What cannot be read as a whole is opened at its beginning; the overview has the rest.
  if (scale_ < 0.3 && shown.nodes.length) { scale_ = 0.7; centre(0); top = 0; clamp(); }
  select(first >= 0 ? shown.place[first] : -1, true, true);
}
