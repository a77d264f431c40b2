// What all pages share: building elements, numbers as people read them, scales, the tooltip, light and dark.
"use strict";

window.addEventListener("error", (event) => {
  document.documentElement.dataset.error = `${event.message} (line ${event.lineno})`;
});

const content = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);

function build(tag, attributes = {}, ...children) {
  const space = tag.startsWith("svg:") ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
  const element = document.createElementNS(space, tag.replace("svg:", ""));
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function significant(value, digits = 3) {
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  const rounded = Number(value.toPrecision(digits));
  return magnitude >= digits - 1 ? Math.round(rounded).toLocaleString("en") : rounded.toString();
}
const seconds = (value) => `${significant(value)} s`;
const megabytes = (value) => (value >= 10000 ? `${significant(value / 1024)} GB` : `${significant(value)} MB`);
const count = (value) => (value === null || value === undefined ? "" : Math.round(value).toLocaleString("en"));

// A logarithmic or linear scale from a domain to a range, with the ticks that people expect.
function scale(low, high, from, to, logarithmic) {
  const forward = logarithmic ? Math.log10 : (x) => x;
  const [a, b] = [forward(low), forward(high)];
  const place = (value) => from + ((forward(Math.max(value, low)) - a) / (b - a || 1)) * (to - from);
  return { place, ticks: logarithmic ? powers(low, high) : steps(low, high, Math.abs(to - from) / 70) };
}
function powers(low, high) {
  const ticks = [];
  for (let exponent = Math.ceil(Math.log10(low) - 1e-9); exponent <= Math.log10(high) + 1e-9; exponent++) ticks.push(10 ** exponent);
  if (ticks.length < 4) {
    for (const tick of [...ticks, 10 ** (Math.ceil(Math.log10(low)) - 1)])
      for (const factor of [2, 5]) if (tick * factor >= low && tick * factor <= high) ticks.push(tick * factor);
  }
  return ticks.sort((x, y) => x - y);
}
function steps(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) || power;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-6; tick += step) ticks.push(Number(tick.toPrecision(12)));
  return ticks;
}

const tooltip = document.body.appendChild(build("div", { id: "tooltip", role: "status", hidden: true }));
function point(event, title, ...lines) {
  tooltip.replaceChildren(build("b", {}, title), ...lines.map((line) => build("div", {}, line)));
  tooltip.hidden = false;
  const box = tooltip.getBoundingClientRect();
  const left = event.clientX + 16 + box.width > innerWidth ? event.clientX - 12 - box.width : event.clientX + 16;
  const top = event.clientY + 16 + box.height > innerHeight ? event.clientY - 12 - box.height : event.clientY + 16;
  tooltip.style.left = `${Math.max(4, left)}px`;
  tooltip.style.top = `${Math.max(4, top)}px`;
}
const unpoint = () => { tooltip.hidden = true; };

// Redraw when the width changes; the first drawing happens at once.
function whenWide(element, draw) {
  let width = 0;
  const redraw = () => {
    const now = Math.round(element.clientWidth) || 900;
    if (now !== width) draw((width = now));
  };
  new ResizeObserver(redraw).observe(element);
  redraw();
}

function choice(element, options, chosen, react) {
  const buttons = Object.entries(options).map(([value, text]) =>
    build("button", { type: "button", "data-value": value, "aria-pressed": String(value === chosen), onclick: () => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === value));
      react(value);
    } }, text));
  element.classList.add("choice");
  element.replaceChildren(...buttons);
}

function fill(select, values, chosen) {
  select.replaceChildren(...values.map(([value, text]) => build("option", { value, selected: value === chosen }, text)));
}

const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
if (find("theme")) {
  const say = () => { find("theme").textContent = dark() ? "Light" : "Dark"; };
  find("theme").addEventListener("click", () => { document.documentElement.dataset.theme = dark() ? "light" : "dark"; say(); });
  // In the frame of a workbench, its theme is ours.
  if (parent !== window) find("theme").hidden = true;
  addEventListener("message", (event) => { if (event.source === parent && parent !== window && ["light", "dark"].includes(event.data?.theme)) { document.documentElement.dataset.theme = event.data.theme; say(); } });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", say);
  say();
}
