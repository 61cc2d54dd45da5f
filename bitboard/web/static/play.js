// Play, and watch an agent play: one game, which changes hands.
"use strict";

const SPEEDS = [...[1, 2, 5, 10, 30, 100, 1000].map((n) => [n, `${grouped(n)} move${n > 1 ? "s" : ""} a second`]),
  [Infinity, "as fast as it can"]];
const CHUNK_MS = 60; // of moves that are made at once

const view = new BoardView($("board"));
const curve = new Curve($("curve"));
let game, info, watching = null, hinting = false, thinking = null;

function refresh() {
  $("score").textContent = grouped(game.score);
  $("moves").textContent = grouped(game.moves);
  $("largest").textContent = grouped(game.largest);
  $("seed").textContent = game.seed;
  $("undo").disabled = !game.moves || Boolean(watching);
  $("redo").disabled = !game.redoable.length || Boolean(watching);
  $("analyse").disabled = !game.moves;
  const over = game.over;
  $("over").hidden = !over;
  $("watch").disabled = $("step").disabled = over && !watching;
  curve.show(game.scores);
}

function begin(next) {
  stopWatching();
  game = next;
  view.show(game.board, game.rules);
  refresh();
  hint();
}

// Make a move on the page: a slide of the person or of the agent.
function slideTo(direction, ms = SLIDE_MS) {
  const made = game.move(direction);
  if (made) show(made, DIRECTIONS[direction], ms);
  return made;
}

function show(made, what, ms = SLIDE_MS) {
  view.move(made, game.board, game.rules, ms);
  refresh();
  if (!watching) {
    const over = game.over ? " Game over." : "";
    $("said").textContent = `${what}${made.reward ? `, plus ${made.reward}` : ""}. Score ${game.score}.${over}`;
    hint();
  }
}

function choice() {
  const request = { agent: $("agent").value };
  if (!$("time-label").hidden && $("time").value) request.milliseconds = Number($("time").value);
  return request;
}

// Show what the agent thinks of the board, if that is wanted.
async function hint() {
  thinking?.abort();
  if (!hinting || game.over) return showValues($("values"), null);
  thinking = new AbortController();
  try {
    const best = await ask("best", { ...asked(game), ...choice() }, thinking.signal);
    showValues($("values"), best.values);
    if (Object.values(best.values).every((value) => value === null)) $("said").textContent = `Hint: ${best.direction}`;
  } catch (error) {
    showValues($("values"), null);
    tell(error);
  }
}

function stopWatching() {
  watching?.abort();
  watching = null;
  $("watch").textContent = "Let it play";
  $("watch").classList.add("main");
}

const paused = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)));

async function agentStep(signal, ms) {
  const best = await ask("best", { ...asked(game), ...choice() }, signal);
  if (signal?.aborted) return;
  showValues($("values"), best.values, LETTERS.indexOf(best.direction));
  slideTo(LETTERS.indexOf(best.direction), ms);
}

async function watch() {
  if (watching) {
    stopWatching();
    refresh();
    return hint();
  }
  const mine = (watching = new AbortController()), { signal } = mine;
  thinking?.abort();
  $("watch").textContent = "Take over";
  $("watch").classList.remove("main");
  quieten();
  try {
    while (!game.over && !signal.aborted) {
      const [rate] = SPEEDS[$("speed").value], began = performance.now();
      if (rate <= 30) {
        await agentStep(signal, Math.min(SLIDE_MS, 600 / rate));
        await paused(1000 / rate - (performance.now() - began));
        continue;
      }
      const count = Math.min(rate * CHUNK_MS / 1000, 5000);
      const played = await ask("play", { ...asked(game), ...choice(), count, limit: CHUNK_MS }, signal);
      if (signal.aborted) break;
      game.follow(played.played);
      view.show(game.board, game.rules);
      showValues($("values"), null);
      refresh();
      const due = rate === Infinity ? 0 : 1000 * played.played.split(" ").length / rate;
      await paused(due - (performance.now() - began));
    }
  } catch (error) {
    tell(error);
  }
  if (watching === mine) {
    stopWatching();
    refresh();
    $("said").textContent = game.over ? `Game over. Score ${game.score}.` : "";
  }
}

async function newGame(request) {
  try {
    const answer = await ask("new", request);
    begin(new Game(answer.game));
    quieten();
    return true;
  } catch (error) {
    tell(error);
    return false;
  }
}

$("new").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = Object.fromEntries(new FormData(event.target)), request = {};
  const { rows, columns } = form;
  Object.assign(request, { rows: Number(rows), columns: Number(columns) });
  if (form.seed.trim()) request.seed = form.seed.trim();
  if (form.top.trim()) request.top = Number(form.top);
  if (form.spawn.trim()) {
    if (!/^\d+:\d+([ ,]+\d+:\d+)*$/.test(form.spawn.trim())) return tell("Spawns are tile:weight, such as 2:9 4:1");
    request.spawn = Object.fromEntries(form.spawn.trim().split(/[ ,]+/).map((pair) => pair.split(":"))
      .map(([face, weight]) => [face, Number(weight)]));
  }
  if (await newGame(request)) {
    $("new-game").open = false;
    $("board").focus();
  }
});
$("again").addEventListener("click", () => { // by the same rules
  const { board, seed, moves, ...rules } = asked(game);
  newGame({ ...rules, rows: game.rules.rows, columns: game.rules.columns });
});
$("undo").addEventListener("click", undo);
$("redo").addEventListener("click", redo);
function undo() {
  if (watching || !game.undo()) return;
  view.show(game.board, game.rules);
  refresh();
  $("said").textContent = `Undone. Score ${game.score}.`;
  hint();
}
function redo() {
  const made = watching ? null : game.redo();
  if (made) show(made, "Redone");
}
function toggleHint() {
  hinting = !hinting;
  $("hint").setAttribute("aria-pressed", hinting);
  hint();
}
$("hint").addEventListener("click", toggleHint);
$("watch").addEventListener("click", watch);
$("step").addEventListener("click", async () => {
  stopWatching();
  try { await agentStep(undefined, SLIDE_MS); } catch (error) { tell(error); }
});
$("speed").addEventListener("input", showSpeed);
function showSpeed() {
  $("speed-text").textContent = SPEEDS[$("speed").value][1];
  $("speed").setAttribute("aria-valuetext", SPEEDS[$("speed").value][1]);
}
$("agent").addEventListener("change", () => { showTimes(); hint(); });
$("time").addEventListener("change", hint);
function showTimes() {
  const agent = $("agent").value;
  const timed = ["expectimax", "montecarlo"].includes(agent) && !info.own.includes(agent);
  $("time-label").hidden = !timed;
  const usual = agent === "expectimax" ? "by the board" : "20 ms";
  const times = [["", usual], [1, "1 ms"], [5, "5 ms"], [50, "50 ms"], [200, "200 ms"], [1000, "1 s"]];
  $("time").replaceChildren(...times.map(([value, text]) => make("option", { value }, text)));
}

// Swipes
let down = null;
$("board").addEventListener("pointerdown", (event) => {
  down = [event.clientX, event.clientY];
  $("board").setPointerCapture(event.pointerId);
});
$("board").addEventListener("pointercancel", () => { down = null; });
$("board").addEventListener("pointerup", (event) => {
  if (!down || watching) return;
  const x = event.clientX - down[0], y = event.clientY - down[1];
  down = null;
  if (Math.max(Math.abs(x), Math.abs(y)) < 24) return;
  slideTo(Math.abs(x) > Math.abs(y) ? (x > 0 ? 1 : 3) : y > 0 ? 2 : 0);
});
