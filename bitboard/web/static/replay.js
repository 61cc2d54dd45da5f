// A game to be gone through: board, slider, play. Used by the page, and by the HTML file that plays by itself.
"use strict";

const ICONS = {
  start: "M3 4h2v16H3zM13 4v16L5 12zM21 4v16l-8-8z", back: "M5 4h4v16H5zM20 4v16L9 12z", play: "M6 4v16l14-8z",
  pause: "M5 4h5v16H5zM14 4h5v16h-5z", on: "M4 4v16l11-8zM15 4h4v16h-4z",
  end: "M3 4v16l8-8zM11 4v16l8-8zM19 4h2v16h-2z",
};

function drawn(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const icon = (name) => drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: ICONS[name] }));

class Player {
  // changed: called with the position whenever it changes.
  constructor(root, changed = () => {}) {
    this.root = root;
    this.changed = changed;
    this.at = 0;
    const button = (label, text, work) =>
      make("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick: work }, icon(text));
    this.boardElement = make("div", { class: "board", role: "group", "aria-label": "Board", tabindex: 0 });
    this.view = new BoardView(this.boardElement);
    this.facts = make("p", { class: "facts", "aria-live": "off" });
    this.slider = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Move" });
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    this.playButton = button("Play", "play", () => this.toggle());
    this.speed = make("select", { "aria-label": "Speed" },
      ...[["1 / s", 1], ["4 / s", 4], ["10 / s", 10], ["30 / s", 30], ["100 / s", 100], ["500 / s", 500]].map(
        ([text, value]) => make("option", { value, selected: value === 4 }, text)));
    this.controls = make("div", { class: "row controls" },
      button("To the start", "start", () => this.jump(0)),
      button("A move back", "back", () => this.jump(this.at - 1)),
      this.playButton,
      button("A move on", "on", () => this.step()),
      button("To the end", "end", () => this.jump(this.game.moves)),
      this.speed);
    this.curveElement = drawn("svg", { class: "curve", role: "img", "aria-label": "Score by move" });
    this.curve = new Curve(this.curveElement);
    this.marks = [];
    root.replaceChildren(this.boardElement, this.facts, this.slider, this.controls, this.curveElement);
  }

  open(game) {
    this.pause();
    this.game = game;
    this.marks = [];
    this.slider.max = game.moves;
    this.jump(0);
  }

  jump(at) {
    this.pause();
    this.at = Math.min(Math.max(at, 0), this.game.moves);
    this.view.show(this.game.boards[this.at], this.game.rules);
    this.tell();
  }

  step(ms = SLIDE_MS) {
    const { game } = this;
    if (this.at >= game.moves) return this.pause();
    const [direction, cell] = game.history[this.at];
    const made = { ...slide(game.boards[this.at], game.rules, direction), spawn: cell };
    this.at++;
    this.view.move(made, game.boards[this.at], game.rules, ms);
    this.tell();
    if (this.at >= game.moves) this.pause();
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.at >= this.game.moves) this.jump(0);
    this.showPlaying("Pause", "pause");
    const began = performance.now(), first = this.at;
    let rate = Number(this.speed.value), base = 0;
    const tick = () => {
      if (rate !== Number(this.speed.value)) {
        base = this.at - first - ((performance.now() - began) / 1000) * Number(this.speed.value);
        rate = Number(this.speed.value);
      }
      const due = first + Math.floor(base + ((performance.now() - began) / 1000) * rate);
      if (due > this.at + 1) { // more than one a frame: draw the last one alone
        this.at = Math.min(due, this.game.moves) - 1;
        this.view.show(this.game.boards[this.at], this.game.rules);
      }
      if (due > this.at) this.step(rate > 20 ? 0 : Math.min(SLIDE_MS, 600 / rate));
      if (this.timer) this.timer = requestAnimationFrame(tick);
    };
    this.timer = requestAnimationFrame(tick);
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = null;
    this.showPlaying("Play", "play");
  }

  showPlaying(label, name) {
    this.playButton.replaceChildren(icon(name));
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
  }

  tell() {
    const { game, at } = this;
    this.slider.value = at;
    const [direction] = at ? game.history[at - 1] : [];
    const move = `Move ${at.toLocaleString("en")} of ${game.moves.toLocaleString("en")}`;
    const made = at ? DIRECTIONS[direction].toLowerCase() : "the start";
    this.slider.setAttribute("aria-valuetext", `${move}, ${made}`);
    this.facts.replaceChildren(make("span", {}, move), make("span", {}, made),
      make("span", {}, `Score ${game.scores[at].toLocaleString("en")}`));
    this.curve.show(game.scores, at, this.marks);
    this.changed(at);
  }

  // Keys, where no other element takes them.
  key(event) {
    const work = {
      ArrowRight: () => this.step(), ArrowLeft: () => this.jump(this.at - 1), " ": () => this.toggle(),
      PageDown: () => this.jump(this.at + 10), PageUp: () => this.jump(this.at - 10),
      Home: () => this.jump(0), End: () => this.jump(this.game.moves),
    }[event.key];
    if (!work || !this.game) return false;
    work();
    return true;
  }
}

// Whether a key belongs to what has the focus.
function taken(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return true;
  const tag = event.target.tagName;
  if (["INPUT", "SELECT", "TEXTAREA"].includes(tag)) return true;
  return ["BUTTON", "SUMMARY", "A"].includes(tag) && [" ", "Enter"].includes(event.key);
}
