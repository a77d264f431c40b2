// Simulations: what is possible, one step on, back, at random.
const simulateTab = () => [build("p", { class: "empty" }, "")];
const simulationView = () => {};
const simulateRun = () => {};
