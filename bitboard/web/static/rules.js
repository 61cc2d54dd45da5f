// The rule of the game, as bitboard.games and csrc/bitboard.h have it; tests/test_web_page.py compares them.
// A board is an array of exponents in reading order, 0 for an empty cell. Directions: 0 up, 1 right, 2 down, 3 left.
"use strict";

const DIRECTIONS = ["Up", "Right", "Down", "Left"];
const LETTERS = "URDL";
const WORD = (1n << 64n) - 1n;

// Number i of the random stream of a seed (SplitMix64).
function random64(seed, i) {
  let z = (seed + (BigInt(i) + 1n) * 0x9e3779b97f4a7c15n) & WORD;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return z ^ (z >> 31n);
}

// The cells of a line, from the side that tiles slide to.
function lineOf(rows, columns, direction, k) {
  const across = direction & 1;
  const line = Array.from({ length: across ? columns : rows }, (_, i) => (across ? k * columns + i : i * columns + k));
  return direction === 1 || direction === 2 ? line.reverse() : line;
}

// {cells, reward, paths: [from, to, merges] of every tile, changed}; two tiles of the exponent `top` do not merge.
function slide(cells, rules, direction) {
  const { rows, columns, top } = rules;
  const after = new Array(cells.length).fill(0), paths = [];
  let reward = 0, changed = false;
  for (let k = 0; k < (direction & 1 ? rows : columns); k++) {
    const line = lineOf(rows, columns, direction, k);
    let at = 0, waiting = 0;
    for (const cell of line) {
      const tile = cells[cell];
      if (!tile) continue;
      const merges = tile === waiting && tile !== top;
      const to = line[merges ? at - 1 : at];
      if (merges) {
        after[to] = tile + 1;
        reward += 2 ** (tile + 1);
        waiting = 0;
      } else {
        after[to] = waiting = tile;
        at++;
      }
      changed ||= to !== cell;
      paths.push([cell, to, merges]);
    }
  }
  return { cells: after, reward, paths, changed };
}

// A game as the protocol gives it: rules, seed (text), start, moves such as "L12:1".
class Game {
  constructor({ rules, seed, start, moves = "", tags = {}, cut = "" }) {
    Object.assign(this, { rules, seed: BigInt(seed), tags, cut, redoable: [] });
    const weights = Object.entries(rules.spawn).map(([face, weight]) => [Math.log2(Number(face)), BigInt(weight)]);
    weights.sort((one, other) => other[0] - one[0]);
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0n);
    let sum = 0n; // the largest tile takes the lowest of the 2**32 numbers
    this.thresholds = weights.map(([exponent, weight]) => {
      sum += weight;
      return [((sum << 32n) + total - 1n) / total, exponent];
    });
    this.boards = [start];
    this.scores = [0];
    this.history = []; // [direction, cell, exponent]
    this.follow(moves);
  }

  get board() { return this.boards.at(-1); }
  get score() { return this.scores.at(-1); }
  get moves() { return this.history.length; }
  get over() { return !this.legal.some(Boolean); }
  get legal() { return [0, 1, 2, 3].map((d) => slide(this.board, this.rules, d).changed); }
  get largest() { return 2 ** Math.max(...this.board); }

  // Slide; {paths, reward, spawn} or null where that changes nothing. spawn: [cell, exponent], else the game's own.
  move(direction, spawn = null) {
    const slid = slide(this.board, this.rules, direction);
    if (!slid.changed) return null;
    const [cell, exponent] = spawn ?? this.drawn(slid.cells);
    const board = slid.cells;
    board[cell] = exponent;
    this.boards.push(board);
    this.scores.push(this.score + slid.reward);
    this.history.push([direction, cell, exponent]);
    this.redoable = [];
    return { ...slid, spawn: cell };
  }

  drawn(cells) {
    const number = random64(this.seed, Math.max(2, this.rules.start_tiles) + this.moves);
    const empty = cells.flatMap((tile, cell) => (tile ? [] : [cell]));
    const low = number & 0xffffffffn;
    const cell = empty[Number(((number >> 32n) * BigInt(empty.length)) >> 32n)];
    return [cell, this.thresholds.find(([threshold]) => low < threshold)[1]];
  }

  // Make moves written as in a record.
  follow(text) {
    for (const token of text.split(" ").filter(Boolean)) {
      const [cell, exponent] = token.slice(1).split(":").map(Number);
      if (!this.move(LETTERS.indexOf(token[0]), [cell, exponent])) throw new Error(`move ${token} changes nothing`);
    }
  }

  undo() {
    if (!this.moves) return false;
    const undone = this.history.pop();
    this.boards.pop();
    this.scores.pop();
    this.redoable.push(undone);
    return true;
  }

  redo() {
    const rest = this.redoable, next = rest.pop();
    if (!next) return null;
    const made = this.move(next[0], next.slice(1));
    this.redoable = rest;
    return made;
  }

  // The game up to a move, as the protocol takes it.
  json(moves = this.moves) {
    const tokens = this.history.slice(0, moves).map(([d, cell, exponent]) => `${LETTERS[d]}${cell}:${exponent}`);
    const { rules, tags } = this;
    return { rules, seed: String(this.seed), start: this.boards[0], moves: tokens.join(" "), tags };
  }

  // The board as rows of face values, as the protocol takes it.
  rowsOf(position = this.moves) {
    const { rows, columns } = this.rules, cells = this.boards[position];
    return Array.from({ length: rows }, (_, r) =>
      cells.slice(r * columns, (r + 1) * columns).map((k) => (k ? 2 ** k : 0)));
  }
}
