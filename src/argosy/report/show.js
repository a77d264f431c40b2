// The model as pictures below each other, and what it declares.
const view = canvas(find("graph"), find("graph-controls"));
view.show(...content.graphs.flatMap((graph, index) => [build("h3", { id: `graph-${index}` }, graph.title), picture(graph)]));
fill(find("jump"), content.graphs.map((graph, index) => [String(index), graph.title]), "0");
find("jump-label").hidden = content.graphs.length < 2;
find("jump").addEventListener("change", () => { const title = find(`graph-${find("jump").value}`); find("graph").scrollTop += title.getBoundingClientRect().top - find("graph").getBoundingClientRect().top; });

let listed = content.declarations;
find("declared-card").hidden = !listed.length;
const list = rows(find("declared"), () => listed.length, (index) => {
  const [kind, name, rest] = listed[index];
  return build("div", { class: "row" }, build("span", { class: "kind" }, kind), build("span", {}, name), rest ? build("span", { class: "rest" }, rest) : null);
});
const shown = () => { find("declared").style.setProperty("--tall", `${Math.max(3, listed.length) * ROW + 4}px`); list.show(); };
find("search").addEventListener("input", () => {
  const wanted = find("search").value.toLowerCase();
  listed = content.declarations.filter((each) => each.join(" ").toLowerCase().includes(wanted));
  shown();
});
shown();
ready();
