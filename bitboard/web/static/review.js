// Replay: a game to open, go through, analyse and keep.
"use strict";

const player = new Player($("player"), showJudged);
let judged = [], judging = null;
$("player").hidden = true;

function openGame(next) {
  judging?.abort();
  judging = null;
  judged = [];
  $("progress").hidden = true;
  $("worst").replaceChildren();
  $("judge").textContent = "Analyse";
  const tags = Object.entries(next.tags).map(([name, value]) => `${name}: ${value}`).join(", ");
  $("player").hidden = $("opened").hidden = false;
  $("empty").hidden = true;
  player.open(next);
  $("summary").textContent = [tags, next.cut && `broken off: ${next.cut}`].filter(Boolean).join(" · ");
}

async function openText(text) {
  try {
    const { games, damaged } = await ask("read", { text });
    const found = games.map((json) => new Game(json));
    $("which-label").hidden = found.length < 2;
    $("which").replaceChildren(...found.map((one, i) =>
      make("option", { value: i }, `${i + 1}: ${grouped(one.score)} points`)));
    $("which").value = found.length - 1;
    $("which").onchange = () => openGame(found[$("which").value]);
    openGame(found.at(-1));
    if (damaged.length) tell(`${damaged.length} of ${damaged.length + games.length} cannot be read: ${damaged[0]}`);
    else quieten();
  } catch (error) {
    tell(error);
  }
}

async function openFile(file) {
  if (!file) return;
  if (file.size > 3_900_000) return tell("The file has more than 3.9 MB.");
  const data = await file.arrayBuffer();
  let text;
  try { text = new TextDecoder("utf-8", { fatal: true }).decode(data); } // files of 2048verse are in Latin-1
  catch { text = Array.from(new Uint8Array(data), (byte) => String.fromCharCode(byte)).join(""); }
  await openText(text);
}

$("file").addEventListener("change", async () => {
  await openFile($("file").files[0]);
  $("file").value = "";
});
$("open").addEventListener("click", () => openText($("text").value));
for (const name of ["dragover", "dragleave", "drop"]) {
  addEventListener(name, (event) => {
    event.preventDefault();
    $("drop").classList.toggle("over", name === "dragover");
    if (name !== "drop") return;
    choose("replay");
    const { files } = event.dataTransfer;
    if (files.length) openFile(files[0]); else openText(event.dataTransfer.getData("text"));
  });
}

$("judge").addEventListener("click", async () => {
  if (judging) return stopJudging();
  const mine = (judging = new AbortController()), { game } = player;
  $("judge").textContent = "Stop";
  $("progress").hidden = false;
  judged = [];
  try {
    while (judged.length < game.moves) {
      const positions = [];
      for (let i = judged.length; i < Math.min(judged.length + 200, game.moves); i++) {
        positions.push([game.rowsOf(i), LETTERS[game.history[i][0]]]);
      }
      const depth = info.backend === "c" ? 2 : 1; // of the search
      const answer = await ask("analyse", { positions, depth }, mine.signal);
      if (mine.signal.aborted) return;
      judged.push(...answer.judged);
      $("progress").value = judged.length / game.moves;
      showWorst();
    }
  } catch (error) {
    tell(error);
  }
  if (judging === mine) stopJudging();
});

function stopJudging() {
  judging?.abort();
  judging = null;
  $("judge").textContent = "Analyse";
  $("progress").hidden = true;
  if (judged.length) showWorst();
}

function showWorst() {
  const losses = judged.map((one, i) => ({ ...one, i })).filter((one) => one.loss > 0);
  const best = judged.length - losses.length;
  const percent = (n) => `${((100 * n) / Math.max(judged.length, 1)).toFixed(1)}%`;
  const marked = (mark) => losses.filter((one) => one.mark === mark).length;
  $("summary").textContent = `${judged.length === 1 ? "1 move" : `${grouped(judged.length)} moves`}: ${percent(best)} the best, ` +
    `${percent(marked("?"))} lost a little (?), ${percent(marked("??"))} much (??)`;
  losses.sort((one, other) => other.loss - one.loss || one.i - other.i);
  $("worst").replaceChildren(...losses.slice(0, 20).map(({ i, loss, mark, values }) => {
    const made = DIRECTIONS[player.game.history[i][0]].toLowerCase();
    const top = Math.max(...Object.values(values).filter((value) => value !== null));
    const better = DIRECTIONS[[...LETTERS].findIndex((letter) => values[letter] === top)].toLowerCase();
    const lost = grouped(Number(loss.toFixed(1)));
    const text = `Move ${grouped(i + 1)}${mark && ` ${mark}`}: ${made} lost ${lost} against ${better}`;
    return make("li", {}, make("button", { type: "button", onclick: () => player.jump(i) }, text));
  }));
  const marks = losses.filter((one) => one.mark);
  player.marks = marks.map((one) => [one.i + 1, one.mark === "??" ? "bad" : "warn"]);
  player.tell();
}

// What the analysis says of the move that comes next.
function showJudged(at) {
  const one = judged[at];
  $("judged").hidden = !one;
  if (one) showValues($("judged"), one.values, player.game.history[at][0]);
}

async function download(operation, name, type) {
  try {
    const { text } = await ask(operation, { game: player.game.json() });
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  } catch (error) {
    tell(error);
  }
}
$("get-record").addEventListener("click", () => download("record", "game.txt", "text/plain"));
$("get-svg").addEventListener("click", () => download("svg", "game.svg", "image/svg+xml"));
$("get-html").addEventListener("click", () => download("html", "game.html", "text/html"));
$("play-on").addEventListener("click", () => {
  begin(new Game(player.game.json(player.at)));
  choose("play");
  $("board").focus();
});
$("analyse").addEventListener("click", () => {
  stopWatching();
  refresh();
  openGame(new Game(game.json()));
  choose("replay");
  player.jump(player.game.moves);
});
