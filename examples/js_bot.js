#!/usr/bin/env node
// A bot for Schotten Totten in JavaScript: lines of JSON come in, lines of JSON go out (docs/bots.md).
// It claims what it can, and lays a card where it fits what lies there.
// Try it: schotten play --opponent "cmd:node examples/js_bot.js"

"use strict";

const lines = require("node:readline").createInterface({ input: process.stdin });

let cards = new Map();
let dice = 1;

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// A number from 0 up to 1. Math.random cannot be given a seed, and the same seed should play the same game.
function random() {
  dice = (dice * 48271) % 2147483647;
  return dice / 2147483647;
}

// How well a card goes with the others of its side: best with its own colour, and then with near values.
function fit(card, others) {
  let fits = 0;
  for (const other of others) {
    const step = Math.abs(card.value - other.value);
    const sameColour = card.colour === other.colour;
    fits += sameColour && step <= 2 ? 3 : sameColour ? 2 : step === 0 ? 1 : -1;
  }
  return fits;
}

function worth(move, view) {
  const [verb, text, stone] = move.split(" ");
  if (verb === "claim") return 100;
  const card = verb === "play" ? cards.get(text) : undefined;
  if (card === undefined || card.power !== undefined) return random() - 1;
  const side = view.position.stones[stone - 1].sides[view.seat];
  const others = side.map((other) => cards.get(other)).filter((other) => other.power === undefined);
  return 2 * fit(card, others) + card.value / 10 + random();
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      say({ type: "hello", version: 1, name: "javascript" });
      break;
    case "newgame":
      cards = new Map(message.rules.decks.flatMap((deck) => deck.cards).map((card) => [card.text, card]));
      dice = message.seed + 1;
      break;
    case "act": {
      const worths = message.legal.map((move) => worth(move, message.view));
      say({ type: "move", move: worths.indexOf(Math.max(...worths)) }); // a place in the list will do as well
      break;
    }
    case "quit":
      lines.close(); // "observe" and "gameover" need no answer
      break;
  }
});
