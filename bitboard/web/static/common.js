// What the parts of the page share: questions to the server, messages, values of directions.
"use strict";

const $ = (id) => document.getElementById(id);
const grouped = (number) => number.toLocaleString("en");

// Server

// The answer of an operation; throws an Error with the server's message.
async function ask(operation, request = {}, signal = undefined) {
  let response;
  try {
    response = await fetch(`api/${operation}`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request), signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Has it ended?");
  }
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  return answer;
}

let hiding;
function tell(error) {
  if (error.name === "AbortError") return;
  $("message").textContent = error.message ?? error;
  $("message").hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(quieten, 12000);
}
function quieten() { $("message").hidden = true; }

// The board of a game, its rules and its place in the random stream, as requests have them.
function asked(game, position = game.moves) {
  const { spawn, start_tiles, top } = game.rules;
  const classic = JSON.stringify(game.rules) === JSON.stringify(info.classic); // those of bitboard.Game
  const request = { board: game.rowsOf(position), seed: String(game.seed), moves: position };
  return classic ? request : { ...request, spawn, start_tiles, top: 2 ** top };
}

// What each direction is worth, as bars. made: the direction that was chosen.
function showValues(element, values, made = null) {
  const known = values ? Object.values(values).filter((value) => value !== null) : [];
  const best = Math.max(...known), worst = Math.min(...known);
  element.replaceChildren(...DIRECTIONS.map((name, d) => {
    const value = values?.[LETTERS[d]] ?? null;
    const spread = best === worst ? 1 : (value - worst) / (best - worst);
    const share = value === null ? 0 : 0.1 + 0.9 * spread;
    const digits = best < 100 ? 2 : best < 10000 ? 1 : 0;
    const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const text = value === null ? "–" : value.toLocaleString("en", format);
    const bar = make("i", {}, make("i"));
    bar.firstChild.style.setProperty("--share", share);
    const state = value === null ? "none" : value === best ? "best" : "";
    const label = make("span", {}, name, ...(made === d ? [make("em", {}, " made")] : []));
    return make("div", { class: `value ${state}` }, label, bar, make("output", {}, text));
  }));
}
