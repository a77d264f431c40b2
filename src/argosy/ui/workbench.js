// The frame of the workbench: what the server says, the list of files, addresses, keys. Views are in views.js.
const bench = { folder: null, live: [], files: "", version: -1, view: null, opened: 0 };

async function received(answer) {
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error || `the server answers ${answer.status}`);
  return said;
}
const asks = async (name, parameters = {}) => received(await fetch(`api/${name}?${new URLSearchParams(parameters)}`));
const tells = async (name, content) => received(await fetch(`api/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) }));

function notice(text) {
  find("notice").hidden = !text;
  find("notice").textContent = text || "";
}
// What goes wrong is a line on the page.
const quietly = (does) => async (...given) => {
  try { await does(...given); } catch (error) { if (error.name !== "AbortError") notice(error.message); }
};

// ---- addresses: #/file/NAME?tab=ask, #/run/ID?at=..., #/compare/ID/ID, #/simulate/ID
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [kind, ...rest] = path.split("/");
  let name;
  try { name = rest.map(decodeURIComponent).join("/"); } catch { name = ""; }
  return { kind, name, parts: rest, query: new URLSearchParams(query || "") };
}
const spelt = (name) => name.split("/").map(encodeURIComponent).join("/");
const fileAddress = (name, tab) => `#/file/${spelt(name)}${tab && tab !== "ask" ? `?tab=${tab}` : ""}`;
const runAddress = (id, at) => `#/run/${id}${at ? `?at=${encodeURIComponent(at)}` : ""}`;

const VIEWS = { file: fileView, run: runView, compare: compareView, simulate: simulationView };
async function show(again) {
  const at = place();
  const number = ++bench.opened;
  const view = VIEWS[at.kind] || homeView;
  bench.view?.leave?.();
  const next = { at, current: () => number === bench.opened };
  bench.view = next;
  try {
    await view(next, again);
    notice(bench.gone ? find("notice").textContent : "");
  } catch (error) {
    if (next.current()) { find("view").replaceChildren(build("p", { class: "empty" }, error.message)); find("view").className = ""; }
  }
  if (!next.current()) return;
  marked();
  document.title = `${next.title ? `${next.title} · ` : ""}Argosy`;
  document.documentElement.dataset.ready = location.hash || "#/";
}

// ---- files
function dot(verdict, busy) {
  const kind = busy ? "busy" : verdict ? `${verdict.colour}${verdict.stale ? " stale" : ""}` : "";
  const words = busy ? "running" : verdict ? `${verdict.verdict}${verdict.stale ? ", stale" : ""}` : "not asked yet";
  return build("span", { class: `dot ${kind}`, role: "img", "aria-label": words, title: words });
}
function listFiles() {
  const wanted = find("filter").value.toLowerCase();
  const groups = new Map();
  for (const file of bench.folder.files) if (file.name.toLowerCase().includes(wanted)) groups.set(file.title, [...(groups.get(file.title) || []), file]);
  const busy = new Set(bench.live.filter((run) => run.status === "running").map((run) => run.file));
  const row = (file) => {
    const cut = file.name.lastIndexOf("/") + 1;
    return build("a", { href: fileAddress(file.name), "data-name": file.name, title: file.name },
      build("span", { class: "name" }, build("span", { class: "folder" }, file.name.slice(0, cut)), file.name.slice(cut)), dot(file.verdict, busy.has(file.name)));
  };
  find("listed").replaceChildren(...[...groups].flatMap(([title, files]) => [build("h2", {}, title), ...files.map(row)]),
    ...(groups.size ? [] : [build("p", { class: "empty small" }, bench.folder.files.length ? "no such file" : "no file here has a format that is read")]));
  marked();
}
function marked() {
  const now = bench.view?.file;
  for (const link of find("listed").querySelectorAll("a")) {
    if (link.dataset.name === now) { link.setAttribute("aria-current", "page"); reveal(find("listed"), link); } else link.removeAttribute("aria-current");
  }
}
async function loadFolder() {
  bench.folder = await asks("folder");
  find("folder").textContent = bench.folder.folder;
  listFiles();
}

// ---- what happens on the server
function listQueue() {
  const running = bench.live.filter((run) => run.status === "running"), waiting = bench.live.length - running.length;
  const first = running[0];
  find("queue").replaceChildren(...(first ? [dot(null, true), build("a", { href: runAddress(first.id) }, `${first.file}: ${progressLine(first.live)}`),
    build("button", { type: "button", title: "s", onclick: quietly(() => tells("stop", { run: first.id })) }, "Stop")] : []),
    ...(waiting ? [`${waiting} waiting`] : []));
}
function listen() {
  const events = new EventSource("api/events");
  events.onmessage = quietly(async (event) => {
    const told = JSON.parse(event.data), before = bench.live.map((run) => run.id + run.status).join();
    if (bench.gone) { bench.gone = false; notice(""); bench.version = -1; }
    bench.live = told.live;
    listQueue();
    const ended = before !== told.live.map((run) => run.id + run.status).join();
    const edited = bench.files !== told.files || bench.version === -1;
    bench.files = told.files;
    bench.version = told.version;
    if (ended || edited) { await loadFolder(); if (bench.view) await bench.view.refresh?.(edited); } else bench.view?.progress?.();
  });
  events.onerror = () => { bench.gone = true; notice("The workbench has ended. What was found is kept: argosy ui opens it again, at this address."); };
}

// ---- keys
const press = (selector) => { const button = find("view").querySelector(selector); if (button && !button.disabled) button.click(); };
function another(way) {
  const links = [...find("listed").querySelectorAll("a")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  links[Math.max(0, Math.min(links.length - 1, at + way))]?.click();
}
const KEYS = {
  "/": () => { find("files").classList.add("open"); find("filter").focus(); find("filter").select(); },
  "]": () => another(1), "[": () => another(-1), "?": () => find("keys-dialog").showModal(), t: () => find("theme").click(),
  a: () => press("[data-key=a]"), c: () => press("[data-key=c]"), h: () => { location.hash = "#/"; }, o: () => press("[data-key=o]"), r: () => press("[data-key=r]"),
  s: quietly(async () => { const first = bench.live.find((run) => run.status === "running"); if (first) await tells("stop", { run: first.id }); }),
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT", "TEXTAREA"].includes(event.target.tagName)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const handed = bench.view?.keys?.[event.key] || KEYS[event.key] || (/^[1-4]$/.test(event.key) ? () => press(`[data-tab="${event.key}"]`) : null);
  if (handed) { event.preventDefault(); handed(); }
});
find("filter").addEventListener("input", listFiles);
find("filter").addEventListener("keydown", (event) => { if (event.key === "Enter") { find("listed").querySelector("a")?.click(); find("view").focus(); } });
find("help").addEventListener("click", () => find("keys-dialog").showModal());
find("menu").addEventListener("click", () => find("menu").setAttribute("aria-expanded", String(find("files").classList.toggle("open"))));
find("listed").addEventListener("click", () => { find("files").classList.remove("open"); find("menu").setAttribute("aria-expanded", "false"); });

// ---- light and dark, here and in the reports
const themed = () => { for (const frame of document.querySelectorAll("iframe")) frame.contentWindow.postMessage({ theme: dark() ? "dark" : "light" }, "*"); };
const kept = localStorage.getItem("argosy-theme");
if (kept && kept !== (dark() ? "dark" : "light")) find("theme").click();
find("theme").addEventListener("click", () => { localStorage.setItem("argosy-theme", dark() ? "dark" : "light"); themed(); });

addEventListener("hashchange", () => { if (bench.view?.own !== location.hash) show(false); });
quietly(async () => {
  await loadFolder();
  if (!location.hash && bench.folder.focus) history.replaceState(null, "", fileAddress(bench.folder.focus));
  await show(false);
  listen();
})();
