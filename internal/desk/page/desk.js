(() => {
	"use strict";
	const byID = (id) => document.getElementById(id);
	const make = (tag, text, className) => {
		const e = document.createElement(tag);
		if (text) e.textContent = text;
		if (className) e.className = className;
		return e;
	};
	// call asks the program: both sides speak JSON.
	const call = (name, ask) => JSON.parse(window[name](JSON.stringify(ask)));

	// The answer under way: finished lines, and the parts of the one that is begun. drawn are the lines that the map shows.
	let lines = [], atoms = [], place = "", state = null, facts = null, drawn = null, games = null;
	// seated is the player who sees the board in practice, for example "You are fox."
	let seated = "";

	const say = (text, bad) => {
		byID("status").textContent = text;
		byID("status").className = bad ? "bad" : "";
	};

	// choose adds a part to the answer.
	const choose = (atom) => {
		atoms.push(atom);
		place = "";
		update();
	};

	// finish makes the answer that is begun a line.
	const finish = () => {
		lines.push(state.Begun);
		atoms = [];
		place = "";
		update();
	};

	const undo = () => {
		if (place) place = "";
		else if (atoms.length) atoms.pop();
		else lines.pop();
		update();
	};

	const options = () => (state.Asked || []).flatMap((a) => a.Options || []);

	// press narrows the options to those of a place, or takes the only one.
	const press = (id) => {
		const here = options().filter((o) => (o.Places || []).includes(id));
		if (here.length === 1) {
			choose(here[0].Atom);
			return;
		}
		place = id;
		show();
		const first = byID("questions").querySelector("button");
		if (first) first.focus();
	};

	const optionButton = (o) => {
		const b = make("button");
		b.type = "button";
		b.append(make("code", o.Text));
		if (o.Names && !o.Group.endsWith(" " + o.Names)) b.append(" ", make("span", o.Names, "soft"));
		b.dataset.atom = o.Atom;
		b.dataset.places = (o.Places || []).join(" ");
		b.onclick = () => choose(o.Atom);
		const item = make("li");
		item.append(b);
		return item;
	};

	const question = (a) => {
		const box = make("div");
		box.append(make("h2", a.Question, "question"));
		const lists = new Map();
		for (const o of a.Options || []) {
			if (place && !(o.Places || []).includes(place)) continue;
			if (!lists.has(o.Group)) {
				lists.set(o.Group, make("ul", "", "options"));
				if (o.Group) box.append(make("h3", o.Group));
				box.append(lists.get(o.Group));
			}
			lists.get(o.Group).append(optionButton(o));
		}
		if (a.Notes) box.append(make("p", a.Notes.join("\n"), "soft notes"));
		return box;
	};

	// drawMap changes the map to the position after the lines.
	const drawMap = () => {
		const now = lines.join("\n");
		if (drawn === now) return;
		const m = call("deskMap", {Lines: lines.length});
		drawn = now;
		byID("board").hidden = !m || !!m.error;
		if (!m || m.error) return;
		const parse = (elements) => document.importNode(new DOMParser().parseFromString(m.SVG + elements.join("") + "</svg>", "image/svg+xml").documentElement, true);
		if (m.New) byID("map").replaceChildren(parse([]), make("div"));
		const [svg, places] = byID("map").children;
		for (const c of m.Changes || []) {
			for (let i = 0; i < c.Remove; i++) svg.children[c.At].remove();
			const behind = svg.children[c.At] || null;
			for (const e of [...parse(c.Add || []).children]) svg.insertBefore(e, behind);
		}
		if (!m.Places) return;
		places.replaceChildren();
		for (const p of m.Places) {
			const b = make("button");
			b.type = "button";
			b.dataset.place = p.ID;
			b.setAttribute("aria-label", p.Name);
			b.title = p.Name;
			b.style.left = 100 * p.X / m.Width + "%";
			b.style.top = 100 * p.Y / m.Height + "%";
			b.style.width = 100 * p.W / m.Width + "%";
			b.style.height = 100 * p.H / m.Height + "%";
			b.onclick = () => press(p.ID);
			places.append(b);
		}
		light();
	};

	// light shows the places that can be clicked.
	const light = () => {
		const can = new Set(state.Whole ? [] : options().flatMap((o) => o.Places || []));
		for (const b of byID("map").querySelectorAll("button")) {
			b.disabled = !can.has(b.dataset.place);
			b.classList.toggle("can", !b.disabled);
		}
	};

	const show = () => {
		const focused = document.activeElement;
		byID("questions").replaceChildren(...(state.Ends ? [] : (state.Asked || []).map(question)));
		byID("begun").textContent = state.Begun ? state.Begun + " ..." : "";
		byID("done").hidden = !state.May;
		byID("undo").disabled = !lines.length && !atoms.length && !place;
		byID("ends").textContent = state.Ends || "";
		byID("lines").replaceChildren(...state.Lines.map((l, i) => {
			const item = make("li");
			item.append(make("code", l.Text));
			if (l.Read && l.Read !== l.Text) item.append(make("span", "Read as: " + l.Read, "note"));
			if (l.Note) item.append(make("span", l.Note, l.Wrong ? "note bad" : "note"));
			if (l.Rash) {
				const sure = make("button", "I mean it");
				sure.type = "button";
				sure.onclick = () => {
					lines[i] += " FOR SURE";
					update();
				};
				item.append(sure);
			}
			return item;
		}));
		byID("mail").href = state.Mail;
		light();
		// A focus that is lost goes to the same option, or to the next click.
		if (!focused.isConnected || focused.disabled || focused.hidden) {
			const next = document.querySelector(`#questions button[data-atom="${focused.dataset.atom}"]`) || document.querySelector("#questions button") ||
				(byID("practice").hidden ? byID("mail") : byID("carry"));
			next.focus({preventScroll: true});
		}
		// The map takes longer than all else, so that it comes behind the click.
		setTimeout(drawMap);
	};

	const update = (typed) => {
		state = call("deskState", {Lines: lines, Atoms: atoms});
		if (state.error) {
			say(state.error, true);
			state = {Lines: [], Asked: [], Mail: ""};
			atoms = [];
			show();
			return;
		}
		if (state.Whole) {
			finish();
			return;
		}
		if (!typed) byID("text").value = lines.join("\n");
		show();
	};

	const block = (b) => {
		const box = make("div");
		if (b.Heading) box.append(make("h3", b.Heading + (b.Aside ? " " + b.Aside : "")));
		const p = make("p");
		if (b.Label) p.append(make("span", b.Label + " ", "soft"));
		if (b.Lead) p.append(make("b", b.Lead + " "));
		if (b.Aside && !b.Heading) p.append(make("span", b.Aside + " ", "soft"));
		if (b.Text) p.append(b.Text);
		if (p.childNodes.length) box.append(p);
		if (b.Rows) {
			const table = make("table");
			for (const r of b.Rows) {
				const row = table.insertRow();
				for (const c of r.Cells) row.insertCell().textContent = c;
			}
			box.append(table);
		}
		return box;
	};

	// parts shows the standing parts of the letter.
	const parts = () => {
		const blocks = Object.fromEntries((facts.Parts || []).map((p) => [p.Title, p.Blocks]));
		byID("parts").replaceChildren(...(facts.Sections || []).map((s) => {
			const box = make("section");
			box.append(make("h2", s.Title));
			if (blocks[s.Title]) box.append(...blocks[s.Title].map(block));
			else {
				const lines = make("pre", s.Lines.join("\n"));
				lines.tabIndex = 0; // The keyboard can scroll it.
				box.append(lines);
			}
			return box;
		}));
	};

	// newest remembers the newest letter of a match that was opened here, and says whether a later one was.
	const newest = () => {
		const key = "letter of " + facts.Match;
		let seen = 0;
		try {
			seen = Number(localStorage.getItem(key)) || 0;
			if (facts.Letter > seen) localStorage.setItem(key, facts.Letter);
		} catch {
			// Some browsers keep nothing.
		}
		return Math.max(seen, facts.Letter);
	};

	// showRules shows the texts on the rules of a game. The rules of thumb are open for those who come to practise.
	const showRules = (name, practice) => {
		const game = games.find((g) => g.Name === name);
		const topics = (game && game.Rules) || [];
		byID("rules").hidden = !topics.length;
		byID("topics").replaceChildren(...topics.map((t) => {
			const box = make("details");
			box.open = practice && (t.Name === "tips" || t.Name === topics[0].Name);
			box.append(make("summary", t.Name[0].toUpperCase() + t.Name.slice(1)));
			for (const p of t.Text.split("\n")) if (p) box.append(make("p", p));
			return box;
		}));
	};

	const open = () => {
		const fragment = location.hash.slice(1);
		const linked = fragment && !/^(practice|check)\./.test(fragment);
		games = games || call("deskGames", {});
		lines = [];
		atoms = [];
		place = "";
		drawn = null;
		byID("work").hidden = true;
		byID("ask").inert = byID("board").inert = false; // The answer of a robot may be waited for.
		byID("start").hidden = linked;
		byID("news").hidden = byID("cover").hidden = true;
		for (const id of ["you", "age", "credit"]) byID(id).textContent = "";
		byID("title").textContent = document.title = "The desk";
		if (!linked) {
			say("To answer a letter of Samizdat, open its link \"Open on the board\".");
			seated = "";
			window.deskStart(fragment, games);
			return;
		}
		facts = call("deskOpen", {Fragment: fragment});
		if (facts.error) {
			say(facts.error, true);
			return;
		}
		const practice = window.deskPractice();
		if (!facts.To && !practice) { // The tab was reloaded: the worker has lost the match, and the browser has kept it.
			location.replace("#practice." + facts.Game);
			return;
		}
		byID("title").textContent = facts.Title;
		document.title = facts.Title + ": the desk";
		say(facts.Status);
		byID("you").textContent = facts.You;
		byID("practice").hidden = !practice;
		if (!practice) byID("told").textContent = (facts.Happened || []).map((t) => "- " + t).join("\n");
		byID("letter").hidden = byID("sending").hidden = byID("age").hidden = !!practice;
		const last = newest();
		byID("age").textContent = last > facts.Letter ? "You have opened letter " + last + " here. This link is of letter " + facts.Letter +
			": the position may have moved on." : "The position is that of letter " + facts.Letter + ". If a later letter has come, open its link: the position may have moved on.";
		byID("to").textContent = facts.To;
		byID("credit").textContent = facts.Credit;
		parts();
		showRules(facts.Game, practice);
		byID("later").hidden = !facts.Sources;
		byID("source").replaceChildren(new Option("my next action", "NEXT:"), ...(facts.Sources || []).map((s) => new Option(s, "ANSWER " + s)));
		update();
		// People at one screen must not see the hands of others.
		const covered = practice && seated && seated !== facts.You;
		byID("next").textContent = facts.You.replace("You are", "Give the screen to");
		byID("cover").hidden = !covered;
		byID("work").hidden = covered;
		byID("news").hidden = covered || !byID("told").textContent;
		seated = practice ? seated || facts.You : "";
	};

	byID("uncover").onclick = () => {
		seated = facts.You;
		byID("cover").hidden = true;
		byID("work").hidden = false;
		byID("news").hidden = !byID("told").textContent;
	};
	byID("add").onclick = () => {
		if (!byID("order").value.trim()) return;
		lines.push(byID("source").value + " " + byID("order").value.trim());
		atoms = [];
		byID("order").value = "";
		update();
	};
	byID("done").onclick = finish;
	byID("undo").onclick = undo;
	byID("text").oninput = () => {
		lines = byID("text").value.split("\n").map((l) => l.trim()).filter((l) => l);
		atoms = [];
		place = "";
		update(true);
	};
	byID("copy").onclick = async () => {
		try {
			await navigator.clipboard.writeText(lines.join("\n") + "\n");
			byID("copy").textContent = "Copied";
		} catch {
			byID("text").select();
		}
	};
	addEventListener("hashchange", () => window.deskState && open());
	window.deskShow = open;
	window.deskSay = say;
	window.deskRules = showRules;
	window.deskLines = () => lines;

	window.deskLoad("desk.wasm.gz").then(open).catch((e) => say("The page cannot start: " + e.message, true));
})();
