const alarm = document.getElementById("alarm");
const [r, g, b] = getComputedStyle(alarm.querySelector("h2")).color.match(/\d+/g).map(Number);
return { lines: text("#alarm li"), top: document.querySelector("main").firstElementChild === alarm, red: r > 2 * g && r > 2 * b,
         tile: text(".tile.bad b"), pill: text(".pill.wrong"), title: document.title, dark: dark() };
