const cell = (label, name) => document.querySelector(`#heatmap td[data-configuration="${label}"][data-category="${name}"]`);
return {
  title: document.title,
  tiles: text(".tile b"), alarm: text("#alarm li"),
  head: text("#heatmap thead th"), names: text("#heatmap td.name"),
  solved: cell("pred dfs", "all").textContent, best: cell("virtual best", "loops").textContent,
  curves: [...document.querySelectorAll("#cactus .curve")].map((curve) => [curve.dataset.configuration, curve.getAttribute("points").split(" ").length]),
  marks: document.querySelectorAll("#scatter .mark").length, note: text("#scatter-note")[0],
  axes: text("#scatter svg .title"), ticks: text("#cactus svg text"),
  rows: document.querySelectorAll("#runs tbody tr").length, first: text("#runs tbody tr:first-child td"),
  wide: document.documentElement.scrollWidth <= innerWidth,
};
