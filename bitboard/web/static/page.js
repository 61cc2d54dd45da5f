// The page: its tabs and keys, and how it begins.
"use strict";

function choose(name) {
  for (const other of ["play", "replay"]) {
    const chosen = other === name;
    $(`panel-${other}`).hidden = !chosen;
    $(`tab-${other}`).setAttribute("aria-selected", chosen);
    $(`tab-${other}`).tabIndex = chosen ? 0 : -1;
  }
  if (name !== "play" && watching) { stopWatching(); refresh(); }
  if (name !== "replay") player.pause();
}
for (const name of ["play", "replay"]) {
  $(`tab-${name}`).addEventListener("click", (event) => {
    choose(name);
    if (event.detail) document.querySelector(`#panel-${name} .board`).focus(); // by mouse or finger: the keys play
  });
  $(`tab-${name}`).addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
    event.preventDefault();
    const next = name === "play" ? "replay" : "play";
    choose(next);
    $(`tab-${next}`).focus();
  });
}

const KEYS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3, w: 0, d: 1, s: 2, a: 3 };
addEventListener("keydown", (event) => {
  if (taken(event) || event.target.getAttribute("role") === "tab") return;
  if (!$("panel-replay").hidden) {
    if (player.key(event)) event.preventDefault();
    return;
  }
  const work = { u: undo, r: redo, h: toggleHint }[event.key];
  if (event.key in KEYS) {
    event.preventDefault();
    if (!watching) slideTo(KEYS[event.key]);
  } else if (work) work();
});

(async () => {
  showSpeed();
  showValues($("values"), null);
  try {
    info = await ask("info");
    $("agent").replaceChildren(...info.agents.map((name) => make("option", { value: name }, name)));
    showTimes();
    const seed = new URLSearchParams(location.search).get("seed");
    await newGame(seed ? { seed } : {});
    document.body.dataset.ready = "yes";
  } catch (error) {
    tell(error);
  }
})();
