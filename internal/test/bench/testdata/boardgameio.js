// Decisions a second of the processor that boardgame.io makes in random games of tic-tac-toe: alone, with
// the views of both players, and with those and the position written as JSON, from which the position is read
// again.
//
//	npm install boardgame.io@0.50.2 && NODE_ENV=production node boardgameio.js
const { InitializeGame, CreateGameReducer } = require('boardgame.io/internal');

const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const game = {
  setup: () => ({ cells: Array(9).fill(null), secret: 1989 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { mark: ({ G, playerID }, cell) => { G.cells[cell] = playerID; } },
  playerView: ({ G }) => { const { secret, ...seen } = G; return seen; },
  endIf: ({ G }) => lines.some(l => G.cells[l[0]] !== null && l.every(c => G.cells[c] === G.cells[l[0]])) ||
    G.cells.every(c => c !== null) || undefined,
};
const reduce = CreateGameReducer({ game });

let seed = 1;
const below = n => (seed = seed * 48271 % 2147483647) % n;

function measure(views, json) {
  let made = 0;
  for (const start = process.cpuUsage(); ;) {
    let state = InitializeGame({ game });
    while (!state.ctx.gameover) {
      const playerID = state.ctx.currentPlayer;
      const free = [...state.G.cells.keys()].filter(c => state.G.cells[c] === null);
      state = reduce(state, { type: 'MAKE_MOVE', payload: { type: 'mark', args: [free[below(free.length)]], playerID } });
      const seen = views ? ['0', '1'].map(playerID => game.playerView({ G: state.G, ctx: state.ctx, playerID })) : [];
      if (json) {
        seen.forEach(view => JSON.stringify(view));
        state = JSON.parse(JSON.stringify(state));
      }
      made++;
    }
    const { user, system } = process.cpuUsage(start);
    if (user + system > 3e6) return Math.round(made / (user + system) * 1e6);
  }
}

for (let run = 0; run < 3; run++) console.log(measure(false, false), measure(true, false), measure(true, true));
