// What pages are made of: lists of which only the visible rows are there, pictures of graphs, panes to move them in.
const ROW = 20;

// A list of rows of which only the visible ones are built: all have one height.
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

// ---- graphs
function curve(points, straight) {
  if (straight) return `M${points.map((point) => point.join(" ")).join(" L")}`;
  let [x, y] = points[0];
  return points.slice(1).reduce((path, [right, down]) => {
    const middle = (y + down) / 2;
    const next = `${path} C${x} ${middle} ${right} ${middle} ${right} ${down}`;
    [x, y] = [right, down];
    return next;
  }, `M${x} ${y}`);
}
function texts(lines, x, y, anchor, arc) {
  return lines.map(([kind, line], index) => build("svg:text", { x, y: y - ((lines.length - 1) * 15) / 2 + 4 + index * 15, "text-anchor": anchor, class: kind, "data-arc": arc }, line));
}
let pictures = 0;
function picture(graph) {
  const number = pictures++;
  const arrow = (kind) => build("svg:marker", { id: `arrow${number}${kind}`, viewBox: "0 0 8 8", refX: 8, refY: 4, markerUnits: "userSpaceOnUse", markerWidth: 9, markerHeight: 9, orient: "auto" }, build("svg:path", { class: `tip ${kind}`, d: "M0 0 L8 4 L0 8 z" }));
  const kind = (lines) => (lines.some(([each]) => each === "cover") ? "arc cover" : "arc");
  const loop = ([x, y]) => `M${x} ${y - 4} C${x + 24} ${y - 14} ${x + 24} ${y + 14} ${x} ${y + 4}`;
  const drawn = build("svg:svg", { viewBox: `-10 -10 ${graph.width + 20} ${graph.height + 20}`, role: "img", "aria-label": graph.title, "data-number": number },
    build("svg:defs", {}, arrow(""), arrow("passed")),
    graph.routes.map((route) => build("svg:path", { class: kind(route.text), d: curve(route.points, graph.straight), "data-arc": route.arc, "marker-end": `url(#arrow${number})` })),
    graph.loops.map((each) => build("svg:path", { class: kind(each.text), d: loop(each.at), "data-arc": each.arc, "marker-end": `url(#arrow${number})` })),
    graph.loops.flatMap((each) => texts(each.text, each.at[0] + 26, each.at[1], "start", each.arc)),
    graph.routes.filter((route) => route.label).flatMap((route) => texts(route.text, route.label[0], route.label[1], "start", route.arc)),
    graph.boxes.flatMap((box, index) => [build("svg:rect", { class: ["box", ...box.marks].join(" "), "data-box": index, x: box.at[0] - box.at[2] / 2, y: box.at[1] - box.at[3] / 2, width: box.at[2], height: box.at[3], rx: 9 }, build("svg:title", {}, box.marks.join(", "))), ...texts(box.text, box.at[0], box.at[1], "middle")]));
  drawn.dataset.width = graph.width + 20;
  drawn.dataset.height = graph.height + 20;
  return drawn;
}
// Which arcs a run has passed, and the one it takes now.
function mark(pane, passed, here) {
  for (const element of pane.querySelectorAll("[data-arc]")) {
    const arc = Number(element.dataset.arc), number = element.ownerSVGElement.dataset.number;
    element.classList.toggle("passed", passed.has(arc));
    element.classList.toggle("here", here.has(arc));
    if (element.tagName === "path") element.setAttribute("marker-end", `url(#arrow${number}${passed.has(arc) ? "passed" : ""})`);
    else if (here.has(arc)) reveal(pane, element);
  }
}
// Scrolls the pane, not the page.
function reveal(pane, element) {
  const inner = element.getBoundingClientRect(), outer = pane.getBoundingClientRect();
  if (inner.top < outer.top + 20 || inner.bottom > outer.bottom - 20) pane.scrollTop += (inner.top + inner.bottom) / 2 - (outer.top + outer.bottom) / 2;
  if (inner.width < outer.width && (inner.left < outer.left + 10 || inner.right > outer.right - 10)) pane.scrollLeft += (inner.left + inner.right) / 2 - (outer.left + outer.right) / 2;
}
// A pane with a picture in it: larger, smaller, all of it, moved by dragging.
function canvas(pane, controls) {
  let zoom = 1;
  const apply = (next) => {
    zoom = Math.min(4, Math.max(0.1, next));
    for (const drawn of pane.querySelectorAll("svg[data-width]")) {
      drawn.setAttribute("width", drawn.dataset.width * zoom);
      drawn.setAttribute("height", drawn.dataset.height * zoom);
    }
  };
  const whole = () => {
    const wide = Math.max(1, ...[...pane.querySelectorAll("svg[data-width]")].map((drawn) => Number(drawn.dataset.width)));
    apply(Math.min(1, (pane.clientWidth - 26) / wide));
  };
  const button = (text, label, does) => build("button", { type: "button", "aria-label": label, title: label, onclick: does }, text);
  controls.append(button("−", "smaller", () => apply(zoom / 1.25)), button("+", "larger", () => apply(zoom * 1.25)), button("Fit", "fit the width", whole));
  pane.addEventListener("keydown", (event) => {
    const does = { "+": () => apply(zoom * 1.25), "-": () => apply(zoom / 1.25), 0: whole }[event.key];
    if (does && !event.ctrlKey && !event.metaKey) { event.preventDefault(); does(); }
  });
  pane.addEventListener("wheel", (event) => { if (event.ctrlKey) { event.preventDefault(); apply(zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1)); } }, { passive: false });
  let from = null;
  pane.addEventListener("pointerdown", (event) => { if (event.pointerType === "mouse" && event.button === 0 && event.target.closest("svg")) { from = [event.clientX + pane.scrollLeft, event.clientY + pane.scrollTop]; pane.classList.add("moving"); } });
  addEventListener("pointermove", (event) => { if (from) { pane.scrollLeft = from[0] - event.clientX; pane.scrollTop = from[1] - event.clientY; } });
  addEventListener("pointerup", () => { from = null; pane.classList.remove("moving"); });
  return { show: (...drawn) => { pane.replaceChildren(...drawn); apply(zoom); }, whole };
}
