// The board on the page: tiles that slide and merge, and the same as a table for screen readers.
"use strict";

const SLIDE_MS = 110;
const quiet = matchMedia("(prefers-reduced-motion: reduce)");

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const SIZES = [0.42, 0.42, 0.42, 0.34, 0.27, 0.22, 0.185, 0.16]; // of the number, by its length

class BoardView {
  constructor(element) {
    this.element = element;
    this.tiles = new Map(); // cell -> element
    this.finish = null;
  }

  // Draw a board at once.
  show(cells, rules) {
    this.settle();
    const { rows, columns } = rules;
    if (this.rows !== rows || this.columns !== columns) this.build(rows, columns);
    this.layer.replaceChildren();
    this.tiles.clear();
    cells.forEach((exponent, cell) => exponent && this.add(cell, exponent));
    this.describe(cells);
  }

  build(rows, columns) {
    Object.assign(this, { rows, columns });
    this.element.style.setProperty("--rows", rows);
    this.element.style.setProperty("--columns", columns);
    const cells = Array.from({ length: rows * columns }, () => make("i"));
    this.layer = make("div", { class: "tiles", "aria-hidden": "true" });
    this.table = make("table", { class: "unseen" });
    const ground = make("div", { class: "cells", "aria-hidden": "true" }, ...cells);
    this.element.replaceChildren(ground, this.layer, this.table);
  }

  describe(cells) {
    const row = (r) => cells.slice(r * this.columns, (r + 1) * this.columns);
    const line = (r) => make("tr", {}, ...row(r).map((k) => make("td", {}, k ? String(2 ** k) : "empty")));
    const caption = make("caption", {}, `Board, ${this.rows} by ${this.columns}`);
    this.table.replaceChildren(caption, ...Array.from({ length: this.rows }, (_, r) => line(r)));
  }

  add(cell, exponent, ...classes) {
    const tile = make("div", { class: ["tile", ...classes].join(" ") }, make("b"));
    this.place(tile, cell);
    this.face(tile, exponent);
    this.layer.append(tile);
    this.tiles.set(cell, tile);
  }

  place(tile, cell) {
    const row = Math.floor(cell / this.columns), column = cell % this.columns;
    tile.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
  }

  face(tile, exponent) {
    const text = String(2 ** exponent);
    tile.firstChild.textContent = text;
    tile.firstChild.className = `t${exponent}`;
    tile.style.setProperty("--size", SIZES[text.length] ?? 1.3 / text.length);
  }

  // Draw a move that was made: what Game.move gave, and the board after it.
  move(made, cells, rules, ms = SLIDE_MS) {
    this.settle();
    if (quiet.matches || ms < 20 || this.rows !== rules.rows || this.columns !== rules.columns) {
      this.show(cells, rules);
      return;
    }
    this.element.style.setProperty("--ms", `${ms}ms`);
    const before = this.tiles, gone = [], merged = [];
    this.tiles = new Map();
    for (const [from, to, merges] of made.paths) {
      const tile = before.get(from);
      if (merges) {
        gone.push(this.tiles.get(to));
        merged.push(to);
      }
      this.tiles.set(to, tile);
      this.place(tile, to);
    }
    this.finish = () => {
      gone.forEach((tile) => tile.remove());
      for (const cell of merged) {
        this.face(this.tiles.get(cell), cells[cell]);
        this.tiles.get(cell).classList.remove("pop", "new");
        void this.tiles.get(cell).offsetWidth; // so that the animation begins anew
        this.tiles.get(cell).classList.add("pop");
      }
      this.add(made.spawn, cells[made.spawn], "new");
    };
    this.timer = setTimeout(() => this.settle(), ms);
    this.describe(cells);
  }

  // End a movement under way.
  settle() {
    clearTimeout(this.timer);
    const finish = this.finish;
    this.finish = null;
    finish?.();
  }
}

// A curve of numbers as SVG, with a mark at a position and points of interest.
class Curve {
  constructor(svg) {
    this.svg = svg;
    svg.setAttribute("viewBox", "0 0 300 80");
    svg.setAttribute("preserveAspectRatio", "none");
  }

  show(values, at = values.length - 1, marks = []) {
    const top = Math.max(...[values.at(-1), 1]), last = Math.max(values.length - 1, 1);
    const x = (i) => (i / last) * 300, y = (value) => 78 - (value / top) * 74;
    const step = Math.max(1, Math.ceil(values.length / 300)), points = [];
    for (let i = 0; i < values.length; i += step) points.push(`${x(i).toFixed(1)} ${y(values[i]).toFixed(1)}`);
    points.push(`${x(values.length - 1).toFixed(1)} ${y(values.at(-1)).toFixed(1)}`);
    const line = `M${points.join("L")}`;
    const ticks = marks.map(([i, kind]) => `<path class="${kind}" d="M${x(i)} 80V68"/>`).join("");
    this.svg.innerHTML = `<path class="area" d="${line}V80H0Z"/><path class="line" d="${line}"/>${ticks}` +
      `<path class="now" d="M${x(at)} 0V80"/>`;
  }
}
