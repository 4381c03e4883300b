// Decisions a second of the processor that Pokemon Showdown makes in random battles by its oldest rules, with
// hidden teams and dice: alone, with the views of both players, and with those and the position written as JSON,
// from which the position is read again. A view is what the server asks a player with. The teams are made
// beforehand.
//
//	npm install --ignore-scripts --omit=optional pokemon-showdown@0.11.11 && node pokemonshowdown.js
const { Battle, Teams } = require('pokemon-showdown');

const formatid = 'gen1randombattle';
const teams = Array.from({ length: 200 }, () => Teams.generate(formatid));
const pick = list => list[Math.floor(Math.random() * list.length)];

function play(views, json) {
  let battle = new Battle({ formatid, p1: { team: pick(teams) }, p2: { team: pick(teams) } });
  let made = 0;
  while (!battle.ended) for (const id of ['p1', 'p2']) if (!battle.ended && !battle[id].isChoiceDone()) {
    const side = battle[id];
    const { active, forceSwitch } = side.activeRequest;
    const moves = forceSwitch ? [] : active[0].moves.flatMap((m, i) => m.disabled ? [] : [`move ${i + 1}`]);
    const others = active?.[0].trapped ? [] : side.pokemon.flatMap((p, i) => p.fainted || p.isActive ? [] : [`switch ${i + 1}`]);
    const seen = views ? battle.sides.map(s => s.getRequestData()) : [];
    if (json) {
      seen.forEach(view => JSON.stringify(view));
      battle = Battle.fromJSON(JSON.stringify(battle));
    }
    if (!battle.choose(id, pick([...moves, ...others]))) throw new Error(battle[id].choice.error);
    made++;
  }
  return made;
}

function measure(views, json) {
  const start = process.cpuUsage();
  for (let made = 0; ;) {
    made += play(views, json);
    const { user, system } = process.cpuUsage(start);
    if (user + system > 4e6) return Math.round(made / (user + system) * 1e6);
  }
}

measure(false, false); // The first battles are slower than those after them.
for (let run = 0; run < 3; run++) console.log(measure(false, false), measure(true, false), measure(true, true));
